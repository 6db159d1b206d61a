/** DeepLab. */

import { imageToTensor, type PixelData } from 'tflite-webnn/image';
import { argmaxMask, type ClassMask } from 'tflite-webnn/results';
import { type Net, portsOf, type Values } from './net.js';

const RANGE = [-1, 1] as const;

/** Finds the class of each pixel, at the model's resolution. */
export async function findClasses(net: Net, picture: PixelData): Promise<ClassMask> {
  const { input, output } = portsOf(net);
  const { data } = await imageToTensor(picture, input, { range: RANGE, antialias: true });
  const [mask] = (await net.run(data as Values)) as [Values];
  return argmaxMask({ ...output, data: mask });
}
