/**
 * The API of MediaPipe's vision tasks (`@mediapipe/tasks-vision`) on tflite-webnn: a program switches by its import.
 *
 * @module tflite-webnn/vision
 */

export type { ImageSource } from '@tflite-webnn/media/images';
export {
  type Callback,
  type CategoryToColorMap,
  type DrawingOptions,
  DrawingUtils,
  type LandmarkData,
  type RGBAColor,
} from './drawing_utils.js';
export { ImageClassifier, type ImageClassifierOptions, type ImageClassifierResult } from './image_classifier.js';
export {
  type EmbedderOptions,
  ImageEmbedder,
  type ImageEmbedderOptions,
  type ImageEmbedderResult,
} from './image_embedder.js';
export {
  ImageSegmenter,
  type ImageSegmenterCallback,
  type ImageSegmenterOptions,
  ImageSegmenterResult,
} from './image_segmenter.js';
export { FaceDetector, type FaceDetectorOptions, type FaceDetectorResult } from './landmarks/face_detector.js';
export { FaceLandmarker, type FaceLandmarkerOptions, type FaceLandmarkerResult } from './landmarks/face_landmarker.js';
export {
  GestureRecognizer,
  type GestureRecognizerOptions,
  type GestureRecognizerResult,
} from './landmarks/gesture_recognizer.js';
export {
  HandLandmarker,
  type HandLandmarkerOptions,
  type HandLandmarkerResult,
  type HandOptions,
} from './landmarks/hand_landmarker.js';
export {
  PoseLandmarker,
  type PoseLandmarkerCallback,
  type PoseLandmarkerOptions,
  PoseLandmarkerResult,
} from './landmarks/pose_landmarker.js';
export { MPMask } from './mask.js';
export { ObjectDetector, type ObjectDetectorOptions, type ObjectDetectorResult } from './object_detector.js';
export type {
  BaseOptions,
  ClassifierOptions,
  Delegate,
  ImageProcessingOptions,
  ModelLoader,
  RectF,
  RunningMode,
  VisionTaskOptions,
} from './options.js';
export type * from './results.js';
export { FilesetResolver, type WasmFileset } from './task_file.js';
export type { CallTimes } from './vision_model.js';
export type { VisionTask } from './vision_task.js';
