/**
 * Scales and zero points of the model's integer tensors. TensorFlow Lite has them on tensors, WebNN in the operators
 * around them: a tensor can have those of its quantizeLinear, or of its dequantizeLinears as far as these agree.
 */

import type { RecordedOperator } from '../../engine.js';
import type { Quantization } from '../model.js';
import { numbersOf } from '../tensor.js';
import { type GraphIndex, inputOf, outputOf } from './graph_index.js';

/** Kernels compute with the reciprocal and the logarithm of scales. */
const SMALLEST_SCALE = 2 ** -126;

/**
 * The quantization of a quantizeLinear or dequantizeLinear: one scale, or one per index of an axis. Undefined
 * if the parameters are not constant, in blocks, or unsupported by the kernels.
 */
function parametersOf(index: GraphIndex, operator: RecordedOperator): Quantization | undefined {
  const scale = index.constant(operator.operands.scale as number);
  const zeroPoint = index.constant(operator.operands.zeroPoint as number);
  if (scale === undefined || zeroPoint === undefined) return undefined;
  const shape = index.shape(inputOf(operator));
  const sizes = ofRank(scale.shape, shape.length);
  const axes = sizes.flatMap((size, axis) => (size === 1 ? [] : [axis]));
  const [axis = 0] = axes;
  if (axes.length > 1 || (axes.length === 1 && sizes[axis] !== shape[axis])) return undefined;
  const scales = Array.from(numbersOf(scale));
  if (!scales.every((value) => value >= SMALLEST_SCALE && Number.isFinite(value))) return undefined;
  return { scales, zeroPoints: Array.from(numbersOf(zeroPoint)), axis };
}

/** The shape of scales and zero points, extended to the input's rank: they are broadcast to it. */
export function ofRank(shape: readonly number[], rank: number): number[] {
  return [...new Array<number>(rank - shape.length).fill(1), ...shape];
}

/** Whether all elements have one scale. */
export function isPerTensor({ scales }: Quantization): boolean {
  return scales.length === 1;
}

export function sameParameters(a: Quantization, b: Quantization): boolean {
  const isSame = (x: readonly number[], y: readonly number[]) =>
    x.length === y.length && x.every((value, index) => value === y[index]);
  const sameAxis = a.axis === b.axis || isPerTensor(a);
  return sameAxis && isSame(a.scales, b.scales) && isSame(a.zeroPoints, b.zeroPoints);
}

/** Operators that move integers, whatever their meaning; kernels of all of them accept int8 and uint8. */
const AGNOSTIC: readonly string[] = [
  'concat',
  'expand',
  'gather',
  'identity',
  'reshape',
  'reverse',
  'slice',
  'split',
  'tile',
  'transpose',
];

/** The operands whose integers an operator moves; undefined if it needs their meaning. */
export function movedOperands({ op, operands }: RecordedOperator): readonly number[] | undefined {
  if (!AGNOSTIC.includes(op)) return undefined;
  return [operands.inputs ?? operands.input].flat() as number[];
}

/** Parameters by operand, and those of the native dequantizeLinears. */
export interface Assignment {
  readonly parameters: ReadonlyMap<number, Quantization>;
  /** Operators dequantizeLinear whose input has exactly their parameters. Others are computed by arithmetic. */
  readonly native: ReadonlyMap<RecordedOperator, Quantization>;
}

export function assignParameters(index: GraphIndex): Assignment {
  const parameters = new Map<number, Quantization>();
  const native = new Map<RecordedOperator, Quantization>();
  for (const operator of index.graph.operators) assignOutput(index, operator, parameters);
  for (const operator of index.graph.operators) {
    if (operator.op !== 'dequantizeLinear') continue;
    const own = parametersOf(index, operator);
    if (own !== undefined && assignInput(index, inputOf(operator), own, parameters)) native.set(operator, own);
  }
  return { parameters, native };
}

function isQuantizedType(index: GraphIndex, operand: number): boolean {
  const dataType = index.dataType(operand);
  return dataType === 'int8' || dataType === 'uint8';
}

function assignOutput(index: GraphIndex, operator: RecordedOperator, parameters: Map<number, Quantization>): void {
  const output = outputOf(operator);
  if (operator.op !== 'quantizeLinear' || !isQuantizedType(index, output)) return;
  const own = parametersOf(index, operator);
  if (own !== undefined && isPerTensor(own)) parameters.set(output, own);
}

/** Assigns a dequantizeLinear's parameters to its input; false if that has others, or cannot have any. */
function assignInput(
  index: GraphIndex,
  input: number,
  own: Quantization,
  parameters: Map<number, Quantization>,
): boolean {
  // The model can contain a constant several times, with different parameters and the same bytes.
  if (index.isConstant(input)) return true;
  if (!isPerTensor(own) || !isQuantizedType(index, input)) return false;
  const operands = new Set<number>();
  if (!collect(index, input, own, parameters, operands)) return false;
  for (const operand of operands) parameters.set(operand, own);
  return true;
}

/**
 * Collects the operands without parameters from `operand` back to inputs of the graph and constants; false if one has
 * others, or comes from an operator that needs the integers' meaning.
 */
function collect(
  index: GraphIndex,
  operand: number,
  own: Quantization,
  parameters: ReadonlyMap<number, Quantization>,
  found: Set<number>,
): boolean {
  const known = parameters.get(operand);
  if (known !== undefined) return sameParameters(known, own);
  if (found.has(operand) || index.isConstant(operand)) return true;
  found.add(operand);
  const producer = index.producer(operand);
  if (producer === undefined) return true;
  const sources = movedOperands(producer);
  return sources?.every((source) => collect(index, source, own, parameters, found)) ?? false;
}
