import type { Cases } from './case.js';
import { WRONG } from './case.js';

export const QUANTIZATION: Cases = {
  dequantizeLinear: [
    ['one scale', (o) => [o.u(2, 6), o.f(1, 1), o.u(1, 1)], 'float32 [2,6]'],
    ['blocks', (o) => [o.u(2, 6), o.f(2, 3), o.u(2, 3)], 'float32 [2,6]'],
    ['a scalar', (o) => [o.u(), o.f(), o.u()], 'float32 []'],
    ['a scalar for all', (o) => [o.u(2, 6), o.f(), o.u()], 'float32 [2,6]'],
    ['fewer axes', (o) => [o.u(2, 6), o.f(3), o.u(3)], 'float32 [2,6]'],
    ['more axes', (o) => [o.u(6), o.f(1, 6), o.u(1, 6)], WRONG],
    ['fewer axes that are no blocks', (o) => [o.u(2, 6), o.f(4), o.u(4)], WRONG],
    ['four bits', (o) => [o.of('int4', 2, 6), o.f(2, 3), o.of('int4', 2, 3)], 'float32 [2,6]'],
    ['what are no blocks', (o) => [o.u(2, 6), o.f(1, 4), o.u(1, 4)], WRONG],
    ['other shapes', (o) => [o.u(2, 6), o.f(1, 1), o.u(1, 6)], WRONG],
    ['a zero point of another type', (o) => [o.u(2, 6), o.f(1, 1), o.of('int8', 1, 1)], WRONG],
    ['a scale of integers', (o) => [o.u(2, 6), o.i(1, 1), o.u(1, 1)], WRONG],
    ['floats', (o) => [o.f(2, 6), o.f(1, 1), o.f(1, 1)], WRONG],
  ],
  quantizeLinear: [
    ['one scale', (o) => [o.f(2, 6), o.f(1, 1), o.u(1, 1)], 'uint8 [2,6]'],
    ['int8', (o) => [o.f(2, 6), o.f(2, 1), o.of('int8', 2, 1)], 'int8 [2,6]'],
    ['fewer axes', (o) => [o.f(2, 6), o.f(1), o.u(1)], 'uint8 [2,6]'],
    ['more axes', (o) => [o.f(6), o.f(1, 1), o.u(1, 1)], WRONG],
    ['four bits', (o) => [o.f(2, 6), o.f(1, 1), o.of('int4', 1, 1)], 'int4 [2,6]'],
    ['what are no blocks', (o) => [o.f(2, 6), o.f(1, 4), o.u(1, 4)], WRONG],
    ['other shapes', (o) => [o.f(2, 6), o.f(1, 1), o.u(1, 6)], WRONG],
    ['a scale of another type', (o) => [o.f(2, 6), o.of('float16', 1, 1), o.u(1, 1)], WRONG],
    ['a zero point of floats', (o) => [o.f(2, 6), o.f(1, 1), o.f(1, 1)], WRONG],
  ],
};
