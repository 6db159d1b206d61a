/** EfficientNet-Lite: probabilities of ImageNet's 1000 classes for a picture. */

import { imageToTensor, type PixelData } from 'tflite-webnn/image';
import { type Category, topK } from 'tflite-webnn/results';
import { type Net, portsOf, type Values } from './net.js';

// Of the float models; integer models take the pixels themselves.
const FLOAT_RANGE = [-1, 1] as const;

/**
 * Classifies a picture.
 *
 * @param net - The network.
 * @param picture - Stretched to the network's square input.
 * @param labels - Names by index of the class.
 * @param k - Number of classes to return.
 * @returns The most probable classes, best first.
 */
export async function classify(
  net: Net,
  picture: PixelData,
  labels: readonly string[],
  k: number,
): Promise<Category[]> {
  const { input, output } = portsOf(net);
  const range = input.dtype === 'float32' ? { range: FLOAT_RANGE } : {};
  const { data } = await imageToTensor(picture, input, { ...range, antialias: true });
  const [scores] = (await net.run(data as Values)) as [Values];
  return topK({ ...output, data: scores }, { labels, k });
}
