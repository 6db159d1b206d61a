/**
 * Tasks: images or text in, answers out.
 *
 * @module tflite-webnn/tasks
 */

export { BertNLClassifier, type BertNLClassifierOptions } from './bert_nl_classifier.js';
export { type Answer, BertQuestionAnswerer, type BertQuestionAnswererOptions } from './bert_question_answerer.js';
export { bestCategories } from './categories.js';
export { type DetectorFile, headOf, outputOrder } from './detector_head.js';
export * from './errors.js';
export { ImageClassifier, type ImageClassifierOptions } from './image_classifier.js';
export { ImageSegmenter, type ImageSegmenterOptions, type Segmentation } from './image_segmenter.js';
export { type ImageCallOptions, ImageTask, type ImageTaskOptions, imageOptionsOf } from './image_task.js';
export { NLClassifier, type NLClassifierOptions } from './nl_classifier.js';
export { ObjectDetector, type ObjectDetectorOptions } from './object_detector.js';
/** @internal */
export * from './parts.js';
export { Task, type TaskCallOptions, type TaskOptions } from './task.js';
export { labelsOf, type TaskMetadata, type TaskModel, type TaskTensorMetadata } from './task_model.js';
export type { TextTaskOptions } from './text_task.js';
