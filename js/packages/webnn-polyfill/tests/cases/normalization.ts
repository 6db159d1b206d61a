import type { Case, Cases, Operands } from './case.js';
import { WRONG } from './case.js';

const scaled = (o: Operands, options: object) => [o.f(1, 2, 3, 4), options];

function perChannel(call: (o: Operands, options: object) => unknown[], channels: number, outcome: string): Case[] {
  return ['scale', 'bias'].flatMap((name): Case[] => [
    [name, (o) => call(o, { [name]: o.f(channels) }), outcome],
    [`${name} of another size`, (o) => call(o, { [name]: o.f(channels + 1) }), WRONG],
    [`${name} of another rank`, (o) => call(o, { [name]: o.f(channels, 1) }), WRONG],
    [`${name} of another type`, (o) => call(o, { [name]: o.i(channels) }), WRONG],
  ]);
}

const batch = (o: Operands, options: object) => [o.f(1, 2, 3, 4), o.f(2), o.f(2), options];

export const NORMALIZATION: Cases = {
  batchNormalization: [
    ['defaults', (o) => [o.f(1, 2, 3, 4), o.f(2), o.f(2)], 'float32 [1,2,3,4]'],
    ['an axis', (o) => [o.f(1, 2, 3, 4), o.f(4), o.f(4), { axis: 3 }], 'float32 [1,2,3,4]'],
    ['an axis out of range', (o) => batch(o, { axis: 4 }), WRONG],
    ['a mean of another size', (o) => [o.f(1, 2, 3, 4), o.f(3), o.f(2)], WRONG],
    ['a mean of another rank', (o) => [o.f(1, 2, 3, 4), o.f(2, 1), o.f(2)], WRONG],
    ['a variance of another type', (o) => [o.f(1, 2, 3, 4), o.f(2), o.i(2)], WRONG],
    ['an epsilon that is NaN', (o) => batch(o, { epsilon: Number.NaN }), WRONG],
    ['integers', (o) => [o.i(1, 2, 3, 4), o.i(2), o.i(2)], WRONG],
    ...perChannel(batch, 2, 'float32 [1,2,3,4]'),
  ],
  instanceNormalization: [
    ['defaults', (o) => [o.f(1, 2, 3, 4)], 'float32 [1,2,3,4]'],
    ['nhwc', (o) => scaled(o, { layout: 'nhwc', scale: o.f(4) }), 'float32 [1,2,3,4]'],
    ['an input of rank 3', (o) => [o.f(1, 2, 3)], WRONG],
    ['integers', (o) => [o.i(1, 2, 3, 4)], WRONG],
    ...perChannel(scaled, 2, 'float32 [1,2,3,4]'),
  ],
  layerNormalization: [
    ['defaults', (o) => [o.f(2, 3, 4)], 'float32 [2,3,4]'],
    ['a scalar', (o) => [o.f()], 'float32 []'],
    ['a scale for the default axes', (o) => [o.f(2, 3, 4), { scale: o.f(3, 4) }], 'float32 [2,3,4]'],
    ['a scale in the order of the axes', (o) => [o.f(2, 3, 4), { axes: [2, 0], scale: o.f(4, 2) }], 'float32 [2,3,4]'],
    ['a bias of another shape', (o) => [o.f(2, 3, 4), { axes: [2], bias: o.f(3) }], WRONG],
    ['a scale of another type', (o) => [o.f(2, 3, 4), { axes: [2], scale: o.i(4) }], WRONG],
    ['an axis out of range', (o) => [o.f(2, 3), { axes: [2] }], WRONG],
    ['an axis twice', (o) => [o.f(2, 3), { axes: [1, 1] }], WRONG],
    ['integers', (o) => [o.i(2, 3)], WRONG],
  ],
  softmax: [
    ['an axis', (o) => [o.f(2, 3, 4), 1], 'float32 [2,3,4]'],
    ['an axis out of range', (o) => [o.f(2, 3), 2], WRONG],
    ['no axis', (o) => [o.f(2, 3)], 'float32 [2,3]'],
    ['no axis, and a label', (o) => [o.f(2, 3), { label: 'x' }], 'float32 [2,3]'],
    ['no axis of three', (o) => [o.f(2, 3, 4), { label: 'x' }], WRONG],
    ['an axis that is no number', (o) => [o.f(2, 3), 'x'], WRONG],
    ['a scalar', (o) => [o.f(), 0], WRONG],
    ['integers', (o) => [o.i(2, 3), 0], WRONG],
  ],
};
