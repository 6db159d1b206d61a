/** Cases shared by operators of several families. */

import { type Case, type Operands, WRONG } from './case.js';

const LABEL = { label: 'x' };

export function unary(wrongType: 'int32' | 'uint8' | null = 'int32'): readonly Case[] {
  const cases: Case[] = [
    ['an image', (o) => [o.f(1, 2, 3)], 'float32 [1,2,3]'],
    ['a scalar', (o) => [o.f()], 'float32 []'],
    ['a label', (o) => [o.f(2), LABEL], 'float32 [2]'],
    ['undefined options', (o) => [o.f(2), undefined], 'float32 [2]'],
    ['null options', (o) => [o.f(2), null], 'float32 [2]'],
  ];
  return wrongType === null ? cases : [...cases, [`${wrongType} values`, (o) => [o.of(wrongType, 2)], WRONG]];
}

export function alpha(name = 'alpha'): readonly Case[] {
  return [
    ...unary(),
    [`a negative ${name}`, (o) => [o.f(2), { [name]: -1 }], 'float32 [2]'],
    [`${name} is a string of a number`, (o) => [o.f(2), { [name]: '0.5' }], 'float32 [2]'],
    [`${name} is NaN`, (o) => [o.f(2), { [name]: Number.NaN }], WRONG],
    [`${name} is infinite`, (o) => [o.f(2), { [name]: Number.POSITIVE_INFINITY }], WRONG],
    [`${name} is a bigint`, (o) => [o.f(2), { [name]: 1n }], WRONG],
    [`${name} is no number`, (o) => [o.f(2), { [name]: 'a' }], WRONG],
  ];
}

export function binary(dataType = 'float32'): readonly Case[] {
  return [
    ['equal shapes', (o) => [o.f(2, 3), o.f(2, 3)], `${dataType} [2,3]`],
    ['a is broadcast', (o) => [o.f(3), o.f(2, 3)], `${dataType} [2,3]`],
    ['b is broadcast', (o) => [o.f(2, 3), o.f(2, 1)], `${dataType} [2,3]`],
    ['both are broadcast', (o) => [o.f(2, 1), o.f(4, 1, 3)], `${dataType} [4,2,3]`],
    ['a scalar', (o) => [o.f(2, 3), o.f()], `${dataType} [2,3]`],
    ['shapes that do not broadcast', (o) => [o.f(2, 3), o.f(2)], WRONG],
    ['two types', (o) => [o.f(2), o.i(2)], WRONG],
    ['a number for b', (o) => [o.f(2), 1], WRONG],
  ];
}

/** Options that move a window, for conv2d and pooling. */
export function windowMoves(
  call: (o: Operands, options: unknown) => unknown[],
  outcomes: readonly [string, string],
): Case[] {
  const [padded, strided] = outcomes;
  return [
    ['padding', (o) => call(o, { padding: [1, 1, 1, 1] }), padded],
    ['strides', (o) => call(o, { strides: [2, 2] }), strided],
    ['three paddings', (o) => call(o, { padding: [1, 1, 1] }), WRONG],
    ['a negative padding', (o) => call(o, { padding: [-1, 0, 0, 0] }), WRONG],
    ['a padding out of range', (o) => call(o, { padding: [2 ** 32, 0, 0, 0] }), WRONG],
    ['padding that is no sequence', (o) => call(o, { padding: 1 }), WRONG],
    ['padding that is a set', (o) => call(o, { padding: new Set([1, 2, 0, 3]) }), padded],
    ['one stride', (o) => call(o, { strides: [1] }), WRONG],
    ['a stride of zero', (o) => call(o, { strides: [0, 1] }), WRONG],
    ['three dilations', (o) => call(o, { dilations: [1, 1, 1] }), WRONG],
    ['a dilation of zero', (o) => call(o, { dilations: [1, 0] }), WRONG],
    ['a dilated window that does not fit', (o) => call(o, { dilations: [3, 3] }), WRONG],
  ];
}

export const AXES: readonly Case[] = [
  ['an axis out of range', (o) => [o.f(2, 3), { axes: [2] }], WRONG],
  ['an axis twice', (o) => [o.f(2, 3), { axes: [1, 1] }], WRONG],
  ['a negative axis', (o) => [o.f(2, 3), { axes: [-1] }], WRONG],
];
