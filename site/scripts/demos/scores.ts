/** Interprets the outputs of classifiers and detectors. */

import type { PortInfo, Values } from './net.js';

/** A class and its probability. */
export interface ClassScore {
  readonly index: number;
  readonly score: number;
}

/** Returns an output's real values, dequantized if needed. */
export function realValues(values: Values, { quantization }: PortInfo): Float32Array {
  if (values instanceof Float32Array) return values;
  const scale = quantization?.scales[0] ?? 1;
  const zeroPoint = quantization?.zeroPoints[0] ?? 0;
  return Float32Array.from(values, (value) => (value - zeroPoint) * scale);
}

/** The most probable classes, highest first; ties in index order. */
export function topClasses(scores: Float32Array, count: number): ClassScore[] {
  const all = Array.from(scores, (score, index) => ({ index, score }));
  return all.sort((one, other) => other.score - one.score || one.index - other.index).slice(0, count);
}
