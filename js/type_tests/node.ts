/** The package's types in a strict project for Node, without the types of pages. Compiled, never run. */

import { Worker } from 'node:worker_threads';
import { expectTypeOf } from 'expect-type';
import * as tflite from 'tflite-webnn';
import * as explain from 'tflite-webnn/explain';
import * as image from 'tflite-webnn/image';
import * as litert from 'tflite-webnn/litert';
import * as metadata from 'tflite-webnn/metadata';
import * as node from 'tflite-webnn/node';
import * as polyfill from 'tflite-webnn/polyfill';
import type * as sound from 'tflite-webnn/sound';
import * as tasks from 'tflite-webnn/tasks';
import type * as vision from 'tflite-webnn/vision';
import * as worker from 'tflite-webnn/worker';

export async function workers(): Promise<void> {
  expectTypeOf(worker.TFLiteWorker).toEqualTypeOf<typeof node.TFLiteWorker>();
  using thread = new worker.TFLiteWorker({ worker: new Worker('node_modules/tflite-webnn/node/model_worker.mjs') });
  await using model = await thread.loadTFLiteModel('models/model.tflite', { transfer: true });
  const [scores] = await model.run(new Float32Array(4));
  expectTypeOf(scores).toEqualTypeOf<tflite.TensorResult>();
  expectTypeOf(new node.TFLiteWorker({ url: new URL('file:///model_worker.mjs') }).dispose()).toBeVoid();
  // @ts-expect-error: what posts messages, and is not a thread
  new worker.TFLiteWorker({ worker: { postMessage() {}, terminate() {} } });
}

export async function images(pixels: Uint8Array): Promise<void> {
  expectTypeOf<image.ImageSource>().toEqualTypeOf<image.PixelData | Blob>();
  const model = await tflite.loadTFLiteModel('models/model.tflite');
  await image.imageToTensor({ data: pixels, width: 8, height: 8 }, model, { fit: 'crop' });
  const classifier = await tasks.ImageClassifier.create(model, { k: 1 });
  await classifier.classify({ data: pixels, width: 8, height: 8 });
  // @ts-expect-error: a path is not an image
  await classifier.classify('image.png');
}

/** No parameter is `any`, as types of pages would be. */
export function nothingIsOfPagesAlone(): void {
  expectTypeOf<Parameters<typeof sound.resampleSound>[0]>().toBeNever();
  expectTypeOf<vision.ImageSource>().toEqualTypeOf<image.ImageSource>();
  expectTypeOf<ReturnType<vision.MPMask['getAsWebGLTexture']>>().toBeNever();
  expectTypeOf<tflite.ModelSource>().not.toBeAny();
  expectTypeOf<NonNullable<tflite.TFLiteModelOptions['signal']>>().toEqualTypeOf<AbortSignal>();
}

export async function files(): Promise<void> {
  const own = await metadata.readModelMetadata('models/model.tflite');
  expectTypeOf(own).toEqualTypeOf<metadata.ModelMetadata | null>();
  expectTypeOf(explain.planMemory('models/model.tflite')).resolves.toEqualTypeOf<explain.MemoryPlan>();
  expectTypeOf(polyfill.install({ engine: 'tflite' })).resolves.toBeBoolean();
  expectTypeOf(litert.loadAndCompile('models/model.tflite')).resolves.toEqualTypeOf<litert.CompiledModel>();
}
