/** Requirements for XNNPACK to skip products with zero: a sparse tensor, and DEPTH_TO_SPACE as one node. */

import { describe, expect, it } from 'vitest';
import type { MLOperand } from 'webnn-polyfill';
import { linesOf, newBuilder } from './recorder.js';

function operators(lines: readonly string[]): string[] {
  return lines.map((line) => /[A-Z][A-Z_0-9]{2,}/.exec(line)?.[0] ?? line);
}

describe('filters that are mostly zero', () => {
  /** Two convolutions; their filters have that many rows and columns, and leading zeros. */
  function convolutions(size: number, zeros: number): string[] {
    const builder = newBuilder();
    const filter = () => {
      const values = new Float32Array(8 * size * size * 8).fill(1).fill(0, 0, zeros);
      return builder.constant({ dataType: 'float32', shape: [8, size, size, 8] }, values);
    };
    const options = { inputLayout: 'nhwc', filterLayout: 'ohwi' } as const;
    const input = builder.input('x', { dataType: 'float32', shape: [1, 5, 5, 8] });
    return operators(linesOf(builder, [builder.conv2d(builder.conv2d(input, filter(), options), filter(), options)]));
  }

  it('are recognized by one of them', () => {
    expect(convolutions(1, 43)).toEqual(['DENSIFY', 'CONV_2D', 'CONV_2D']);
  });

  it('are not, where XNNPACK has nothing to gain', () => {
    expect(convolutions(1, 42)).toEqual(['CONV_2D', 'CONV_2D']);
    expect(convolutions(3, 500)).toEqual(['CONV_2D', 'CONV_2D']);
  });
});

describe('reshape, transpose and reshape', () => {
  const IMAGE = [1, 2, 3, 8];

  function lowered(blocks: number[], permutation: number[], shape: number[], image = IMAGE): string[] {
    const builder = newBuilder();
    const input: MLOperand = builder.input('x', { dataType: 'float32', shape: image });
    const result = builder.reshape(builder.transpose(builder.reshape(input, blocks), { permutation }), shape);
    return operators(linesOf(builder, [result]));
  }

  it('become one DEPTH_TO_SPACE', () => {
    expect(lowered([2, 3, 2, 4], [0, 2, 1, 3], [1, 4, 6, 2])).toEqual(['DEPTH_TO_SPACE']);
  });

  it.each<[string, number[], number[], number[], number[]?]>([
    ['another order', [2, 3, 2, 4], [0, 1, 2, 3].reverse(), [1, 4, 6, 2]],
    ['another shape', [2, 3, 2, 4], [0, 2, 1, 3], [1, 4, 2, 6]],
    ['another rank', [2, 3, 2, 4], [0, 2, 1, 3], [4, 6, 2]],
    ['blocks that are not square', [2, 3, 4, 2], [0, 2, 1, 3], [1, 8, 6, 1]],
    ['a batch', [2, 3, 2, 4], [0, 2, 1, 3], [1, 4, 6, 2], [2, 1, 3, 8]],
  ])('are not: %s', (_, blocks, permutation, shape, image) => {
    expect(lowered(blocks, permutation, shape, image)).toEqual(['RESHAPE', 'TRANSPOSE', 'RESHAPE']);
  });
});
