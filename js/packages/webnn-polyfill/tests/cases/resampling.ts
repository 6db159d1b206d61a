import type { Cases } from './case.js';
import { WRONG } from './case.js';

export const RESAMPLING: Cases = {
  resample2d: [
    ['defaults', (o) => [o.f(1, 1, 2, 4)], 'float32 [1,1,2,4]'],
    ['scales', (o) => [o.f(1, 1, 2, 4), { scales: [2, 1.5] }], 'float32 [1,1,4,6]'],
    ['scales are rounded down', (o) => [o.f(1, 1, 5, 5), { scales: [0.5, 0.5] }], 'float32 [1,1,2,2]'],
    ['sizes go before scales', (o) => [o.f(1, 1, 2, 4), { scales: [2, 2], sizes: [3, 6] }], 'float32 [1,1,3,6]'],
    ['axes', (o) => [o.f(1, 2, 4, 1), { scales: [2, 2], axes: [1, 2] }], 'float32 [1,4,8,1]'],
    ['linear', (o) => [o.f(1, 1, 2, 4), { mode: 'linear' }], 'float32 [1,1,2,4]'],
    ['an unknown mode', (o) => [o.f(1, 1, 2, 4), { mode: 'cubic' }], WRONG],
    ['one scale', (o) => [o.f(1, 1, 2, 4), { scales: [2] }], WRONG],
    ['a negative scale', (o) => [o.f(1, 1, 2, 4), { scales: [1, -1] }], WRONG],
    ['a scale of zero', (o) => [o.f(1, 1, 2, 4), { scales: [0, 1] }], WRONG],
    ['a scale that leaves nothing', (o) => [o.f(1, 1, 2, 4), { scales: [0.1, 1] }], WRONG],
    ['a scale that is infinite', (o) => [o.f(1, 1, 2, 4), { scales: [Number.POSITIVE_INFINITY, 1] }], WRONG],
    ['one size', (o) => [o.f(1, 1, 2, 4), { sizes: [2] }], WRONG],
    ['a size of zero', (o) => [o.f(1, 1, 2, 4), { sizes: [0, 2] }], WRONG],
    ['three axes', (o) => [o.f(1, 1, 2, 4), { axes: [1, 2, 3] }], WRONG],
    ['an axis twice', (o) => [o.f(1, 1, 2, 4), { axes: [2, 2] }], WRONG],
    ['an axis out of range', (o) => [o.f(1, 1, 2, 4), { axes: [3, 4] }], WRONG],
    ['an input of rank 5', (o) => [o.f(1, 1, 1, 2, 4)], WRONG],
    ['integers', (o) => [o.i(1, 1, 2, 4)], WRONG],
  ],
};
