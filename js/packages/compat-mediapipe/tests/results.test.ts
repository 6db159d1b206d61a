import { DrawingUtils, ImageEmbedder, MPMask } from '@tflite-webnn/compat-mediapipe';
import { OptionError } from 'tflite-webnn';
import { describe, expect, it } from 'vitest';
import { inputImageOf } from '../src/input_image.js';
import { categoryMask } from '../src/mask.js';
import { extended } from '../src/vision_model.js';

const IMAGE = { width: 40, height: 20, data: new Uint8Array(800) };

describe('inputImageOf()', () => {
  it('looks at all of an image', () => {
    const { region, size } = inputImageOf(IMAGE, null, undefined, false);
    expect(size).toEqual({ width: 40, height: 20 });
    expect(region).toEqual({ center: { x: 20, y: 10 }, width: 40, height: 20, rotation: -0 });
  });

  it('looks at a region, turned against the rotation of the image', () => {
    const regionOfInterest = { left: 0.5, top: 0, right: 0.75, bottom: 1 };
    const { region } = inputImageOf(IMAGE, 5, { regionOfInterest, rotationDegrees: 90 }, true);
    expect(region).toEqual({ center: { x: 25, y: 10 }, width: 20, height: 10, rotation: -Math.PI / 2 });
  });

  it.each([
    [{ regionOfInterest: { left: 0, top: 0, right: 1, bottom: 1 } }, false, /accepts no regionOfInterest/],
    [{ regionOfInterest: { left: 0.5, top: 0, right: 0.5, bottom: 1 } }, true, /left must be under right/],
    [{ regionOfInterest: { left: 0, top: -0.1, right: 1, bottom: 1 } }, true, /all from 0 to 1/],
    [{ rotationDegrees: 45 }, true, /rotationDegrees is 45/],
  ])('rejects %j', (processing, acceptsRegion, message) => {
    const open = () => inputImageOf(IMAGE, null, processing, acceptsRegion);
    expect(open).toThrow(OptionError);
    expect(open).toThrow(message);
  });
});

describe('regions', () => {
  it('are extended to the shape of an input', () => {
    const region = { center: { x: 0, y: 0 }, width: 40, height: 20, rotation: 1 };
    expect(extended(region, { width: 8, height: 8 })).toEqual({ ...region, height: 40 });
    expect(extended(region, { width: 8, height: 2 })).toEqual({ ...region, width: 80 });
  });
});

describe('categoryMask()', () => {
  it('interpolates between the outermost scores', () => {
    const scores = { width: 2, height: 1, classes: 2, values: [1, 0, 0, 3] };
    // The second class wins where 3 x > 1 - x: from a quarter on.
    expect([...categoryMask(scores, { width: 9, height: 1 }, 0.5)]).toEqual([0, 0, 0, 1, 1, 1, 1, 1, 1]);
  });

  it('keeps a class that the four scores around a pixel share', () => {
    const scores = { width: 2, height: 2, classes: 2, values: [0, 1, 0, 1, 0, 1, 0, 1] };
    expect(new Set(categoryMask(scores, { width: 5, height: 4 }, 0.5))).toEqual(new Set([1]));
  });

  it('says of one class where it is: 0', () => {
    const scores = { width: 3, height: 1, classes: 1, values: [0, 1, 0.4] };
    expect([...categoryMask(scores, { width: 3, height: 1 }, 0.5)]).toEqual([255, 0, 255]);
    expect([...categoryMask(scores, { width: 3, height: 2 }, 0)]).toEqual([255, 0, 0, 255, 0, 0]);
  });
});

