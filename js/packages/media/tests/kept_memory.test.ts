import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { type ImageSource, imageToTensor } from '@tflite-webnn/media/images';
import { expect, it, vi } from 'vitest';
import { MAX_KEPT_BYTES, Scratch } from '../src/images/scratch.js';
import { FakeCanvas } from './fake_canvas.js';
import { inputOf } from './patterned.js';

const [WIDTH, HEIGHT] = [8000, 6000];

/** Its drawing is one opaque pixel, whatever its size. */
class SizedCanvas extends FakeCanvas {
  override getImageData() {
    return { data: Uint8ClampedArray.of(0, 0, 0, 255) };
  }
}

/** Bytes of the canvases that one test has created. */
function canvasBytes(): number {
  return FakeCanvas.created.reduce((sum, { width, height }) => sum + width * height * 4, 0);
}

function bitmap(width: number, height: number): ImageSource {
  return { [Symbol.toStringTag]: 'ImageBitmap', width, height } as unknown as ImageSource;
}

it('keeps the canvas of frames, and not that of a photo', async () => {
  vi.stubGlobal('OffscreenCanvas', SizedCanvas);
  FakeCanvas.created.splice(0);
  const input = inputOf('uint8', 2, 2);
  await imageToTensor(bitmap(WIDTH, HEIGHT), input);
  expect(canvasBytes()).toBeLessThanOrEqual(MAX_KEPT_BYTES);
  for (let frame = 0; frame < 3; frame++) await imageToTensor(bitmap(3840, 2160), input);
  expect(FakeCanvas.created.filter(({ width }) => width === 3840)).toHaveLength(1);
  await imageToTensor(bitmap(WIDTH, HEIGHT), input);
  expect(canvasBytes()).toBeLessThanOrEqual(MAX_KEPT_BYTES);
});

it('keeps no copy of the pixels of a photo', async () => {
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  const usedBytes = async () => {
    await new Promise(setImmediate); // frames of calls keep what they had
    collect();
    return process.memoryUsage().arrayBuffers;
  };
  const data = new Uint8Array(WIDTH * HEIGHT * 3);
  const before = await usedBytes();
  await imageToTensor({ data, width: WIDTH, height: HEIGHT }, { ...inputOf('uint8', 2, 2), shape: [1, 2, 2, 1] });
  // The collector may take a call's last array only in its next turn.
  await expect.poll(async () => (await usedBytes()) - before, { timeout: 10_000 }).toBeLessThan(1 << 20);
});

it('shares an array up to a limit', () => {
  const scratch = new Scratch(Uint8Array);
  const frame = scratch.reserve(MAX_KEPT_BYTES);
  const isShared = (array: Uint8Array) => array === frame; // a failure must not print millions of elements
  expect(isShared(scratch.reserve(1))).toBe(true);
  expect(scratch.reserve(MAX_KEPT_BYTES + 1).length).toBe(MAX_KEPT_BYTES + 1);
  expect(isShared(scratch.reserve(MAX_KEPT_BYTES))).toBe(true);
});
