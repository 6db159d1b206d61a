/** EfficientNet-Lite: probabilities of ImageNet's 1000 classes for a picture. */

import type { Net, PortInfo, Values } from './net.js';
import { floatTensor, type Picture, type RgbPixels } from './picture.js';
import { resizePicture } from './resize.js';
import { type ClassScore, realValues, topClasses } from './scores.js';

// Input range of the float models; integer models take the pixels unscaled.
const FLOAT_RANGE = { low: -1, high: 1 };

/**
 * Classifies a picture.
 *
 * @param net - The network.
 * @param picture - Stretched to the network's square input.
 * @param count - Number of classes to return.
 * @returns The most probable classes, best first.
 */
export async function classify(net: Net, picture: Picture, count: number): Promise<ClassScore[]> {
  const [input, output] = [net.inputs[0] as PortInfo, net.outputs[0] as PortInfo];
  const [, height = 0, width = 0] = input.shape;
  const [scores] = (await net.run(tensorOf(resizePicture(picture, width, height), input))) as [Values];
  return topClasses(realValues(scores, output), count);
}

function tensorOf(pixels: RgbPixels, { dtype }: PortInfo): Values {
  return dtype === 'uint8' ? pixels.data : floatTensor(pixels, FLOAT_RANGE);
}
