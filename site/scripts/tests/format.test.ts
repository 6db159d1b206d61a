import { describe, expect, it } from 'vitest';
import { formatBytes, formatCount, formatDifference, formatMilliseconds, formatPercent } from '../common/format.js';

describe('number formats', () => {
  it.each([
    [0, '0 B'],
    [999, '999 B'],
    [1000, '1.0 kB'],
    [99_960, '100 kB'],
    [999_499, '999 kB'],
    [999_500, '1.0 MB'],
    [2_780_051, '2.8 MB'],
    [5e12, '5000 GB'],
  ])('%d bytes', (sizeBytes, text) => expect(formatBytes(sizeBytes)).toBe(text));

  it.each([
    [0.4249, '0.42 ms'],
    [9.997, '10.0 ms'],
    [42.66, '42.7 ms'],
    [427.2, '427 ms'],
    [9999, '9999 ms'],
    [12_340, '12.3 s'],
  ])('%d ms', (milliseconds, text) => expect(formatMilliseconds(milliseconds)).toBe(text));

  it('formats counts, shares and differences', () => {
    expect([0, 999, 12_345, 1_234_567].map(formatCount)).toEqual(['0', '999', '12,345', '1,234,567']);
    expect(formatPercent(0.4567)).toBe('45.7%');
    expect(formatDifference(3.14e-7)).toBe('3.1e-7');
    expect(formatDifference(0)).toBe('0');
  });
});
