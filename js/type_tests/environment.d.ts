/** What the code in documents takes from the page around it. */

import type { ImageClassifier } from 'tflite-webnn/tasks';
import type { TfTensor } from 'tflite-webnn/tfjs';

declare global {
  const tfliteWebnn: typeof import('tflite-webnn');
  const loadTFLiteModel: typeof import('tflite-webnn').loadTFLiteModel;
  const TFLiteWorker: typeof import('tflite-webnn/worker').TFLiteWorker;
  const tfliteCpu: typeof import('tflite-webnn/cpu');
  const model: import('tflite-webnn').TFLiteModel;
  const module: WebAssembly.Module;
  const bytes: Uint8Array;
  const file: Blob;
  const tokens: Int32Array;
  const input_pos: Int32Array;
  const last: Int32Array;
  const position: Int32Array;
  const pixels: Float32Array;
  const features: Float32Array;
  const labels: string[];
  const image: HTMLImageElement;
  /** TensorFlow.js, as far as the documents use it. */
  const tf: import('tflite-webnn/tfjs').TfLibrary & {
    browser: { fromPixels(image: HTMLImageElement): TfPixels };
  };
  interface TfPixels extends TfTensor {
    toFloat(): TfPixels;
    expandDims(): TfPixels;
  }
  /** The client of tfjs-tflite. */
  const tflite: { setWasmPath(path: string): void; loadTFLiteModel(source: string): Promise<unknown> };
  const video: HTMLVideoElement;
  const canvas: HTMLCanvasElement;
  const classifier: ImageClassifier;
  /** WebNN's own types are no part of TypeScript's yet. */
  const MLGraphBuilder: new (context: unknown) => import('tflite-webnn/polyfill').MLGraphBuilder;
  interface Navigator {
    ml: import('tflite-webnn/polyfill').ML;
  }
  function images(): AsyncIterable<Float32Array>;
  function show(data: ArrayLike<number | bigint | string | boolean>): void;
  function draw(label: string | undefined, score: number, box: object): void;
}
