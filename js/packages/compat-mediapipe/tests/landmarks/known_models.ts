/** Models whose outputs a test decides, in bundles, and an image that shows which part of it a model saw. */

import { FilesetResolver, type VisionTask } from '@tflite-webnn/compat-mediapipe';
import type { Point, Region } from '@tflite-webnn/media/images';
import { zipSync } from 'fflate';
import type { TFLiteModel, TFLiteModelOptions } from 'tflite-webnn';
import * as tflite from 'tflite-webnn';
import { expect, vi } from 'vitest';
import { type Fake, type FakeModel, fakeModel, tensor } from '../fake_model.js';

interface Loader {
  load(source: Uint8Array, options?: TFLiteModelOptions): Promise<TFLiteModel>;
  preload(): Promise<void>;
}
const { loader } = tflite as unknown as { readonly loader: Loader };

/** What a detector sees, in shares of its square input. */
export interface Seen {
  readonly center: readonly [x: number, y: number];
  readonly size: readonly [width: number, height: number];
  readonly points: readonly (readonly [x: number, y: number])[];
  /** Log-odds of it. Default: 2. */
  readonly logit?: number;
}

/** A detector with the first layer of its anchors. */
interface DetectorLayout {
  readonly side: number;
  /** Anchors of a row of the first layer, and of each of its cells. */
  readonly columns: number;
  readonly perCell: number;
  /** All anchors. */
  readonly anchors: number;
  readonly points: number;
}

export const FACES: DetectorLayout = { side: 128, columns: 16, perCell: 2, anchors: 896, points: 6 };
export const FAR_FACES: DetectorLayout = { side: 192, columns: 48, perCell: 1, anchors: 2304, points: 6 };
export const PALMS: DetectorLayout = { side: 192, columns: 24, perCell: 2, anchors: 2016, points: 7 };
export const BODIES: DetectorLayout = { side: 224, columns: 28, perCell: 2, anchors: 2254, points: 4 };

export const [WIDTH, HEIGHT] = [96, 64];
/** Rows over and under the image in the square that a detector sees. */
const BAR = (WIDTH - HEIGHT) / 2;
const STEP = 2; // of red from column to column, and of green from row to row
/** Side of the landmark models' input. */
export const SIDE = 8;
const NOTHING = -100;

/** Red counts columns, green rows. */
export const IMAGE = {
  width: WIDTH,
  height: HEIGHT,
  data: Uint8Array.from({ length: 3 * WIDTH * HEIGHT }, (_, index) => {
    const pixel = Math.trunc(index / 3);
    return [STEP * (pixel % WIDTH), STEP * Math.trunc(pixel / WIDTH), 0][index % 3] as number;
  }),
};

/** A point of the image in shares of the square around it. */
export function share(x: number, y: number): [number, number] {
  return [x / WIDTH, (y + BAR) / WIDTH];
}

/** A detector that finds what a test puts into its outputs. */
export function knownDetector({ side, columns, perCell, anchors, points }: DetectorLayout) {
  const stride = 4 + 2 * points;
  const [boxes, scores] = [new Float32Array(anchors * stride), new Float32Array(anchors).fill(NOTHING)];
  const fake: Fake = {
    input: tensor('image', [1, side, side, 3]),
    outputs: [
      [tensor('boxes', [1, anchors, stride]), boxes],
      [tensor('scores', [1, anchors, 1]), scores],
    ],
  };
  const show = (...things: readonly Seen[]) => {
    scores.fill(NOTHING);
    things.forEach(({ center, size, points: keyPoints, logit = 2 }, column) => {
      const anchor = [(column + 0.5) / columns, 0.5 / columns] as const;
      const fromAnchor = ([x, y]: readonly [number, number]) => [(x - anchor[0]) * side, (y - anchor[1]) * side];
      const row = column * perCell;
      const numbers = [...fromAnchor(center), size[0] * side, size[1] * side, ...keyPoints.flatMap(fromAnchor)];
      boxes.set(numbers, row * stride);
      scores[row] = logit;
    });
  };
  return { fake, show };
}

