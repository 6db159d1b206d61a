import { topK } from '@tflite-webnn/media/results';
import { OptionError, TFLiteWebnnError } from 'tflite-webnn';
import { describe, expect, it } from 'vitest';

const SCORES = { data: Float32Array.of(0.1, 0.5, 0.75, 0.5, 0.2, 0.05), shape: [1, 6] };
const LABELS = ['cat', 'dog', 'cow', 'elk', 'bee', 'ant'];

describe('topK', () => {
  it('orders by score, ties by index, and returns five without k', () => {
    const found = topK(SCORES, { labels: LABELS });
    expect(found.map(({ label }) => label)).toEqual(['cow', 'dog', 'elk', 'bee', 'cat']);
    expect(found[0]).toEqual({ index: 2, score: 0.75, label: 'cow' });
  });

  it('has at most k, and at least the threshold', () => {
    expect(topK(SCORES, { k: 2 }).map(({ index }) => index)).toEqual([2, 1]);
    expect(topK(SCORES, { threshold: 0.5 }).map(({ index }) => index)).toEqual([2, 1, 3]);
    expect(topK(SCORES, { k: 0 })).toEqual([]);
    expect(topK(SCORES, { k: 99 })).toHaveLength(6);
  });

  it('sorts many classes once, in whatever order they are', () => {
    const data = Float32Array.from({ length: 300_000 }, (_, index) => index); // an hour, if one by one is put in
    const shape = [1, data.length];
    expect(topK({ data, shape }, { k: Number.POSITIVE_INFINITY })).toHaveLength(data.length);
    expect(topK({ data, shape }, { k: 3 }).map(({ index }) => index)).toEqual([299_999, 299_998, 299_997]);
    const mixed = data.slice(0, 500).map((value) => (value * 7919) % 101);
    const expected = Array.from(mixed.keys()).sort((a, b) => (mixed[b] as number) - (mixed[a] as number));
    const found = topK({ data: mixed, shape: [500] }, { k: 37 });
    expect(found.map(({ index }) => index)).toEqual(expected.slice(0, 37));
  });

  it('names classes without labels by their numbers', () => {
    expect(topK(SCORES, { k: 1 })[0]?.label).toBe('class 2');
  });

  it('reads the allowed and denied names once', () => {
    let reads = 0;
    const names = Array.from({ length: 1000 }, (_, index) => `class ${index}`);
    const counted = new Proxy(names, {
      get(target, key) {
        reads++;
        return Reflect.get(target, key);
      },
    });
    const result = { data: new Float32Array(1000), shape: [1, 1000] };
    topK(result, { allow: counted, deny: counted });
    expect(reads).toBeLessThan(10_000); // a million, if it is searched for each class
  });

  it('accepts only allowed classes, and none that is denied', () => {
    expect(topK(SCORES, { labels: LABELS, allow: ['bee', 'ant'] }).map(({ label }) => label)).toEqual(['bee', 'ant']);
    expect(topK(SCORES, { labels: LABELS, deny: ['cow'], k: 1 })[0]?.label).toBe('dog');
  });

  it('returns real scores of quantized outputs, and others as they are', () => {
    const quantization = { scales: [0.5], zeroPoints: [10] };
    const found = topK({ data: Uint8Array.of(10, 12, 11), shape: [1, 3], quantization }, { k: 2 });
    expect(found.map(({ index, score }) => [index, score])).toEqual([
      [1, 1],
      [2, 0.5],
    ]);
    const without = { scales: [0.5], zeroPoints: [] };
    expect(topK({ data: Int8Array.of(3), shape: [1], quantization: without })[0]?.score).toBe(1.5);
    const doubles = { data: Float64Array.of(0.1), shape: [1], quantization };
    expect(topK(doubles)[0]?.score).toBe(0.1);
    const counts = topK({ data: BigInt64Array.of(3n, 7n), shape: [2] }, { k: 1 });
    expect(counts).toEqual([{ index: 1, score: 7, label: 'class 1' }]);
  });

  it('dequantizes each class by its own scale', () => {
    const quantization = { scales: [0.125, 1, 0.25], zeroPoints: [0, 4, 0], quantizedDimension: 1 };
    const found = topK({ data: Int8Array.of(16, 5, 12), shape: [1, 3], quantization }, { k: 3 });
    expect(found.map(({ index, score }) => [index, score])).toEqual([
      [2, 3],
      [0, 2],
      [1, 1],
    ]);
    const rows = {
      data: Int8Array.of(1, 2, 3, 4),
      shape: [2, 2],
      quantization: { scales: [1, 8], zeroPoints: [0, 0] },
    };
    const ofRows = { ...rows, quantization: { ...rows.quantization, quantizedDimension: 0 } };
    expect(topK(ofRows, { k: 4 }).map(({ score }) => score)).toEqual([32, 24, 2, 1]);
    expect(topK(rows, { k: 4 }).map(({ score }) => score)).toEqual([32, 16, 3, 1]);
  });

  it('reads the bits of float16', () => {
    const bits = Uint16Array.of(0xbc00, 0x3c00, 0x0001, 0x7c00, 0x4248, 0x7e00);
    const found = topK({ data: bits, dtype: 'float16', shape: [1, 6] }, { k: 6 });
    expect(found.map(({ index, score }) => [index, score])).toEqual([
      [3, Number.POSITIVE_INFINITY],
      [4, 3.140625],
      [1, 1],
      [2, 2 ** -24],
      [0, -1],
    ]);
  });

  it('leaves out what is NaN', () => {
    expect(topK({ data: Float32Array.of(Number.NaN, 0.5, Number.NaN), shape: [3] })).toHaveLength(1);
  });

  it('agrees with sorting', () => {
    const data = Float32Array.from({ length: 1000 }, (_, index) => ((index * 7919) % 1009) / 1009);
    const sorted = Array.from(data, (score, index) => ({ score, index })).sort((one, other) => other.score - one.score);
    const found = topK({ data, shape: [1, 1000] }, { k: 100 });
    expect(found.map(({ index }) => index)).toEqual(sorted.slice(0, 100).map(({ index }) => index));
  });

  const COUNT = 300;
  const full = (index: number) => ((index * 7919) % 251) - 125;
  const int8 = Int8Array.from({ length: COUNT }, (_, index) => full(index));
  const one = { scales: [0.03], zeroPoints: [-7] };
  const scales = Array.from({ length: COUNT }, (_, index) => 2 ** -(index % 9));
  const zeroPoints = Array.from({ length: COUNT }, (_, index) => (index % 5) - 2);
  const each = { scales, zeroPoints, quantizedDimension: 1 };
  // 0x3c00 + i and 0xbc00 + i are float16's numbers from 1 and from -1 on, in the order of their sizes.
  const half = (index: number) => (full(index) < 0 ? 0xbc00 - full(index) : 0x3c00 + full(index));

  it.each<[string, Omit<Parameters<typeof topK>[0], 'shape'>, (index: number) => number]>([
    ['integers of one scale', { data: int8, quantization: one }, (index) => (full(index) + 7) * 0.03],
    [
      'integers with a scale for each class',
      { data: int8, quantization: each },
      (index) => (full(index) - (zeroPoints[index] as number)) * (scales[index] as number),
    ],
    [
      'bits of float16',
      { data: Uint16Array.from(int8, (_, index) => half(index)), dtype: 'float16' },
      (index) => (full(index) < 0 ? -1 + full(index) / 1024 : 1 + full(index) / 1024),
    ],
    ['int64', { data: BigInt64Array.from(int8, (value) => BigInt(value) << 40n) }, (index) => full(index) * 2 ** 40],
  ])('ranks %s by the numbers that they mean', (_, provided, meaningOf) => {
    const expected = Array.from(int8, (_, index) => ({ score: meaningOf(index), index }));
    expected.sort((first, second) => second.score - first.score);
    const found = topK({ ...provided, shape: [1, COUNT] }, { k: 40 });
    expect(found.map(({ index }) => index)).toEqual(expected.slice(0, 40).map(({ index }) => index));
  });

  it('rejects labels of another length', () => {
    const call = () => topK(SCORES, { labels: ['background', ...LABELS] });
    expect(call).toThrow(expect.objectContaining({ name: 'OutputError', code: 'LABEL_COUNT' }));
    expect(call).toThrow('labels for 6 classes is 7');
    expect(call).toThrow(TFLiteWebnnError);
  });

  it('rejects what is not a number, and a result without values', () => {
    expect(() => topK(SCORES, { threshold: Number.NaN })).toThrow(OptionError);
    expect(() => topK(SCORES, { k: Number.NaN })).toThrow(/options.k is a number, not NaN; got NaN/);
    expect(() => topK(SCORES, { k: '5' as unknown as number })).toThrow(/options.k is a number, not NaN; got "5"/);
    expect(() => topK({ name: 'scores', data: new Float32Array(), shape: [1, 0] })).toThrow(
      expect.objectContaining({ name: 'OutputError', code: 'RESULT_SHAPE' }),
    );
    expect(() => topK({ name: 'scores', data: new Float32Array(), shape: [1, 0] })).toThrow(
      'The result scores is [1, 0]: it must be [1, classes].',
    );
    expect(() => topK({ data: [], shape: [0] })).toThrow('The result is [0]: it must be');
  });
});

it('reads one probability as those of two classes', () => {
  const labels = ['cat', 'dog'];
  const found = topK({ data: Float32Array.of(0.75), shape: [1, 1] }, { labels });
  expect(found).toEqual([
    { index: 1, score: 0.75, label: 'dog' },
    { index: 0, score: 0.25, label: 'cat' },
  ]);
  expect(() => topK({ data: Float32Array.of(3), shape: [1, 1] }, { labels })).toThrow(
    expect.objectContaining({ name: 'OutputError', code: 'LABEL_COUNT' }),
  );
  expect(topK({ data: Float32Array.of(0.75), shape: [1, 1] })).toHaveLength(1);
});

it.each([[undefined], [null], [{}], [[1, 2]], [Float32Array.of(1)]])(
  'accepts results only, with data and a shape: %s',
  (result) => {
    expect(() => topK(result as never)).toThrow(expect.objectContaining({ name: 'OutputError', code: 'RESULT_SHAPE' }));
  },
);
