/** DeepLab and MediaPipe's selfie segmentation. */

import type { Net, PortInfo, Values } from './net.js';
import { floatTensor, type Picture, type ValueRange } from './picture.js';
import { resizePicture } from './resize.js';

/** The class of each pixel, at the model's resolution. */
export interface ClassMap {
  readonly width: number;
  readonly height: number;
  readonly classes: Uint8Array;
}

/** The probability from 0 to 1 that each pixel shows a person, at the model's resolution. */
export interface PersonMask {
  readonly width: number;
  readonly height: number;
  readonly shares: Float32Array;
}

/** A class and its share of the picture. */
export interface Coverage {
  readonly index: number;
  readonly share: number;
}

const DEEPLAB_RANGE: ValueRange = { low: -1, high: 1 };
const SELFIE_RANGE: ValueRange = { low: 0, high: 1 };

/** Finds the class of each pixel. */
export async function findClasses(net: Net, picture: Picture): Promise<ClassMap> {
  const { values, width, height } = await runOn(net, picture, DEEPLAB_RANGE);
  const count = values.length / (width * height);
  const classes = new Uint8Array(width * height);
  for (let pixel = 0; pixel < classes.length; pixel++) {
    let best = 0;
    const first = pixel * count;
    for (let index = 1; index < count; index++) {
      if ((values[first + index] as number) > (values[first + best] as number)) best = index;
    }
    classes[pixel] = best;
  }
  return { width, height, classes };
}

/** Finds the pixels of people. */
export async function findPerson(net: Net, picture: Picture): Promise<PersonMask> {
  const { values, width, height } = await runOn(net, picture, SELFIE_RANGE);
  return { width, height, shares: values };
}

/** Share of the picture of each class that occurs, largest first. */
export function coverages({ classes }: ClassMap): Coverage[] {
  const counts = new Map<number, number>();
  for (const index of classes) counts.set(index, (counts.get(index) ?? 0) + 1);
  return [...counts]
    .map(([index, count]) => ({ index, share: count / classes.length }))
    .sort((one, other) => other.share - one.share);
}

/** Share of the picture that shows people. */
export function personShare({ shares }: PersonMask): number {
  return shares.reduce((sum, share) => sum + (share > 0.5 ? 1 : 0), 0) / shares.length;
}

async function runOn(net: Net, picture: Picture, range: ValueRange) {
  const [input, output] = [net.inputs[0] as PortInfo, net.outputs[0] as PortInfo];
  const [, height = 0, width = 0] = input.shape;
  const [values] = (await net.run(floatTensor(resizePicture(picture, width, height), range))) as [Values];
  const [, outputHeight = 0, outputWidth = 0] = output.shape;
  return { values: values as Float32Array, width: outputWidth, height: outputHeight };
}
