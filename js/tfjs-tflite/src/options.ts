/** Options that `@tensorflow/tfjs-tflite` passes on. */

import { OptionError, type TFLiteModelOptions } from '../../runtime/src/internals.js';

/** The client's own options, and this project's, which it passes on unchanged. */
export type TFLiteWebModelRunnerOptions = Pick<
  TFLiteModelOptions,
  'numThreads' | 'enableProfiling' | 'maxProfilingBufferEntries' | 'enableWebnnDelegate' | 'webnnDelegateOptions'
>;

const TYPES: Readonly<Record<string, string>> = {
  numThreads: 'number',
  enableProfiling: 'boolean',
  maxProfilingBufferEntries: 'number',
  enableWebnnDelegate: 'boolean',
  webnnDelegateOptions: 'object',
} satisfies Record<keyof TFLiteWebModelRunnerOptions, string>;

/** @throws OptionError for a value of another type. Other names are those of other versions of the client. */
export function checkRunnerOptions(options: TFLiteWebModelRunnerOptions): void {
  for (const [name, type] of Object.entries(TYPES)) {
    const value = options[name as never] as unknown;
    if (value !== undefined && typeof value !== type) throw new OptionError(`the option ${name} is a ${type}`);
  }
}
