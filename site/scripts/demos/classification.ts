/** EfficientNet-Lite: a picture becomes probabilities of ImageNet's thousand classes. */

import type { Net, PortInfo, Values } from './net.js';
import { floatTensor, type Picture, type RgbPixels } from './picture.js';
import { resizePicture } from './resize.js';
import { type ClassScore, realValues, topClasses } from './scores.js';

// What float versions of the network take; integer ones take the pixels themselves.
const FLOAT_RANGE = { low: -1, high: 1 };

/**
 * Classifies a picture.
 *
 * @param net - The network.
 * @param picture - The picture, which is stretched to the network's square.
 * @param count - How many classes are wanted.
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
