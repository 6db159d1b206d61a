import type { Cases } from './case.js';
import { WRONG } from './case.js';

export const INDEXING: Cases = {
  gather: [
    ['the first axis', (o) => [o.f(4, 3), o.i(5, 2)], 'float32 [5,2,3]'],
    ['another axis', (o) => [o.f(4, 3), o.i(2), { axis: 1 }], 'float32 [4,2]'],
    ['one index', (o) => [o.f(4, 3), o.i()], 'float32 [3]'],
    ['an axis out of range', (o) => [o.f(4, 3), o.i(2), { axis: 2 }], WRONG],
    ['a scalar', (o) => [o.f(), o.i(2)], WRONG],
    ['indices of floats', (o) => [o.f(4, 3), o.f(2)], WRONG],
  ],
  gatherElements: [
    ['the first axis', (o) => [o.f(4, 3), o.i(2, 3)], 'float32 [2,3]'],
    ['another axis', (o) => [o.f(4, 3), o.i(4, 1), { axis: 1 }], 'float32 [4,1]'],
    ['indices of another size', (o) => [o.f(4, 3), o.i(2, 2)], WRONG],
    ['indices of another rank', (o) => [o.f(4, 3), o.i(2)], WRONG],
    ['an axis out of range', (o) => [o.f(4, 3), o.i(4, 3), { axis: 2 }], WRONG],
    ['indices of floats', (o) => [o.f(4, 3), o.f(4, 3)], WRONG],
  ],
  gatherND: [
    ['rows', (o) => [o.f(4, 3), o.i(2, 1)], 'float32 [2,3]'],
    ['elements', (o) => [o.f(4, 3), o.i(5, 2)], 'float32 [5]'],
    ['more coordinates than axes', (o) => [o.f(4, 3), o.i(2, 3)], WRONG],
    ['a scalar', (o) => [o.f(), o.i(1)], WRONG],
    ['indices of floats', (o) => [o.f(4, 3), o.f(2, 1)], WRONG],
  ],
  scatterElements: [
    ['the first axis', (o) => [o.f(4, 3), o.i(2, 3), o.f(2, 3)], 'float32 [4,3]'],
    ['another axis', (o) => [o.f(4, 3), o.i(4, 1), o.f(4, 1), { axis: 1 }], 'float32 [4,3]'],
    ['updates of another shape', (o) => [o.f(4, 3), o.i(2, 3), o.f(1, 3)], WRONG],
    ['updates of another type', (o) => [o.f(4, 3), o.i(2, 3), o.i(2, 3)], WRONG],
    ['indices of another rank', (o) => [o.f(4, 3), o.i(3), o.f(3)], WRONG],
    ['indices of another size', (o) => [o.f(4, 3), o.i(2, 2), o.f(2, 2)], WRONG],
    ['an axis out of range', (o) => [o.f(4, 3), o.i(4, 3), o.f(4, 3), { axis: 2 }], WRONG],
    ['indices of floats', (o) => [o.f(4, 3), o.f(2, 3), o.f(2, 3)], WRONG],
  ],
  scatterND: [
    ['rows', (o) => [o.f(4, 3), o.i(2, 1), o.f(2, 3)], 'float32 [4,3]'],
    ['elements', (o) => [o.f(4, 3), o.i(5, 2), o.f(5)], 'float32 [4,3]'],
    ['updates of another shape', (o) => [o.f(4, 3), o.i(2, 1), o.f(2)], WRONG],
    ['updates of another type', (o) => [o.f(4, 3), o.i(2, 1), o.i(2, 3)], WRONG],
    ['more coordinates than axes', (o) => [o.f(4, 3), o.i(2, 3), o.f(2)], WRONG],
    ['a scalar', (o) => [o.f(), o.i(1), o.f()], WRONG],
  ],
};
