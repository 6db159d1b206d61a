/** Options that `@tensorflow/tfjs-tflite` passes on. */

import type { TFLiteModelOptions } from 'tflite-webnn';
import { OptionError } from 'tflite-webnn/errors';

/** The client's own options, and this project's, which it passes on unchanged. */
export type TFLiteWebModelRunnerOptions = Pick<
  TFLiteModelOptions,
  'numThreads' | 'enableProfiling' | 'maxProfilingBufferEntries' | 'enableWebnnDelegate' | 'webnnDelegateOptions'
>;

const NAMES: readonly (keyof TFLiteWebModelRunnerOptions)[] = [
  'numThreads',
  'enableProfiling',
  'maxProfilingBufferEntries',
  'enableWebnnDelegate',
  'webnnDelegateOptions',
];

/** @throws OptionError for an unknown name: with `enableWebNNDelegate` the model would remain on the CPU, silently. */
export function checkOptions(options: TFLiteWebModelRunnerOptions): void {
  if (options === null) throw new OptionError('the options are null: leave them out');
  for (const name of Object.keys(options ?? {})) {
    if (!NAMES.includes(name as never)) throw new OptionError(`no option "${name}": it is one of ${NAMES.join(', ')}`);
  }
}
