/** Pictures as inputs of nets, timed where somebody measures. */

import { type ImageOptions, type ImageTensor, imageToTensor, type PixelData } from 'tflite-webnn/image';
import { type Net, portsOf } from './net.js';

/** Turns a picture into the values of a net's only input. */
export async function tensorOf(
  net: Net,
  picture: PixelData,
  options: ImageOptions & { readonly tensor?: never },
): Promise<ImageTensor> {
  const started = performance.now();
  const tensor = await imageToTensor(picture, portsOf(net).input, options);
  net.clock?.addPicture(performance.now() - started);
  return tensor;
}
