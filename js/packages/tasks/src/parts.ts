/** What tasks of other entries are made of: `tflite-webnn/language`. */

export { type OwnKinds, openTask } from './task.js';
export { described, type OpenModel } from './task_model.js';
export { checkText, openTextTokenizer, TEXT_TASK_OPTIONS } from './text_task.js';
