/**
 * The API of MediaPipe's vision tasks (`@mediapipe/tasks-vision`) on tflite-webnn: a program switches by its import.
 *
 * @packageDocumentation
 */

export type { ImageSource } from 'tflite-webnn/image';
export * from './errors.js';
export { FilesetResolver, type WasmFileset } from './fileset_resolver.js';
export { FaceDetector, type FaceDetectorOptions } from './landmarks/face_detector.js';
export { FaceLandmarker, type FaceLandmarkerOptions, type FaceLandmarkerResult } from './landmarks/face_landmarker.js';
export { HandLandmarker, type HandLandmarkerOptions, type HandLandmarkerResult } from './landmarks/hand_landmarker.js';
export {
  PoseLandmarker,
  type PoseLandmarkerCallback,
  type PoseLandmarkerOptions,
  PoseLandmarkerResult,
} from './landmarks/pose_landmarker.js';
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
