/**
 * Tasks: pictures in, answers out.
 *
 * @packageDocumentation
 */

export * from './errors.js';
export { ImageClassifier, type ImageClassifierOptions } from './image_classifier.js';
export { ImageSegmenter, type ImageSegmenterOptions, type Segmentation } from './image_segmenter.js';
export { ImageTask, type ImageTaskOptions, type PictureOptions } from './image_task.js';
export { ObjectDetector, type ObjectDetectorOptions } from './object_detector.js';
export type { TaskMetadata, TaskModel, TaskTensorMetadata } from './task_model.js';