describe('MPMask', () => {
  it('converts floats to bytes, once', () => {
    let reads = 0;
    const read = () => {
      reads += 1;
      return Float32Array.of(0, 0.5, 1);
    };
    const mask = MPMask.of(read, 3, 1);
    expect([mask.hasFloat32Array(), mask.hasUint8Array(), mask.hasWebGLTexture()]).toEqual([true, false, false]);
    expect(reads).toBe(0);
    expect([...mask.getAsUint8Array()]).toEqual([0, 127, 255]);
    expect([...mask.getAsFloat32Array()]).toEqual([0, 0.5, 1]);
    expect([reads, mask.hasUint8Array(), mask.interpolateValues]).toEqual([1, true, true]);
  });

  it('converts bytes to floats', () => {
    const mask = MPMask.of(Uint8Array.of(0, 51), 2, 1);
    expect([...mask.getAsFloat32Array()]).toEqual([0, Math.fround(0.2)]);
    expect([...mask.clone().getAsUint8Array()]).toEqual([0, 51]);
    expect(mask.interpolateValues).toBe(false);
  });

  it('remains readable after close(); clone() has its own copy of the values', () => {
    const mask = MPMask.of(Float32Array.of(1), 1, 1);
    const copy = mask.clone();
    mask.close();
    mask.getAsFloat32Array()[0] = 0;
    expect([...copy.getAsFloat32Array()]).toEqual([1]);
    expect([...mask.getAsUint8Array()]).toEqual([0]);
    expect(() => copy.getAsWebGLTexture()).toThrow(OptionError);
  });
});

describe('cosineSimilarity()', () => {
  const floats = (...floatEmbedding: number[]) => ({ floatEmbedding, headIndex: 0, headName: '' });
  const bytes = (...values: number[]) => ({ quantizedEmbedding: Uint8Array.from(values), headIndex: 0, headName: '' });

  it('is the cosine of floats, and of signed bytes', () => {
    expect(ImageEmbedder.cosineSimilarity(floats(1, 0), floats(1, 1))).toBeCloseTo(Math.SQRT1_2);
    expect(ImageEmbedder.cosineSimilarity(bytes(100, 0), bytes(-100, 0))).toBe(-1);
  });

  it.each([
    ['floats and bytes', floats(1), bytes(1), /same options/],
    ['lengths', floats(1), floats(1, 2), /1 and 2 numbers/],
    ['zeros', floats(0, 0), floats(1, 2), /no direction/],
  ])('rejects other %s', (_, one, other, message) => {
    expect(() => ImageEmbedder.cosineSimilarity(one, other)).toThrow(message);
  });
});

describe('DrawingUtils', () => {
  it('limits and maps numbers', () => {
    expect([DrawingUtils.clamp(5, 3, 1), DrawingUtils.clamp(0, 1, 3)]).toEqual([3, 1]);
    expect(DrawingUtils.lerp(5, 0, 10, 0, 100)).toBe(50);
    expect(DrawingUtils.lerp(20, 0, 10, 100, 0)).toBe(0);
  });

  it.each<[string, (utils: DrawingUtils) => void]>([
    ['a list of landmarks', (utils) => utils.drawLandmarks('abc' as never)],
    ['landmarks', (utils) => utils.drawLandmarks([null as never])],
    ['connections', (utils) => utils.drawConnectors([], [null as never])],
    ['a radius', (utils) => utils.drawLandmarks([{ x: 0, y: 0, z: 0, visibility: 1 }], { radius: -1 })],
    ['a box', (utils) => utils.drawBoundingBox(undefined as never)],
    ['a mask of classes', (utils) => utils.drawCategoryMask({} as never, [])],
    ['a mask', (utils) => utils.drawConfidenceMask(null as never, [0, 0, 0, 0], [0, 0, 0, 0])],
  ])('reports what cannot be drawn: %s', (_, draw) => {
    const arc = (_x: number, _y: number, radius: number) => {
      if (radius < 0) throw new DOMException('The radius is negative', 'IndexSizeError');
    };
    const none = () => {};
    const calls = { save: none, restore: none, beginPath: none, fill: none, stroke: none, arc };
    const context = { ...calls, canvas: { width: 2, height: 1 } } as unknown as CanvasRenderingContext2D;
    expect(() => draw(new DrawingUtils(context))).toThrow(OptionError);
    expect(() => draw(new DrawingUtils(context))).toThrow(/Cannot draw this: \w+Error: |the option "\w/);
    expect(() => new DrawingUtils(null as never).drawLandmarks([])).toThrow(OptionError);
  });
});
