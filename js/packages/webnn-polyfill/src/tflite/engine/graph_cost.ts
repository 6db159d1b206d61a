/** The cost of running a graph, estimated from its shapes, to separate small graphs from others. */

import { elementCount } from '../../data_types.js';
import { operandsOf, type RecordedGraph, type RecordedOperator } from '../../engine.js';

/** The shape of an operand, by name. */
type ShapeOf = (operand: string) => readonly number[];

/** Number of an operator's multiplications; `outputs` is the number of computed elements. */
type Count = (shapeOf: ShapeOf, attributes: RecordedOperator['attributes'], outputs: number) => number;

const ofRecurrence: Count = (shapeOf) =>
  elementCount(shapeOf('input').slice(0, -1)) *
  (elementCount(shapeOf('weight')) + elementCount(shapeOf('recurrentWeight')));

const ofPool: Count = (_, { windowDimensions }, outputs) => outputs * elementCount(windowDimensions as number[]);

const MULTIPLICATIONS: Readonly<Partial<Record<string, Count>>> = {
  conv2d: (shapeOf, { filterLayout }, outputs) => outputs * weightsPer('o', shapeOf('filter'), filterLayout as string),
  convTranspose2d: (shapeOf, { filterLayout }) =>
    elementCount(shapeOf('input')) * weightsPer('i', shapeOf('filter'), filterLayout as string),
  matmul: (shapeOf, _, outputs) => outputs * (shapeOf('a').at(-1) ?? 1),
  gemm: (shapeOf, { aTranspose }, outputs) => outputs * (shapeOf('a')[aTranspose ? 0 : 1] ?? 1),
  lstm: ofRecurrence,
  lstmCell: ofRecurrence,
  gru: ofRecurrence,
  gruCell: ofRecurrence,
  averagePool2d: ofPool,
  l2Pool2d: ofPool,
  maxPool2d: ofPool,
};

/** Number of a filter's weights per channel of the dimension with that letter in the layout. */
function weightsPer(dimension: 'i' | 'o', filter: readonly number[], layout: string): number {
  return elementCount(filter) / Math.max(filter[layout.indexOf(dimension)] ?? 1, 1);
}

/** Number of multiplications that take as long as reading or writing an element: XNNPACK does 4 at a time. */
const MULTIPLICATIONS_PER_ELEMENT = 4;

/** The cost of a run, in multiplications. */
export function graphCost({ operands, operators }: RecordedGraph): number {
  const shape = (id: number | undefined) => operands[id ?? -1]?.shape ?? [];
  const elements = (ids: readonly number[]) => ids.reduce((sum, id) => sum + elementCount(shape(id)), 0);
  const costs = operators.map((operator) => {
    const { op, attributes, outputs } = operator;
    const shapeOf: ShapeOf = (name) => shape(operator.operands[name] as number | undefined);
    const touched = elements(operandsOf(operator)) + elements(outputs);
    return touched * MULTIPLICATIONS_PER_ELEMENT + (MULTIPLICATIONS[op]?.(shapeOf, attributes, elements(outputs)) ?? 0);
  });
  return costs.reduce((sum, cost) => sum + cost, 0);
}
