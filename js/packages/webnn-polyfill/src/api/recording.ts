/** What a builder records: MLOperands and their origins, and the graph of some outputs. */

import {
  type NamedOperand,
  type OperandDescriptor,
  operandsOf,
  type RecordedConstant,
  type RecordedGraph,
  type RecordedOperator,
} from '../engine.js';
import type { MLOperandDataType } from '../generated/webnn_types.js';
import type { Tensor } from './context.js';

/** A value in a graph under construction. */
export class Operand implements OperandDescriptor {
  readonly dataType: MLOperandDataType;
  readonly shape: readonly number[];

  /** `id` is its index among the operands of its builder. */
  constructor(
    readonly builder: object,
    readonly id: number,
    { dataType, shape }: OperandDescriptor,
  ) {
    this.dataType = dataType;
    this.shape = Object.freeze([...shape]);
  }
}

/** The origin of a value. */
export type Source =
  | { readonly kind: 'input'; readonly name: string }
  | { readonly kind: 'constant'; readonly bytes: Uint8Array; readonly tensor?: Tensor }
  | { readonly kind: 'operator'; readonly operator: RecordedOperator };

/** An operand and the origin of its value. */
export type Origin = Source & { readonly descriptor: OperandDescriptor };

/** Ids of the operands that the outputs need, in the order of their creation, which is topological. */
function neededIds(origins: readonly Origin[], outputs: readonly NamedOperand[]): number[] {
  const needed = new Set<number>();
  const queue = outputs.map(({ operand }) => operand);
  for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
    if (needed.has(id)) continue;
    needed.add(id);
    const origin = origins[id];
    // All outputs of a needed operator get a number.
    if (origin?.kind === 'operator') queue.push(...operandsOf(origin.operator), ...origin.operator.outputs);
  }
  return [...needed].sort((a, b) => a - b);
}

/**
 * The graph of the outputs. Throws if a constant's tensor has been destroyed, or if two inputs have one name:
 * browsers, and the W3C's tests, allow a repeated name unless one graph has it twice.
 */
export function recordedGraph(origins: readonly Origin[], outputs: readonly NamedOperand[]): RecordedGraph {
  const needed = neededIds(origins, outputs);
  const renumbered = new Map(needed.map((id, index) => [id, index]));
  const number = (id: number) => renumbered.get(id) as number;
  const inputs: NamedOperand[] = [];
  const constants: RecordedConstant[] = [];
  const operators = new Set<RecordedOperator>();
  for (const id of needed) {
    const origin = origins[id] as Origin;
    if (origin.kind === 'input') inputs.push({ name: origin.name, operand: number(id) });
    else if (origin.kind === 'constant') constants.push({ operand: number(id), ...contentOf(origin) });
    else operators.add(origin.operator);
  }
  const names = new Set(inputs.map(({ name }) => name));
  if (names.size < inputs.length)
    throw new TypeError(`Two inputs have the same name: ${inputs.map(({ name }) => name)}.`);
  return {
    operands: needed.map((id) => (origins[id] as Origin).descriptor),
    inputs,
    constants,
    operators: [...operators].map((operator) => renumberedOperator(operator, number)),
    outputs: outputs.map(({ name, operand }) => ({ name, operand: number(operand) })),
  };
}

function contentOf({ bytes, tensor }: Extract<Origin, { kind: 'constant' }>): Omit<RecordedConstant, 'operand'> {
  if (tensor?.isDestroyed) throw new TypeError('The tensor of a constant has been destroyed.');
  return tensor === undefined ? { bytes } : { bytes, isShared: true };
}

function renumberedOperator(operator: RecordedOperator, number: (id: number) => number): RecordedOperator {
  const operands = Object.entries(operator.operands).map(([name, ids]) => [
    name,
    typeof ids === 'number' ? number(ids) : ids?.map(number),
  ]);
  return { ...operator, operands: Object.fromEntries(operands), outputs: operator.outputs.map(number) };
}
