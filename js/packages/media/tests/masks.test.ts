import { type ImagePlacement, type Point, toTensor } from '@tflite-webnn/media/images';
import { argmaxMask, classShares, toMask } from '@tflite-webnn/media/results';
import { OptionError } from 'tflite-webnn';
import { describe, expect, it } from 'vitest';

/** 2 x 2 pixels of 3 classes. */
const DATA = Float32Array.of(0.1, 0.8, 0.1, 0.9, 0, 0, 0, 0, 1, 0.2, 0.4, 0.4);
const NHWC = { data: DATA, shape: [1, 2, 2, 3] };
const NCHW = {
  data: Float32Array.from([0, 1, 2].flatMap((c) => [0, 1, 2, 3].map((p) => DATA[p * 3 + c] as number))),
  shape: [1, 3, 2, 2],
};

describe('argmaxMask', () => {
  it('accepts the best class of each pixel, of equal ones the first', () => {
    const expected = { width: 2, height: 2, classes: Uint8Array.of(1, 0, 2, 1) };
    expect(argmaxMask(NHWC)).toEqual(expected);
    expect(argmaxMask(NCHW, { layout: 'nchw' })).toEqual(expected);
  });

  it('accepts a result that has classes as it is', () => {
    const result = { data: BigInt64Array.of(0n, 15n), shape: [1, 1, 2] };
    expect(argmaxMask(result)).toEqual({ width: 2, height: 1, classes: Uint8Array.of(0, 15) });
  });

  it('goes back as OpenCV samples: pixels are at their corners', () => {
    const result = { shape: [1, 1, 2, 1], data: Float32Array.of(0, 1) };
    const region = { center: { x: 2, y: 0.5 }, width: 4, height: 1, rotation: 0 };
    const placement = { image: { width: 4, height: 1 }, region };
    expect(Array.from(toMask(result, { placement, resampling: 'opencv' }).values)).toEqual([0, 0.5, 1, 1]);
    expect(Array.from(toMask(result, { placement }).values)).toEqual([0, 0.25, 0.75, 1]);
  });

  it('has the size of the image with a placement, without the bars of a letterbox', () => {
    // 8 x 4 pixels in a square of 8 x 8: the tensor's upper and lower quarter are bars
    const region = { center: { x: 4, y: 2 }, width: 8, height: 8, rotation: 0 };
    const classes = Float32Array.from({ length: 16 }, (_, index) => index);
    const mask = argmaxMask(
      { data: classes, shape: [1, 4, 4] },
      { placement: { image: { width: 8, height: 4 }, region } },
    );
    expect([mask.width, mask.height]).toEqual([8, 4]);
    expect([...mask.classes]).toEqual([
      4, 4, 5, 5, 6, 6, 7, 7, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 8, 8, 9, 9, 10, 10, 11, 11,
    ]);
  });

  it('rejects what is not an image, or has too many classes', () => {
    expect(() => argmaxMask({ data: DATA, shape: [1, 12] })).toThrow(
      expect.objectContaining({ name: 'OutputError', code: 'RESULT_SHAPE' }),
    );
    expect(() => argmaxMask({ data: DATA, shape: [1, 2, 2, 4] })).toThrow('must be [1, height, width, channels]');
    expect(() => argmaxMask({ data: new Float32Array(300), shape: [1, 1, 1, 300] })).toThrow('at most 256 classes');
    for (const value of [256, 300, -1, Number.NaN])
      expect(() => argmaxMask({ data: Float32Array.of(0, value), shape: [1, 1, 2, 1] })).toThrow(
        'classes from 0 to 255',
      );
  });
});

