import { type Cases, WRONG } from './case.js';
import { binary, unary } from './shared.js';

export const ELEMENTWISE: Cases = {
  abs: unary('uint8'),
  cast: [
    ['to int32', (o) => [o.f(2, 3), 'int32'], 'int32 [2,3]'],
    ['to a type that is none', (o) => [o.f(2), 'float'], WRONG],
    ['to nothing', (o) => [o.f(2)], WRONG],
  ],
  ceil: unary(),
  cos: unary(),
  erf: unary(),
  exp: unary(),
  floor: unary(),
  identity: unary(null),
  log: unary(),
  neg: unary('uint8'),
  reciprocal: unary(),
  roundEven: unary(),
  sign: unary('uint8'),
  sin: unary(),
  sqrt: unary(),
  tan: unary(),
  add: binary(),
  sub: binary(),
  mul: binary(),
  div: binary(),
  max: binary(),
  min: binary(),
  pow: binary(),
};
