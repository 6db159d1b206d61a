/** Models with a custom op `Mine`, and functions that compute it. */

import {
  type CustomOp,
  type CustomOpTensor,
  loadTFLiteModel,
  type TFLiteModel,
  type TFLiteModelOptions,
} from 'tflite-webnn';
import { addressOf, CPU } from './addresses.js';

export const ONE_TO_FOUR = () => Float32Array.of(1, 2, 3, 4);

/** Loads a model with a custom op `Mine`. */
export const load = (model: string, op: unknown, options: TFLiteModelOptions = CPU): Promise<TFLiteModel> =>
  loadTFLiteModel(addressOf(model), { ...options, customOps: { Mine: op as CustomOp } });

/** The values of a tensor of floats. */
export function floatsOf(tensor: CustomOpTensor | undefined): Float32Array {
  if (tensor?.dtype !== 'float32') throw new TypeError(`the tensor is ${tensor?.dtype}, not float32`);
  return tensor.data;
}

/** An op on floats. */
export const onFloats = (compute: (x: Float32Array, y: Float32Array) => void): CustomOp => ({
  run: ([x], [y]) => compute(floatsOf(x), floatsOf(y)),
});
export const COPY = onFloats((x, y) => y.set(x));
export const DOUBLE = onFloats((x, y) => y.set(x.map((value) => 2 * value)));
