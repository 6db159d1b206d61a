/** A case of an operator: plain data and calls, so that it runs in Node and in a browser's page. */

import type { MLGraphBuilder, MLOperand } from '../../src/generated/webnn_types.js';
import type { Values } from './values.js';

type Operands = Readonly<Record<string, MLOperand>>;

export interface Case {
  readonly op: string;
  /** What is special about it. */
  readonly what: string;
  readonly operands: Readonly<Record<string, Values>>;
  build(builder: MLGraphBuilder, operands: Operands): MLOperand | readonly MLOperand[];
  /** What each output should be. */
  readonly expected: readonly Values[];
  /** Largest difference, times the larger of 1 and the expected value. */
  readonly tolerance: number;
}

/** Sums of products in float32, in whatever order. */
export const CLOSE = 1e-5;
/** One operation of the kernel, whose functions differ by a few units in the last place. */
export const TIGHT = 2e-6;

type Options = Partial<Pick<Case, 'what' | 'tolerance'>>;

/** A case with one output. */
export function check(
  op: string,
  operands: Case['operands'],
  build: (builder: MLGraphBuilder, operands: Record<string, MLOperand>) => MLOperand | readonly MLOperand[],
  expected: Values | readonly Values[],
  { what = '', tolerance = CLOSE }: Options = {},
): Case {
  const outputs = 'shape' in expected ? [expected] : expected;
  return { op, what, operands, build: build as Case['build'], expected: outputs, tolerance };
}
