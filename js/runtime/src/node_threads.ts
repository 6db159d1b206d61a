/** Node's default number of threads. */

import { nodeModule } from './support/local_files.js';

/** Half of the processor's threads. Older ones have no `navigator`, which has it in pages. */
export function defaultThreadCount(): number {
  const threads = nodeModule<{ availableParallelism(): number }>('node:os')?.availableParallelism() ?? 1;
  return Math.max(1, Math.floor(threads / 2));
}
