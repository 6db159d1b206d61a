/** Options of runs and streams. */

import { FLAG, integer, type Kind, OBJECT, type OptionSchema, SIGNAL } from '../option_schema.js';
import { checkArguments, validateOptions } from '../support/validate_options.js';
import type { OutputBuffers } from '../tensors/inputs_outputs.js';
import type { ModelState } from './state.js';

/** How inputs get into the worker. */
export interface TransferOptions {
  /**
   * Move the inputs' buffers instead of copying them: no copy is created, and the caller's arrays are empty afterwards.
   * An array that is only a part of its buffer is copied all the same. Without effect on a model in this thread.
   * Default: false.
   */
  readonly transfer?: boolean;
}

/** Options of a run that is done when the call returns. */
export interface SyncRunOptions<Outputs = OutputBuffers> {
  /**
   * Arrays for the results, in the order of the outputs or by name; where one is missing, a new array is created.
   * Passing the same arrays again and again saves the allocation.
   */
  readonly outputs?: Outputs;
}

/** What runs and streams have in common. */
export interface CallOptions extends TransferOptions {
  /**
   * Tensors that persist between runs. Its inputs and outputs are not the caller's: leave them out of `inputs` and
   * `outputs`, they are not among the results.
   */
  readonly state?: ModelState | undefined;
  /**
   * Ends the call: it rejects immediately with the signal's reason, and a run that waits does not start. A run that
   * computes already cannot be interrupted: the next one waits for it, and it writes into the arrays of `outputs`.
   */
  readonly signal?: AbortSignal | undefined;
}

/** Options of a run. */
export interface RunOptions<Outputs = OutputBuffers> extends CallOptions, SyncRunOptions<Outputs> {}

/** Options of a stream. */
export interface StreamOptions extends CallOptions {
  /**
   * How many inferences may be in flight. Default: 3. A model that is not in direct mode computes one at a time, and so
   * does a stream with a state.
   */
  readonly inFlight?: number;
}

export const TRANSFER_SCHEMA: OptionSchema<TransferOptions> = { transfer: FLAG };

const CALL_SCHEMA: OptionSchema<CallOptions> = { ...TRANSFER_SCHEMA, state: OBJECT, signal: SIGNAL };
// resolveOutputs() checks them with the outputs' names.
const SYNC_RUN_SCHEMA: OptionSchema<SyncRunOptions<unknown>> = { outputs: ['arrays', () => true] };
const RUN_SCHEMA: OptionSchema<RunOptions<unknown>> = { ...CALL_SCHEMA, ...SYNC_RUN_SCHEMA };
const STREAM_SCHEMA: OptionSchema<StreamOptions> = { ...CALL_SCHEMA, inFlight: integer(1, 1024) };
const ITERABLE: Kind = [
  'an iterable',
  (value) =>
    Object(value) === value && (Symbol.iterator in (value as object) || Symbol.asyncIterator in (value as object)),
];
const NONE = {};

/**
 * Checks the options of a run.
 *
 * @returns them.
 * @throws OptionError
 */
export function runOptions<Options extends object = RunOptions>(
  options: Options = NONE as Options,
  kinds = RUN_SCHEMA as OptionSchema<Options>,
): Options {
  if (options !== NONE) validateOptions('', options, kinds);
  return options;
}

/**
 * Checks the options of runSync().
 *
 * @returns them.
 * @throws OptionError
 */
export function syncRunOptions(options: SyncRunOptions = NONE): SyncRunOptions {
  return runOptions(options, SYNC_RUN_SCHEMA);
}

/**
 * The options of a stream, with the default.
 *
 * @throws OptionError, also where the source cannot be iterated.
 */
export function streamOptions(
  source: unknown,
  options: StreamOptions = {},
): StreamOptions & { readonly inFlight: number } {
  validateOptions('', options, STREAM_SCHEMA);
  checkArguments('stream', { source }, { source: ITERABLE });
  return { ...options, inFlight: options.inFlight ?? 3 };
}
