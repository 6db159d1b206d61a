/** What Node's entry adds to a caller's wishes. */

import type { ModelSource } from './index.mjs';
import { nodeModule } from './support/local_files.js';

/** An address begins so. One letter before the colon is a drive. */
const SCHEME = /^[a-z][a-z0-9+.-]+:/i;

/** A path as a URL; what is none stays as it is. */
export function addressOf(source: ModelSource): ModelSource {
  if (typeof source !== 'string' || SCHEME.test(source)) return source;
  return nodeModule<{ pathToFileURL(path: string): URL }>('node:url')?.pathToFileURL(source) ?? source;
}

/** Half of the processor's threads. Older ones have no `navigator`, which has it in pages. */
export function defaultThreadCount(): number {
  const threads = nodeModule<{ availableParallelism(): number }>('node:os')?.availableParallelism() ?? 1;
  return Math.max(1, Math.floor(threads / 2));
}
