/** Bundles of tasks that run several models. */

import type { TaskBundle } from 'tflite-webnn/metadata';
import { TaskModelError } from 'tflite-webnn/tasks';
import type { TaskFile } from '../task_file.js';

/**
 * The bundle of a task.
 *
 * @throws TaskModelError where the file is one model.
 */
export function bundleOf({ bundle }: TaskFile, task: string): TaskBundle {
  if (bundle) return bundle;
  throw new TaskModelError(`${task} runs several models: it needs a .task bundle of them, and the file is one model.`);
}
