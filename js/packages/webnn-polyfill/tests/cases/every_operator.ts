/** All cases: those of each operator, and calls that are invalid for every one. */

import { ACTIVATION } from './activation.js';
import { type Case, type Cases, WRONG } from './case.js';
import { CONVOLUTION } from './convolution.js';
import { ELEMENTWISE } from './elementwise.js';
import { INDEXING } from './indexing.js';
import { LOGIC } from './logic.js';
import { MATRIX } from './matrix.js';
import { MOVEMENT } from './movement.js';
import { NORMALIZATION } from './normalization.js';
import { POOLING } from './pooling.js';
import { QUANTIZATION } from './quantization.js';
import { RECURRENT } from './recurrent.js';
import { REDUCTION } from './reduction.js';
import { RESAMPLING } from './resampling.js';

/** Breaks the first case of an operator, which is valid. */
function broken([, args]: Case): readonly Case[] {
  return [
    ['no arguments', () => [], WRONG],
    ['null for the first operand', (o) => args(o).with(0, null), WRONG],
    ['an object for the first operand', (o) => args(o).with(0, { dataType: 'float32', shape: [] }), WRONG],
    ['one argument less', (o) => withoutOptions(args(o)).slice(0, -1), WRONG],
    ['a number for the options', (o) => [...withoutOptions(args(o)), 1], WRONG],
    ['a label that is a symbol', (o) => [...withoutOptions(args(o)), { label: Symbol('x') }], WRONG],
  ];
}

function withoutOptions(args: readonly unknown[]): readonly unknown[] {
  const isOptions = Object.getPrototypeOf(args.at(-1) ?? null) === Object.prototype;
  return isOptions ? args.slice(0, -1) : args;
}

/** By family: a file each. */
export const FAMILIES = {
  activation: ACTIVATION,
  convolution: CONVOLUTION,
  elementwise: ELEMENTWISE,
  indexing: INDEXING,
  logic: LOGIC,
  matrix: MATRIX,
  movement: MOVEMENT,
  normalization: NORMALIZATION,
  pooling: POOLING,
  quantization: QUANTIZATION,
  recurrent: RECURRENT,
  reduction: REDUCTION,
  resampling: RESAMPLING,
} as const satisfies Record<string, Cases>;

const OWN: Cases = Object.assign({}, ...Object.values<Cases>(FAMILIES));

export const CASES: Cases = Object.fromEntries(
  Object.entries(OWN).map(([op, cases]) => [op, [...cases, ...broken(cases[0] as Case)]]),
);
