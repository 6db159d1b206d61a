/** What a classifier's or a detector's numbers mean. */

import type { PortInfo, Values } from './net.js';

/** A class and its probability. */
export interface ClassScore {
  readonly index: number;
  readonly score: number;
}

/** Real numbers for an output, whatever type the model computes in. */
export function realValues(values: Values, { quantization }: PortInfo): Float32Array {
  if (values instanceof Float32Array) return values;
  const scale = quantization?.scales[0] ?? 1;
  const zeroPoint = quantization?.zeroPoints[0] ?? 0;
  return Float32Array.from(values, (value) => (value - zeroPoint) * scale);
}

/** The most probable classes, best first; of equal ones the first. */
export function topClasses(scores: Float32Array, count: number): ClassScore[] {
  const all = Array.from(scores, (score, index) => ({ index, score }));
  return all.sort((one, other) => other.score - one.score || one.index - other.index).slice(0, count);
}
