/** graphToTFLite(): files of a builder's graph. */

import { expect, it } from 'vitest';
import { graphToTFLite } from 'webnn-polyfill';
import { newBuilder } from './recorder.js';

const FLOATS = { dataType: 'float32', shape: [3000] } as const;

it('returns a file, and the builder goes on', () => {
  const builder = newBuilder();
  const x = builder.input('x', FLOATS);
  const sum = builder.add(x, builder.constant(FLOATS, new Float32Array(3000).fill(7)));
  const file = graphToTFLite(builder, { sum });
  expect(new TextDecoder().decode(file.subarray(4, 8))).toBe('TFL3');
  // The constant is at the end, aligned, and nothing follows it.
  expect(file.byteLength % 16).toBe(0);
  expect(new Float32Array(file.buffer, file.byteLength - 12_000)).toEqual(new Float32Array(3000).fill(7));
  expect(graphToTFLite(builder, { twice: builder.add(sum, sum) }).byteLength).toBeGreaterThan(12_000);
});

it('rejects what build() rejects', () => {
  const builder = newBuilder();
  const x = builder.input('x', FLOATS);
  expect(() => graphToTFLite(builder, { x })).toThrow(TypeError);
  expect(() => graphToTFLite(builder, {})).toThrow(TypeError);
  expect(() => graphToTFLite({}, { x })).toThrow("not of type 'MLGraphBuilder'");
});

it('rejects transposed convolutions whose groups do not divide the channels', () => {
  const builder = newBuilder();
  const image = builder.input('x', { dataType: 'float32', shape: [1, 1, 3, 3] });
  const filter = builder.constant({ dataType: 'float32', shape: [1, 1, 3, 3] }, new Float32Array(9));
  const result = builder.convTranspose2d(image, filter, { groups: 3 });
  expect(() => graphToTFLite(builder, { result })).toThrow('the 3 groups do not divide the 1 channels');
});
