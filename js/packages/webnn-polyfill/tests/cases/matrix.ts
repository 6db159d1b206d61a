import type { Cases } from './case.js';
import { WRONG } from './case.js';

export const MATRIX: Cases = {
  gemm: [
    ['two matrices', (o) => [o.f(2, 3), o.f(3, 4)], 'float32 [2,4]'],
    ['transposed ones', (o) => [o.f(3, 2), o.f(4, 3), { aTranspose: true, bTranspose: true }], 'float32 [2,4]'],
    ['c is a scalar', (o) => [o.f(2, 3), o.f(3, 4), { c: o.f() }], 'float32 [2,4]'],
    ['c is a row', (o) => [o.f(2, 3), o.f(3, 4), { c: o.f(4) }], 'float32 [2,4]'],
    ['c is a column', (o) => [o.f(2, 3), o.f(3, 4), { c: o.f(2, 1) }], 'float32 [2,4]'],
    ['c does not broadcast', (o) => [o.f(2, 3), o.f(3, 4), { c: o.f(2) }], WRONG],
    ['c is too large', (o) => [o.f(1, 3), o.f(3, 4), { c: o.f(2, 4) }], WRONG],
    ['c of another type', (o) => [o.f(2, 3), o.f(3, 4), { c: o.i(4) }], WRONG],
    ['alpha and beta', (o) => [o.f(2, 3), o.f(3, 4), { alpha: 0.5, beta: -2 }], 'float32 [2,4]'],
    ['an alpha that is infinite', (o) => [o.f(2, 3), o.f(3, 4), { alpha: Number.NEGATIVE_INFINITY }], WRONG],
    ['sizes that do not fit', (o) => [o.f(2, 3), o.f(4, 3)], WRONG],
    ['three dimensions', (o) => [o.f(1, 2, 3), o.f(3, 4)], WRONG],
    ['other types', (o) => [o.f(2, 3), o.i(3, 4)], WRONG],
    ['integers', (o) => [o.i(2, 3), o.i(3, 4)], WRONG],
  ],
  matmul: [
    ['two matrices', (o) => [o.f(2, 3), o.f(3, 4)], 'float32 [2,4]'],
    ['batches', (o) => [o.f(5, 2, 3), o.f(5, 3, 4)], 'float32 [5,2,4]'],
    ['batches that are broadcast', (o) => [o.f(5, 1, 2, 3), o.f(6, 3, 4)], 'float32 [5,6,2,4]'],
    ['one matrix for all batches', (o) => [o.f(2, 3), o.f(5, 3, 4)], 'float32 [5,2,4]'],
    ['batches that do not broadcast', (o) => [o.f(5, 2, 3), o.f(4, 3, 4)], WRONG],
    ['sizes that do not fit', (o) => [o.f(2, 3), o.f(2, 3)], WRONG],
    ['a vector', (o) => [o.f(3), o.f(3, 4)], WRONG],
    ['other types', (o) => [o.f(2, 3), o.i(3, 4)], WRONG],
  ],
};
