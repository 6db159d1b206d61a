/** Conversions of values to those of Web IDL. */

import { expect, test } from 'vitest';
import { allowSharedBufferSource, record } from '../src/webidl/conversions.js';

const convert = record((value) => Number(value));

test('a record is converted as it is at the moment', () => {
  for (const provided of [{ a: 1 }, Object.seal({ a: 1 })]) {
    expect([...convert(provided, 'it')]).toEqual([['a', 1]]);
    provided.a = 2;
    expect([...convert(provided, 'it')]).toEqual([['a', 2]]);
  }
});

test('a frozen record is converted once', () => {
  const provided = Object.freeze({ a: 1, b: 2 });
  expect([...convert(provided, 'it')].flat()).toEqual(['a', 1, 'b', 2]);
  expect(convert(provided, 'it')).toBe(convert(provided, 'it'));
});

test('a frozen record that computes its values is read each time', () => {
  let count = 0;
  const provided = Object.freeze(Object.defineProperty({}, 'a', { enumerable: true, get: () => ++count }));
  expect([...convert(provided, 'it')]).toEqual([['a', 1]]);
  expect([...convert(provided, 'it')]).toEqual([['a', 2]]);
});

test('symbols are no names, in a frozen record neither', () => {
  for (const provided of [{ [Symbol('a')]: 1 }, Object.freeze({ [Symbol('a')]: 1 })]) {
    expect(() => convert(provided, 'it')).toThrow(/symbols/);
    expect(() => convert(provided, 'it')).toThrow(/symbols/);
  }
});

test('buffers whose length may change are none, nor are views of them', () => {
  type Resizable<B> = new (byteLength: number, options: { maxByteLength: number }) => B;
  const resizable = new (ArrayBuffer as Resizable<ArrayBuffer>)(8, { maxByteLength: 16 });
  const growable = new (SharedArrayBuffer as Resizable<SharedArrayBuffer>)(8, { maxByteLength: 16 });
  for (const value of [resizable, growable, new Uint8Array(resizable, 0, 8), new DataView(growable)]) {
    expect(() => allowSharedBufferSource(value, 'it')).toThrow(TypeError);
  }
  for (const value of [new ArrayBuffer(8), new SharedArrayBuffer(8), new Uint8Array(8)]) {
    expect(allowSharedBufferSource(value, 'it')).toBe(value);
  }
});
