/**
 * The API of MediaPipe's vision tasks (`@mediapipe/tasks-vision`) on tflite-webnn: a program switches by its import.
 *
 * @packageDocumentation
 */

export type { ImageSource } from 'tflite-webnn/image';
export * from './errors.js';
export { FilesetResolver, type WasmFileset } from './fileset_resolver.js';
export { MPMask } from './mask.js';
export type {
  BaseOptions,
  ClassifierOptions,
  Delegate,
  ImageProcessingOptions,
  RectF,
  RunningMode,
  VisionTaskOptions,
} from './options.js';
export type * from './results.js';