describe('toMask', () => {
  it('accepts one channel', () => {
    expect(toMask(NHWC, { channel: 2 }).values).toEqual(Float32Array.of(DATA[2] as number, 0, 1, DATA[11] as number));
    expect(toMask(NCHW, { layout: 'nchw', channel: 1 }).values[0]).toBe(DATA[1]);
  });

  it('turns log-odds into probabilities, and dequantizes', () => {
    const quantization = { scales: [0.5], zeroPoints: [128] };
    const result = { data: Uint8Array.of(128, 130), shape: [1, 1, 2, 1], quantization };
    const { values } = toMask(result, { activation: 'sigmoid' });
    expect([...values]).toEqual([0.5, expect.closeTo(1 / (1 + Math.exp(-1)), 6)]);
  });

  it('is interpolated to the image, and 0 where the model saw nothing', () => {
    const region = { center: { x: 2, y: 0.5 }, width: 4, height: 1, rotation: 0 };
    const result = { data: Float32Array.of(0, 1), shape: [1, 1, 2] };
    const { values, width } = toMask(result, { placement: { image: { width: 6, height: 1 }, region } });
    expect([width, ...values]).toEqual([6, 0, 0.25, 0.75, 1, 0, 0]);
  });

  it.each([
    ['enlarged', { width: 23, height: 17 }, 23, 17, 0],
    ['shrunk', { width: 5, height: 4 }, 5, 4, 0],
    ['a part of the image', { width: 23, height: 17 }, 9, 6, 0],
    ['beyond the image', { width: 12, height: 10 }, 31, 25, 0],
    ['one pixel', { width: 1, height: 1 }, 1, 1, 0],
    ['turned', { width: 23, height: 17 }, 20, 14, 0.4],
    ['upside down', { width: 12, height: 10 }, 12, 10, Math.PI],
  ])('equals the interpolation of each pixel by itself: %s', (_, image, width, height, rotation) => {
    const data = Float32Array.from({ length: 7 * 9 * 2 }, (_, index) => Math.sin(index * 12.9898));
    const center = { x: image.width / 2 + 0.3, y: image.height / 2 - 0.2 };
    const placement = { image, region: { center, width, height, rotation } };
    for (const [resampling, corner] of [['tflite', 0.5] as const, ['opencv', 0] as const]) {
      const { values } = toMask({ data, shape: [1, 7, 9, 2] }, { channel: 1, placement, resampling });
      expect(values).toEqual(eachByItself((x, y) => data[(y * 9 + x) * 2 + 1] as number, placement, corner));
    }
  });

  it('rejects a channel that there is not', () => {
    for (const channel of [3, -1, 0.5]) expect(() => toMask(NHWC, { channel })).toThrow(OptionError);
  });
});

/** The mask of 9 x 7 pixels in the size of the image, computed plainly. */
function eachByItself(at: (x: number, y: number) => number, placement: ImagePlacement, corner: number): Float32Array {
  const { width, height } = placement.image;
  // Rounded as steps from the first pixel.
  const [origin, right, below] = [
    [0, 0],
    [1, 0],
    [0, 1],
  ].map(([x = 0, y = 0]) => toTensor(placement, { x: x + corner, y: y + corner })) as [Point, Point, Point];
  return Float32Array.from({ length: width * height }, (_, pixel) => {
    const [column, row] = [pixel % width, Math.floor(pixel / width)];
    const relativeX = origin.x + column * (right.x - origin.x) + row * (below.x - origin.x);
    const relativeY = origin.y + column * (right.y - origin.y) + row * (below.y - origin.y);
    if (relativeX < 0 || relativeX >= 1 || relativeY < 0 || relativeY >= 1) return 0;
    const [x, y] = [Math.max(0, relativeX * 9 - corner), Math.max(0, relativeY * 7 - corner)];
    const [x0, y0] = [Math.floor(x), Math.floor(y)];
    const [x1, y1] = [Math.min(x0 + 1, 8), Math.min(y0 + 1, 6)];
    const upper = at(x0, y0) + (at(x1, y0) - at(x0, y0)) * (x - x0);
    const lower = at(x0, y1) + (at(x1, y1) - at(x0, y1)) * (x - x0);
    return upper + (lower - upper) * (y - y0);
  });
}

describe('classShares', () => {
  it('returns shares of the image, largest first', () => {
    expect(classShares({ width: 2, height: 2, classes: Uint8Array.of(8, 8, 0, 8) })).toEqual([
      { index: 8, share: 0.75 },
      { index: 0, share: 0.25 },
    ]);
  });
});
