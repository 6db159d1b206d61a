/** Scale and zero point of quantizeLinear and dequantizeLinear as TensorFlow Lite's quantization. */

import type { RecordedOperator } from '../../graph.js';
import type { Quantization } from '../model.js';
import { numbersOf } from '../tensor.js';
import { type GraphIndex, inputOf } from './graph_index.js';

/** Kernels compute with the reciprocal and the logarithm of scales. */
const SMALLEST_SCALE = 2 ** -126;

/**
 * The quantization of a quantizeLinear or dequantizeLinear: one scale, or one per index of an axis. Undefined
 * if the parameters are not constant, in blocks, or unsupported by the kernels.
 */
export function parametersOf(index: GraphIndex, operator: RecordedOperator): Quantization | undefined {
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
