/** imageToTensor() in a page and in a worker: every kind of image, compared with a reference, Pillow and LiteRT. */

import { commands } from '@vitest/browser/context';
import { wrap } from 'comlink';
import { TFLiteWebnnError } from 'tflite-webnn';
import { type ImageInput, type ImageSource, imageToTensor, imageToTensorSync, type Region } from 'tflite-webnn/image';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sampled } from './bilinear.js';
import { errorOf, expectClose, expectSame } from './fixtures.js';
import {
  ELSEWHERE,
  IN_PAGES,
  IN_WORKERS,
  OF_ANOTHER_ORIGIN,
  pixelsOfFile,
  SIZE,
  UNUSABLE,
  video,
} from './image_sources.js';
import type { ImagesWorker } from './images_worker.js';

const SIDE = 224;
const PIXELS = { range: [0, 255] } as const;
// Floats of about 255 in float32, from sums in float64.
const TOLERANCE = 1e-4;
// TFLite computes positions in float32, up to 3e-5 pixels off; neighbours here differ by up to 100. Seen: 1.4e-3.
const LITERT_TOLERANCE = 4e-3;
// A video frame passes through YUV with halved chroma.
const VIDEO_TOLERANCE = 6;

const image = { data: await pixelsOfFile(), ...SIZE };
const ALL: Region = { center: { x: SIZE.width / 2, y: SIZE.height / 2 }, ...SIZE, rotation: 0 };
const input = (width = SIDE, height = SIDE, dtype: ImageInput['dtype'] = 'float32', channels = 3): ImageInput => ({
  dtype,
  shape: [1, height, width, channels],
});
const expected = sampled(image, ALL, { width: SIDE, height: SIDE });
const fixture = async (name: string) => (await fetch(`/fixtures/${name}`)).arrayBuffer();
const numbers = ({ data }: { data: unknown }) => data as Float32Array;
const distances = (values: ArrayLike<number>, others: ArrayLike<number>) =>
  Array.from(values, (value, at) => Math.abs(value - (others[at] as number)));
const mean = (values: readonly number[]) => values.reduce((a, b) => a + b, 0) / values.length;

describe('each source becomes the same tensor', () => {
  it.each(Object.entries(IN_PAGES))('in a page: %s', async (_, source) => {
    const { data, placement } = await imageToTensor(await source(), input(), PIXELS);
    expectClose(numbers({ data }), expected, TOLERANCE);
    expect(placement).toEqual({ image: SIZE, region: ALL, tensor: { width: SIDE, height: SIDE } });
  });

  const thread = new Worker(new URL('./images_worker.ts', import.meta.url), { type: 'module' });
  const worker = wrap<ImagesWorker>(thread);
  afterAll(() => thread.terminate());
  it.each(Object.keys(IN_WORKERS) as (keyof typeof IN_WORKERS)[])('in a worker: %s', async (kind) => {
    expectClose(numbers(await worker.convert(kind, input(), PIXELS)), expected, TOLERANCE);
  });
});

it('a drawing without a size, after a larger image, is scaled to the canvas that it is drawn on', async () => {
  for (const size of ["width='900' height='800'", "viewBox='0 0 8 8'"]) {
    const drawing = `<svg xmlns='http://www.w3.org/2000/svg' ${size}><rect width='50%' height='100%' fill='red'/></svg>`;
    const source = Object.assign(new Image(), { src: `data:image/svg+xml,${drawing}` });
    const reds = numbers(await imageToTensor(source, input(), PIXELS)).filter((_, at) => at % 3 === 0);
    expect(reds.every((red, at) => red > 127 === at % SIDE < SIDE / 2)).toBe(true);
  }
});

it.each([
  [{ colorSpace: 'display-p3' }, 128, [32, 130, 129]], // as sRGB, the same color has half of this red
  [{ pixelFormat: 'rgba-float16' }, 0.5, [64, 128, 128]],
])('the browser converts pixels that are not sRGB bytes: %o', (settings, half, colors) => {
  const source = new ImageData(1, 1, settings as ImageDataSettings);
  source.data.set([half / 2, half, half, 2 * half - (half > 1 ? 1 : 0)]);
  expectClose(numbers(imageToTensorSync(source, input(1, 1), PIXELS)), colors, 2);
});

it('a frame of a video becomes an input', async () => {
  const { data } = await imageToTensor(await video(), input(), PIXELS);
  expect(mean(distances(numbers({ data }), expected))).toBeLessThanOrEqual(VIDEO_TOLERANCE);
});

