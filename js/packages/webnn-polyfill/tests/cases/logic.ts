import type { Case, Cases } from './case.js';
import { WRONG } from './case.js';
import { binary } from './shared.js';

const LOGICAL: readonly Case[] = [
  ['equal shapes', (o) => [o.u(2, 3), o.u(2, 3)], 'uint8 [2,3]'],
  ['b is broadcast', (o) => [o.u(2, 3), o.u(3)], 'uint8 [2,3]'],
  ['floats', (o) => [o.f(2), o.f(2)], WRONG],
  ['shapes that do not broadcast', (o) => [o.u(2, 3), o.u(2)], WRONG],
];

const PREDICATE: readonly Case[] = [
  ['floats', (o) => [o.f(2, 3)], 'uint8 [2,3]'],
  ['integers', (o) => [o.i(2)], WRONG],
];

export const LOGIC: Cases = {
  equal: binary('uint8'),
  notEqual: binary('uint8'),
  greater: binary('uint8'),
  greaterOrEqual: binary('uint8'),
  lesser: binary('uint8'),
  lesserOrEqual: binary('uint8'),
  logicalNot: [
    ['booleans', (o) => [o.u(2, 3)], 'uint8 [2,3]'],
    ['floats', (o) => [o.f(2)], WRONG],
  ],
  logicalAnd: LOGICAL,
  logicalOr: LOGICAL,
  logicalXor: LOGICAL,
  isNaN: PREDICATE,
  isInfinite: PREDICATE,
  where: [
    ['equal shapes', (o) => [o.u(2, 3), o.f(2, 3), o.f(2, 3)], 'float32 [2,3]'],
    ['all are broadcast', (o) => [o.u(2, 1, 1), o.f(3, 1), o.f(4)], 'float32 [2,3,4]'],
    ['a condition of floats', (o) => [o.f(2), o.f(2), o.f(2)], WRONG],
    ['values of two types', (o) => [o.u(2), o.f(2), o.i(2)], WRONG],
    ['values that do not broadcast', (o) => [o.u(2), o.f(2), o.f(3)], WRONG],
    ['a condition that does not broadcast', (o) => [o.u(3), o.f(2), o.f(2)], WRONG],
  ],
};
