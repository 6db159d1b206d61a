/** The RFC's example on an orange image, in a page and in a worker. */

import '@tensorflow/tfjs-backend-cpu';
import * as tf from '@tensorflow/tfjs-core';
import type { ModelReport } from 'tflite-webnn';
import { runOnImage } from '../apps/examples/rfc_example.mjs';
import { addressOf } from './addresses.js';

const SIDE = 4;

/** An orange image of 4 x 4 pixels. */
export function orangeImage(): ImageData {
  const context = new OffscreenCanvas(SIDE, SIDE).getContext('2d') as OffscreenCanvasRenderingContext2D;
  context.fillStyle = 'rgb(255, 51, 0)';
  context.fillRect(0, 0, SIDE, SIDE);
  return context.getImageData(0, 0, SIDE, SIDE);
}

/** Runs the example with a model that inverts the image: its pixels, and what its report says. */
export async function runExample(image: ImageData | HTMLCanvasElement) {
  const results = await runOnImage(tf, image, addressOf('inverted'));
  const [tensor, { executionMode, webnn }] = results as [tf.Tensor, ModelReport];
  return { shape: tensor.shape, values: [...tensor.dataSync()], executionMode, reason: webnn.reason };
}
