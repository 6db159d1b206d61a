import type { Cases } from './case.js';
import { binary } from './shared.js';

export const ARITHMETIC: Cases = {
  add: binary(),
  sub: binary(),
  mul: binary(),
  div: binary(),
  max: binary(),
  min: binary(),
  pow: binary(),
};
