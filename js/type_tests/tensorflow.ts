/** The types of predict() with the real TensorFlow.js. Compiled, never run. */

import * as tf from '@tensorflow/tfjs-core';
import { expectTypeOf } from 'expect-type';
import type { TypedArray } from 'tflite-webnn';
import { loadTFLiteModel, TFLiteModel } from 'tflite-webnn/tfjs';
import type { WorkerModel } from 'tflite-webnn/worker';

declare const model: TFLiteModel;
declare const remote: WorkerModel;
declare const image: tf.Tensor4D;
declare const names: tf.NamedTensorMap;

export async function inSameStructure(): Promise<void> {
  await loadTFLiteModel('model.tflite', { tf });
  const result = model.predict(tf.tensor([1, 2]));
  expectTypeOf(result).toEqualTypeOf<tf.Tensor | Record<string, tf.Tensor>>();
  expectTypeOf(result).toExtend<tf.Tensor | tf.NamedTensorMap>();
  expectTypeOf(model.predict([tf.tensor([1]), tf.tensor([2])])).toExtend<tf.Tensor | tf.NamedTensorMap>();
  expectTypeOf(model.predict(names)).toExtend<tf.Tensor | tf.NamedTensorMap>();
  expectTypeOf(model.predictAsync(names)).resolves.toExtend<tf.Tensor | tf.NamedTensorMap>();
  expectTypeOf(new TFLiteModel(remote, { tf }).predictAsync(names)).resolves.toExtend<tf.Tensor | tf.NamedTensorMap>();
  expectTypeOf(model.predict(new Float32Array(2))).toEqualTypeOf<TypedArray | Record<string, TypedArray>>();
  // @ts-expect-error: tensors and arrays are not mixed
  model.predict([tf.tensor([1]), new Float32Array(1)]);
}

export async function ofAnyRank(): Promise<void> {
  // The type gives the result the input's rank; only the caller knows the model's.
  expectTypeOf(model.predict(image)).toExtend<tf.Tensor | tf.NamedTensorMap>();
  expectTypeOf(model.predict<tf.Tensor>(image)).toEqualTypeOf<tf.Tensor | Record<string, tf.Tensor>>();
  expectTypeOf(await model.predictAsync<tf.Tensor>({ image })).toExtend<tf.Tensor | tf.NamedTensorMap>();
}
