/** DeepLab and MediaPipe's selfie segmentation. */

import type { InputRange, PixelData } from 'tflite-webnn/image';
import { argmaxMask, type ClassMask, type Mask, type Result, toMask } from 'tflite-webnn/results';
import { type Net, portsOf, type Values } from './net.js';
import { tensorOf } from './picture_input.js';

const DEEPLAB_RANGE = [-1, 1] as const;
const SELFIE_RANGE = [0, 1] as const;

/** Finds the class of each pixel, at the model's resolution. */
export async function findClasses(net: Net, picture: PixelData): Promise<ClassMask> {
  return argmaxMask(await runOn(net, picture, DEEPLAB_RANGE));
}

/** Finds the probability that a pixel shows a person, at the model's resolution. */
export async function findPerson(net: Net, picture: PixelData): Promise<Mask> {
  return toMask(await runOn(net, picture, SELFIE_RANGE));
}

/** Share of the picture that shows people. */
export function personShare({ values }: Mask): number {
  return values.reduce((sum, value) => sum + (value > 0.5 ? 1 : 0), 0) / values.length;
}

async function runOn(net: Net, picture: PixelData, range: InputRange): Promise<Result> {
  const { output } = portsOf(net);
  const { data } = await tensorOf(net, picture, { range, antialias: true });
  const [mask] = (await net.run(data as Values)) as [Values];
  return { ...output, data: mask };
}