describe('a region is sampled as by the reference', () => {
  const region = (x: number, y: number, width: number, height: number, rotation = 0): Region => ({
    center: { x, y },
    width,
    height,
    rotation,
  });
  const REGIONS = {
    entire: ALL,
    part: region(200, 140, 100, 50),
    rotated: region(200, 140, 160, 120, 0.7),
    'mostly outside': region(10, 10, 200, 150, -2.5),
  };
  const rows = Object.entries(REGIONS).flatMap(([name, one]) => [
    { name, region: one, width: 96, height: 64 },
    { name, region: one, width: 300, height: 280 },
  ]);
  it.each(rows)('$name as $width x $height', async ({ region, width, height }) => {
    const options = { ...PIXELS, region, background: 7 };
    const { data } = await imageToTensor(await IN_PAGES.ImageBitmap(), input(width, height), options);
    const far = distances(numbers({ data }), sampled(image, region, { width, height }, 7)).map(
      (distance) => distance > TOLERANCE,
    );
    const pixels = Array.from({ length: width * height }, (_, at) => far.slice(3 * at, 3 * at + 3).includes(true));
    // On the image's very edge, rounding decides what is outside.
    expect(mean(pixels.map(Number))).toBeLessThanOrEqual(region.rotation === 0 ? 0 : 1e-3);
  });
});

describe.each([
  [224, 224],
  [96, 160],
  [600, 450],
])('%i x %i pixels', (width, height) => {
  it("are those of TFLite's RESIZE_BILINEAR with half-pixel centers", async () => {
    const { data } = await imageToTensor(await IN_PAGES.Blob(), input(width, height), PIXELS);
    expectClose(
      numbers({ data }),
      new Float32Array(await fixture(`chelsea_${width}x${height}.litert`)),
      LITERT_TOLERANCE,
    );
  });

  it.each([1, 3])("have Pillow's bytes with the option antialias, in %i channels", async (channels) => {
    const { data } = await imageToTensor(await IN_PAGES.Blob(), input(width, height, 'uint8', channels), {
      antialias: true,
    });
    expectSame<unknown>(data, new Uint8Array(await fixture(`chelsea_${width}x${height}x${channels}.pillow`)));
  });
});

it('integers are rounded once', async () => {
  const { data } = await imageToTensor(await IN_PAGES.Blob(), input(SIDE, SIDE, 'int8'));
  const rounded = expected.map((value) => Math.floor(value + 0.5) - 128);
  const off = distances(numbers({ data }), rounded);
  expect(off.every((distance) => distance <= 1)).toBe(true);
  expect(mean(off)).toBeLessThan(1e-4); // where half a step is rounded in float32
});

describe('a source without readable pixels is an error, and the next one is converted', () => {
  async function expectError(source: ImageSource, code: string): Promise<void> {
    const error = await errorOf(imageToTensor(source, input(SIDE, SIDE, 'uint8')));
    expect(error).toBeInstanceOf(TFLiteWebnnError);
    expect(error.code).toBe(code);
    const { data } = await imageToTensor(await IN_PAGES.ImageBitmap(), input(SIDE, SIDE, 'uint8'));
    expect(numbers({ data }).some((value) => value > 0)).toBe(true);
  }

  it.each(Object.entries(UNUSABLE))('%s', async (_, [code, source]) => expectError(await source(), code));

  describe('of another origin', () => {
    beforeAll(() => commands.serveElsewhere(ELSEWHERE));
    it.each(Object.entries(OF_ANOTHER_ORIGIN))('%s', async (_, source) => expectError(await source(), 'IMAGE_TAINTED'));
  });

  describe('too large for a canvas, of which the browser draws nothing', () => {
    const size = { width: 40_000, height: 40_000 };
    const LARGE = {
      'an image': async () => {
        const src = "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' width='20000' height='20000'/>";
        const drawing = Object.assign(new Image(), { src });
        await drawing.decode();
        return drawing;
      },
      'a canvas': () => Object.assign(document.createElement('canvas'), size),
      'an OffscreenCanvas': () => new OffscreenCanvas(size.width, size.height),
    };
    it.each(Object.entries(LARGE))('%s', async (_, source) => {
      const error = await errorOf(imageToTensor(await source(), input(1, 1, 'uint8')));
      expect(error.code).toBe('IMAGE_DECODE_FAILED');
      expect(error.message).toBe('The browser cannot read so many pixels: make the image smaller.');
      const drawing = new OffscreenCanvas(1, 1).getContext('2d') as OffscreenCanvasRenderingContext2D;
      drawing.fillStyle = 'white';
      drawing.fillRect(0, 0, 1, 1);
      expect([...numbers(await imageToTensor(drawing.canvas, input(1, 1, 'uint8')))]).toEqual([255, 255, 255]);
    });
  });
});
