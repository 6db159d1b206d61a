/** Compares a tensor with its reference by the tolerance of its case, as web_tests/polyfill_cases/case.py does. */

import type { ProbeTensor, Tolerance } from './probe_case.js';

/** Decodes base64. */
export function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}

/** Encodes as base64. */
export function base64Of(buffer: ArrayBuffer): string {
  let text = '';
  for (const byte of new Uint8Array(buffer)) text += String.fromCharCode(byte);
  return btoa(text);
}

/** The numbers of a float tensor. */
export function floatsOf(dataType: 'float32' | 'float16', bytes: Uint8Array<ArrayBuffer>): ArrayLike<number> {
  return dataType === 'float32' ? new Float32Array(bytes.buffer) : Array.from(new Uint16Array(bytes.buffer), ofHalf);
}

function ofHalf(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 0x1f;
  const fraction = bits & 0x3ff;
  if (exponent === 0x1f) return fraction ? Number.NaN : sign * Number.POSITIVE_INFINITY;
  return sign * (exponent === 0 ? fraction * 2 ** -24 : (1 + fraction / 1024) * 2 ** (exponent - 15));
}

/** A computed tensor; `data` is base64. */
export type Output = Pick<ProbeTensor, 'dataType' | 'shape' | 'data'>;

/** The distance from 1 to the next number. */
const EPSILON = { float32: 2 ** -23, float16: 2 ** -10 };

/** The first error of a list of tensors as a sentence; empty if there is none. */
export function errorOf(found: readonly Output[], expected: readonly Output[], tolerance: Tolerance): string {
  if (found.length !== expected.length) return `${found.length} outputs instead of ${expected.length}`;
  for (const [index, one] of expected.entries()) {
    const error = tensorError(found[index] as Output, one, tolerance);
    if (error) return error;
  }
  return '';
}

function tensorError(found: Output, expected: Output, tolerance: Tolerance): string {
  const [actualType, type] = [typeText(found), typeText(expected)];
  if (actualType !== type) return `${actualType} instead of ${type}`;
  if (found.data === expected.data) return '';
  const { dataType } = expected;
  if (dataType !== 'float32' && dataType !== 'float16') return integerError(found, expected);
  const actual = floatsOf(dataType, bytesOf(found.data));
  const values = Array.from(floatsOf(dataType, bytesOf(expected.data)));
  const wrong = values.flatMap((one, index) =>
    isWithin(actual[index] as number, one, tolerance, EPSILON[dataType]) ? [] : [index],
  );
  if (wrong.length === 0) return '';
  const [first] = wrong as [number];
  return `${wrong.length} of ${values.length} differ, the first is ${actual[first]} instead of ${values[first]}`;
}

function isWithin(actual: number, expected: number, { ulps, floor }: Tolerance, epsilon: number): boolean {
  if (Object.is(actual, expected) || actual === expected) return true;
  if (!Number.isFinite(actual) || !Number.isFinite(expected)) return false;
  return Math.abs(actual - expected) <= ulps * epsilon * Math.max(Math.abs(expected), floor);
}

/** Integers are compared as bytes: not every browser has arrays of 64-bit integers. */
function integerError(found: Output, expected: Output): string {
  const [actual, expectedBytes] = [bytesOf(found.data), bytesOf(expected.data)];
  const different = expectedBytes.filter((byte, index) => byte !== actual[index]).length;
  return `${different} of ${expectedBytes.length} bytes differ`;
}

function typeText({ dataType, shape }: Output): string {
  return `${dataType}[${shape.join(', ')}]`;
}
