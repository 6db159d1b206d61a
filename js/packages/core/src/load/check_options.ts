/** The options of a model: with `enableWebNNDelegate` a model stayed on the CPU, silently. */

import {
  ADDRESS,
  COUNT,
  FLAG,
  FUNCTION,
  type Kind,
  type Kinds,
  LIST,
  OBJECT,
  oneOf,
  SIGNAL,
  TEXT,
  WORKER,
} from '../argument_kinds.js';
import { isShape } from '../dtypes.js';
import { DELEGATE_OPTIONS } from '../generated/delegate_options.js';
import type { DelegateOptions, TFLiteModelOptions, WebnnDelegateOptions } from '../options.js';
import type { CacheOptions } from '../support/file_cache.js';
import { checkGiven } from '../support/option_check.js';

const OF_TYPES = { count: COUNT, flag: FLAG, ops: LIST, workarounds: LIST };

const OF_DELEGATE = Object.fromEntries(
  Object.entries(DELEGATE_OPTIONS).map(([name, row]): [string, Kind] => [
    name,
    row.type === 'choice' ? oneOf(row.choices) : OF_TYPES[row.type],
  ]),
) as Kinds<DelegateOptions>;

const OF_CACHE: Kinds<CacheOptions> = { maxBytes: COUNT };

const OF_WEBNN: Kinds<WebnnDelegateOptions> = {
  ...OF_DELEGATE,
  polyfill: oneOf(['auto', 'never', 'tflite', 'webgpu', 'webgl']),
  context: OBJECT,
  blocking: FLAG,
  blockingHelper: ['an address or a worker', (value) => ADDRESS[1](value) || WORKER[1](value)],
};

/** What each option of a model has to be. */
export const MODEL_OPTION_KINDS: Kinds<TFLiteModelOptions> = {
  signal: SIGNAL,
  onProgress: FUNCTION,
  numThreads: [
    'a whole number from 1 to 256, or -1 for the default',
    (value) => value === -1 || (COUNT[1](value) && value !== 0 && Number(value) <= 256),
  ],
  cache: ['true, false or an object', (value) => FLAG[1](value) || OBJECT[1](value)],
  integrity: ['a hash as sha384-…', (value) => /^sha(256|384|512)-/.test(String(value))],
  enableProfiling: FLAG,
  maxProfilingBufferEntries: COUNT,
  inputShapes: ['a list of shapes', (value) => Array.isArray(value) && value.every(isShape)],
  device: oneOf(['auto', 'webnn', 'gpu', 'npu', 'cpu']),
  enableWebnnDelegate: FLAG,
  webnnDelegateOptions: OBJECT,
  enableXnnpackDelegate: FLAG,
  customOps: [
    'an object of custom ops, or the address of a module that exports one',
    (value) => ADDRESS[1](value) || OBJECT[1](value),
  ],
  wasmPath: TEXT,
  variant: oneOf(['auto', 'simd', 'relaxed-simd', 'simd-threads', 'relaxed-simd-threads']),
};

/**
 * Checks the options of a model.
 *
 * @throws OptionError for an unknown name, with the nearest one there is, or a value of another kind.
 */
export function checkOptions<Options extends TFLiteModelOptions>(
  options: Options,
  kinds = MODEL_OPTION_KINDS as Kinds<Options>,
): void {
  checkGiven('', options, kinds);
  if (typeof options.cache === 'object') checkGiven('cache.', options.cache, OF_CACHE);
  checkGiven('webnnDelegateOptions.', options.webnnDelegateOptions ?? {}, OF_WEBNN);
}
