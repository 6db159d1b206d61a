/** Options that tasks share: messages of the client, with protobuf's getters. */

import { TaskError } from './task_error.js';

/** How many results, and which. */
export interface ResultOptions {
  /** Negative for all. */
  getMaxResults(): number;
  hasScoreThreshold(): boolean;
  getScoreThreshold(): number;
  /** -1 leaves the number to the module. */
  getNumThreads(): number;
  /** Language of names to show. */
  getDisplayNamesLocale(): string;
}

/** @throws TaskError where they cannot be followed. */
export function checkResultOptions(options: Pick<ResultOptions, 'getMaxResults' | 'getNumThreads'>): void {
  if (options.getMaxResults() === 0)
    throw new TaskError('argument', 'Invalid `max_results` option: value must be != 0');
  checkThreads(options);
}

/** @throws TaskError where it is no number of threads. */
export function checkThreads(options: Pick<ResultOptions, 'getNumThreads'>): void {
  const threads = options.getNumThreads();
  if (threads > 0 || threads === -1) return;
  throw new TaskError('argument', '`num_threads` must be greater than 0 or equal to -1.');
}