/** A landmark model with outputs of these shapes, whose values can be changed. */
export function knownLandmarks<Name extends string>(outputs: Readonly<Record<Name, readonly number[]>>) {
  const shapes = Object.entries(outputs) as [Name, readonly number[]][];
  const all = shapes.map(([name, shape]) => {
    return [tensor(name, shape), new Float32Array(shape.reduce((product, size) => product * size, 1))] as const;
  });
  const fake: Fake = { input: tensor('image', [1, SIDE, SIDE, 3]), outputs: all };
  const values = Object.fromEntries(all.map(([{ name }, data]) => [name, data])) as Record<Name, Float32Array>;
  return { fake, values };
}

/** What is in a bundle: a model, or the bytes of another file. */
type Content = Fake | Uint8Array | { readonly [name: string]: Fake | Uint8Array };

/**
 * Creates a task of known models.
 *
 * @param file - A bundle by its files, or the only model.
 * @returns The task, and for each model what was done with it.
 */
export async function knownTask<Task extends VisionTask>(
  Class: { readonly prototype: Task } & Pick<typeof VisionTask, 'createFromOptions'>,
  file: Content,
  options: object = {},
): Promise<{ task: Task; ran: (fake: Fake) => FakeModel['ran'] }> {
  const fakes: Fake[] = [];
  const records = new Map<Fake, FakeModel>();
  vi.spyOn(loader, 'preload').mockResolvedValue();
  vi.spyOn(loader, 'load').mockImplementation(async (source, loading) => {
    const fake = fakes[Number(new TextDecoder().decode(source))] as Fake;
    const [model, record] = fakeModel(fake, loading);
    records.set(fake, record);
    return model;
  });
  const bytesOf = (content: Fake | Uint8Array) =>
    content instanceof Uint8Array ? content : new TextEncoder().encode(String(fakes.push(content) - 1));
  const isFake = (content: Content): content is Fake => 'outputs' in content && 'input' in content;
  const modelAssetBuffer = isFake(file)
    ? bytesOf(file)
    : zipSync(Object.fromEntries(Object.entries(file).map(([name, content]) => [name, bytesOf(content)])), {
        level: 0,
      });
  const task = await Class.createFromOptions(await FilesetResolver.forVisionTasks(), {
    ...options,
    baseOptions: { modelAssetBuffer },
  });
  return { task, ran: (fake) => records.get(fake)?.ran ?? [] };
}

/** The part of {@link IMAGE} that a model saw, by its input; it must not reach beyond the image. */
export function seenRegion([, values]: readonly [string, readonly number[]] = ['', []]): Region {
  const at = (column: number, row: number) => {
    const start = 3 * (row * SIDE + column);
    const [red, green] = values.slice(start, start + 2) as [number, number];
    return { x: (red * 255) / STEP, y: (green * 255) / STEP };
  };
  // As in MediaPipe, a value of the input is that of the upper left corner of its cell.
  const last = SIDE - 1;
  const [corner, right, below] = [at(0, 0), at(last, 0), at(0, last)];
  const [across, down] = [right, below].map(({ x, y }) => ({
    x: ((x - corner.x) * SIDE) / last,
    y: ((y - corner.y) * SIDE) / last,
  })) as [Point, Point];
  return {
    center: { x: corner.x + (across.x + down.x) / 2, y: corner.y + (across.y + down.y) / 2 },
    width: Math.hypot(across.x, across.y),
    height: Math.hypot(down.x, down.y),
    rotation: Math.atan2(across.y, across.x),
  };
}

/** Within half a pixel, and about one degree. */
export function expectRegion(seen: Region, expected: Region): void {
  const NEAR = 0.5;
  expect(Math.hypot(seen.center.x - expected.center.x, seen.center.y - expected.center.y)).toBeLessThan(NEAR);
  expect(Math.abs(seen.width - expected.width)).toBeLessThan(NEAR);
  expect(Math.abs(seen.height - expected.height)).toBeLessThan(NEAR);
  expect(Math.abs(seen.rotation - expected.rotation)).toBeLessThan(0.02);
}

/** Where a point of a landmark model's input is in the image, in shares of it. */
export function imagePointOf({ center, width, height, rotation }: Region, x: number, y: number) {
  const [across, down] = [(x / SIDE - 0.5) * width, (y / SIDE - 0.5) * height];
  const [cos, sin] = [Math.cos(rotation), Math.sin(rotation)];
  return {
    x: expect.closeTo((center.x + across * cos - down * sin) / WIDTH, 4),
    y: expect.closeTo((center.y + across * sin + down * cos) / HEIGHT, 4),
  };
}
