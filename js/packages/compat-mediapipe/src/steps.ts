/** What a task does with a picture: between runs of its models, which a call waits for or not. */

import type { ShapedValues, TensorResult } from 'tflite-webnn';
import type { VisionModel } from './vision_model.js';

/** A run of a model. */
export interface ModelRun {
  readonly model: VisionModel;
  /** In the order of the model's inputs. */
  readonly inputs: readonly ShapedValues[];
}

/**
 * The work on one picture. It yields the runs that it needs and gets their results, so that one function serves calls
 * that wait and calls that do not: `const [scores] = yield { model, inputs: [tensor] };`
 */
export type Steps<Output> = Generator<ModelRun, Output, readonly TensorResult[]>;

/** Does all steps before it returns. */
export function runSteps<Output>(steps: Steps<Output>): Output {
  let step = steps.next();
  while (!step.done) step = steps.next(step.value.model.runSync(step.value.inputs));
  return step.value;
}

/** Does all steps, with models on WebNN. */
export async function runStepsAsync<Output>(steps: Steps<Output>): Promise<Output> {
  let step = steps.next();
  while (!step.done) step = steps.next(await step.value.model.run(step.value.inputs));
  return step.value;
}
