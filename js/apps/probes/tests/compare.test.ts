import { describe, expect, test } from 'vitest';
import { errorOf, type Output } from '../src/compare.js';

const EXACT = { ulps: 0, floor: 0 };
const ROUNDED = { ulps: 2, floor: 0 };

function float32(...values: number[]): Output {
  return output('float32', new Uint8Array(Float32Array.from(values).buffer), values.length);
}

function float16(...bits: number[]): Output {
  return output('float16', new Uint8Array(Uint16Array.from(bits).buffer), bits.length);
}

function output(dataType: string, bytes: Uint8Array, count: number): Output {
  return { dataType, shape: [count], data: btoa(String.fromCharCode(...bytes)) };
}

describe('errorOf', () => {
  test.each([
    ['the same bits', float32(1, Number.NaN), float32(1, Number.NaN), EXACT],
    ['two units in the last place', float32(1 + 2 ** -22), float32(1), ROUNDED],
    ['zeros of either sign', float32(-0), float32(0), EXACT],
    ['an error below the floor', float32(1e-6), float32(0), { ulps: 40, floor: 1 }],
    ['two units of float16', float16(0x3c02), float16(0x3c00), ROUNDED],
    ['a subnormal float16', float16(0x0001), float16(0x0001), EXACT],
  ])('accepts %s', (_, found, expected, tolerance) => {
    expect(errorOf([found], [expected], tolerance)).toBe('');
  });

  test.each([
    [
      'three units',
      float32(1 + 3 * 2 ** -23),
      float32(1),
      '1 of 1 differ, the first is 1.0000003576278687 instead of 1',
    ],
    ['infinity for a number', float32(2, 1 / 0), float32(2, 3), '1 of 2 differ, the first is Infinity instead of 3'],
    ['NaN for a number', float32(Number.NaN), float32(1), '1 of 1 differ, the first is NaN instead of 1'],
    [
      'three units of float16',
      float16(0x3c03),
      float16(0x3c00),
      '1 of 1 differ, the first is 1.0029296875 instead of 1',
    ],
    ['another type', float16(0x3c00), float32(1), 'float16[1] instead of float32[1]'],
    ['another shape', float32(1, 2), float32(1), 'float32[2] instead of float32[1]'],
    [
      'another integer',
      output('int8', Uint8Array.of(1, 2), 2),
      output('int8', Uint8Array.of(1, 3), 2),
      '1 of 2 bytes differ',
    ],
  ])('rejects %s', (_, found, expected, message) => {
    expect(errorOf([found], [expected], ROUNDED)).toBe(message);
  });

  test('rejects a missing output', () => {
    expect(errorOf([], [float32(1)], EXACT)).toBe('0 outputs instead of 1');
  });
});
