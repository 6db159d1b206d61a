/**
 * Tasks: images or text in, results out.
 *
 * @module tflite-webnn/tasks
 */

export { BertNLClassifier, type BertNLClassifierOptions } from './bert_nl_classifier.js';
export { type Answer, BertQuestionAnswerer, type BertQuestionAnswererOptions } from './bert_question_answerer.js';
export { bestCategories, labelsOf } from './categories.js';
export { ImageClassifier, type ImageClassifierOptions } from './image_classifier.js';
export { ImageSegmenter, type ImageSegmenterOptions, type Segmentation } from './image_segmenter.js';
export {
  type ImageCallOptions,
  type ImagePreparation,
  ImageTask,
  type ImageTaskOptions,
  imageOptionsOf,
} from './image_task.js';
export { NLClassifier, type NLClassifierOptions } from './nl_classifier.js';
export {
  type DetectorFile,
  headOf,
  ObjectDetector,
  type ObjectDetectorOptions,
  outputOrder,
} from './object_detector.js';
export {
  Task,
  type TaskCallOptions,
  type TaskMetadata,
  type TaskModel,
  TaskModelError,
  type TaskOptions,
  type TaskTensorMetadata,
} from './task.js';
export type { TextTaskOptions } from './text_task.js';

// Not for users: other entries of the package share it.

/** @internal */
export { scoresOf } from './object_detector.js';
/** @internal */
export { described, type OpenModel, type OwnSchema, openTask } from './task.js';
/** @internal */
export { checkText, openTextTokenizer, TEXT_TASK_OPTIONS } from './text_task.js';
