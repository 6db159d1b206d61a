/** Tasks of the image demos. */

import type { TaskName } from '../vision/serve_tasks.js';
import type { Facing } from './camera.js';

/** A task of the vision worker, and what the page shows of its results. */
export interface ImageTask<Result> {
  /** Its name in the worker; also the fragment of the page's URL, and the value of the radio button. */
  readonly key: TaskName;
  readonly title: string;
  /** Shown below the title. */
  readonly note: string;
  /** The file of the task, by its name in pages.toml. */
  readonly file: string;
  readonly facing: Facing;
  /** The result in one sentence. */
  summary(result: Result): string;
  /** The result in detail. */
  details(result: Result, image: ImageData): Node;
}
