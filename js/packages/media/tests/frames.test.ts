import { type ImageSource, imageToTensor } from '@tflite-webnn/media/images';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { inputOf, reds } from './patterned.js';

const INPUT = inputOf('uint8', 2, 2);
const BLACK = [0, 0, 0, 0];

/** A frame of 2 x 2 pixels whose red is `red`; in a browser that converts colors, or in one without that option. */
class FakeFrame {
  static isConverting = true;
  static open = 0;
  static targets: unknown[] = [];
  readonly [Symbol.toStringTag] = 'VideoFrame';
  readonly displayWidth = 2;
  readonly displayHeight = 2;
  visibleRect = { width: 2, height: 2 };
  rotation = 0;
  flip = false;
  red = 0;
  isTainted = false;

  constructor(source: object) {
    if ((source as Partial<FakeFrame>).isTainted) throw new DOMException('tainted', 'SecurityError');
    const { visibleRect, rotation, flip, red } = { ...this, ...source };
    Object.assign(this, { visibleRect, rotation, flip, red });
    FakeFrame.open += 1;
  }

  allocationSize({ format }: { format?: string } = {}): number {
    return FakeFrame.isConverting && format === 'RGBA' ? 16 : 6;
  }

  async copyTo(target: Uint8ClampedArray): Promise<void> {
    FakeFrame.targets.push(target);
    for (let pixel = 0; pixel < 4; pixel++) target[pixel * 4] = this.red + pixel;
  }

  close(): void {
    FakeFrame.open -= 1;
  }
}

/** What a video or a frame is to the conversion. */
function source(kind: 'HTMLVideoElement' | 'VideoFrame', members: Partial<FakeFrame> = {}): ImageSource {
  const size = { readyState: 2, videoWidth: 2, videoHeight: 2, displayWidth: 2, displayHeight: 2 };
  return { ...size, ...members, [Symbol.toStringTag]: kind } as unknown as ImageSource;
}

async function redsOf(image: ImageSource, convert = imageToTensor): Promise<number[]> {
  return reds((await convert(image, INPUT)).data as Uint8Array);
}

/** All that it draws is black. */
class BlackCanvas {
  readonly canvas = this;
  constructor(
    public width: number,
    public height: number,
  ) {}
  getContext = () => this;
  save = () => {};
  beginPath = () => {};
  rect = () => {};
  clip = () => {};
  restore = () => {};
  fillRect = () => {};
  drawImage = () => {};
  getImageData = (_left: number, _top: number, width: number, height: number) => ({
    data: new Uint8ClampedArray(width * height * 4).map((_, index) => (index % 4 === 3 ? 255 : 0)),
  });
}

beforeEach(() => {
  vi.resetModules(); // the canvas, and what is known of the browser
  vi.stubGlobal('VideoFrame', FakeFrame);
  vi.stubGlobal('OffscreenCanvas', BlackCanvas);
  Object.assign(FakeFrame, { isConverting: true, open: 0, targets: [] });
});

afterEach(() => {
  expect(FakeFrame.open).toBe(0);
  vi.resetModules(); // the black canvas remains in them
});

describe.each(['VideoFrame', 'HTMLVideoElement'] as const)('%s', (kind) => {
  it('returns its pixels without a canvas, into memory that the next one reuses', async () => {
    expect(await redsOf(source(kind, { red: 10 }))).toEqual([10, 11, 12, 13]);
    expect(await redsOf(source(kind, { red: 20 }))).toEqual([20, 21, 22, 23]);
    expect(FakeFrame.targets[1]).toBe(FakeFrame.targets[0]);
  });

  it('shares no memory with one that is converted meanwhile', async () => {
    const both = [source(kind, { red: 10 }), source(kind, { red: 20 })].map((image) => redsOf(image));
    expect(await Promise.all(both)).toEqual([
      [10, 11, 12, 13],
      [20, 21, 22, 23],
    ]);
  });

  it.each<[string, Partial<FakeFrame>]>([
    ['rotated', { rotation: 180 }],
    ['mirrored', { flip: true }],
    ['stretched', { visibleRect: { width: 1, height: 2 } }],
    ['from another origin', { isTainted: true }],
  ])('is drawn where it is %s', async (_, members) => {
    const { imageToTensor: convert } = await import('@tflite-webnn/media/images');
    expect(await redsOf(source(kind, { red: 10, ...members }), convert)).toEqual(BLACK);
    expect(FakeFrame.targets).toEqual([]);
  });

  it('is drawn where the browser does not convert colors', async () => {
    const { imageToTensor: convert } = await import('@tflite-webnn/media/images');
    FakeFrame.isConverting = false;
    expect(await redsOf(source(kind, { red: 10 }), convert)).toEqual(BLACK);
  });

  it('is drawn where there is no such class', async () => {
    const { imageToTensor: convert } = await import('@tflite-webnn/media/images');
    vi.stubGlobal('VideoFrame', undefined);
    expect(await redsOf(source(kind, { red: 10 }), convert)).toEqual(BLACK);
  });
});
