/** A task of `tflite-webnn/tasks` with one model, which may be the visitor's. */

import type { TFLiteModel } from 'tflite-webnn';
import type { Result } from 'tflite-webnn/results';
import type { TaskModel } from 'tflite-webnn/tasks';
import { guessRecipe, imageOptions, type OutputKind, type Recipe } from '../common/recipe.js';
import type { TaskResult, WorkerTask } from './worker_task.js';

/** Processes an image. */
type ProcessImage<Result> = (image: ImageData) => Promise<TaskResult<Result>>;

/** Creates a task of a model: `options` say which images its file expects. */
type Create<Result> = (model: TaskModel, options: object, recipe: Recipe) => Promise<ProcessImage<Result>>;

const TITLES: Readonly<Record<OutputKind, string>> = {
  classes: 'a score for each class',
  boxes: 'boxes',
  mask: 'a mask',
  points: 'points',
  tensors: 'other numbers',
};

/** A model whose runs are timed. */
class TimedModel implements TaskModel {
  readonly times = { image: 0, model: 0 };
  readonly #model: TFLiteModel;
  #startedMs = 0;

  constructor(model: TFLiteModel) {
    this.#model = model;
  }

  get inputs() {
    return this.#model.inputs;
  }

  get outputs() {
    return this.#model.outputs;
  }

  get metadata() {
    return this.#model.metadata;
  }

  /** An image comes. */
  start(): void {
    this.#startedMs = performance.now();
  }

  async run(...provided: Parameters<TaskModel['run']>): ReturnType<TaskModel['run']> {
    const before = performance.now();
    const results = (await this.#model.run(...(provided as Parameters<TFLiteModel['run']>))) as readonly Result[];
    this.times.image = before - this.#startedMs;
    this.times.model = performance.now() - before;
    return results;
  }

  dispose(): void {
    this.#model.dispose();
  }
}

/**
 * A task of the worker.
 *
 * @param output - What the task reads; a model that returns something else is an error.
 */
export function modelTask<Result>(output: OutputKind, create: Create<Result>): WorkerTask<Result> {
  return {
    async open(file, loadModel, labels) {
      const model = new TimedModel(await loadModel(file));
      try {
        const { inputs, outputs } = model;
        const recipe = guessRecipe({ inputs, outputs, metadata: await model.metadata });
        if (recipe.output !== output && recipe.output !== 'tensors') throw wrongModel(recipe.output, output);
        const processImage = await create(model, { ...imageOptions(recipe), ...(labels && { labels }) }, recipe);
        return {
          times: model.times,
          process(image) {
            model.start();
            return processImage(image);
          },
          close: () => model.dispose(),
        };
      } catch (error) {
        model.dispose();
        throw error;
      }
    },
  };
}

function wrongModel(found: OutputKind, expected: OutputKind): Error {
  return new Error(
    `The model seems to return ${TITLES[found]}, and this demo shows ${TITLES[expected]}. ` +
      'Try it in the explorer, in the tab Run.',
  );
}
