/** All cases: those of each operator, and the calls that are wrong for every one. */

import type { Case, Cases } from './case.js';
import { WRONG } from './case.js';
import { ELEMENTWISE } from './elementwise.js';
import { IMAGES } from './images.js';
import { INDEXING } from './indexing.js';
import { NETWORKS } from './networks.js';
import { SHAPES } from './shapes.js';

/** Breaks the first case of an operator, which is a right one. */
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

const OWN: Cases = { ...ELEMENTWISE, ...IMAGES, ...INDEXING, ...NETWORKS, ...SHAPES };

export const CASES: Cases = Object.fromEntries(
  Object.entries(OWN).map(([op, cases]) => [op, [...cases, ...broken(cases[0] as Case)]]),
);
