/** Refuses options that a load would ignore or misread: with `enableWebNNDelegate` a model stayed on the CPU, silently. */

import { OptionError } from '../errors.js';
import { DELEGATE_OPTIONS } from '../generated/delegate_options.js';
import type { DelegateOptions, TFLiteModelOptions, WebnnDelegateOptions } from '../options.js';

/** What an option has to be, in words, and whether a value is that. */
type Kind = readonly [wanted: string, takes: (value: unknown) => boolean];
type Kinds<Options> = Readonly<Record<keyof Options, Kind>>;

const FLAG: Kind = ['true or false', (value) => typeof value === 'boolean'];
const COUNT: Kind = ['a whole number, 0 or more', (value) => Number.isSafeInteger(value) && Number(value) >= 0];
const TEXT: Kind = ['a string', (value) => typeof value === 'string'];
const LIST: Kind = ['an array', Array.isArray];
const OBJECT: Kind = ['an object', (value) => typeof value === 'object' && value !== null];
const oneOf = (choices: readonly string[]): Kind => [
  `one of ${choices.join(', ')}`,
  (value) => choices.includes(value as string),
];

const OF_TYPES = { count: COUNT, flag: FLAG, ops: LIST };

const OF_DELEGATE = Object.fromEntries(
  Object.entries(DELEGATE_OPTIONS).map(([name, row]) => [
    name,
    row.type === 'choice' ? oneOf(row.choices) : OF_TYPES[row.type],
  ]),
) as Kinds<DelegateOptions>;

const OF_WEBNN: Kinds<WebnnDelegateOptions> = {
  ...OF_DELEGATE,
  polyfill: oneOf(['auto', 'never', 'tflite', 'webgpu', 'webgl']),
  context: OBJECT,
  blocking: FLAG,
  blockingHelper: ['an address or a worker', (value) => TEXT[1](value) || OBJECT[1](value)],
};

const OF_MODEL: Kinds<TFLiteModelOptions> = {
  signal: OBJECT,
  onProgress: ['a function', (value) => typeof value === 'function'],
  numThreads: ['a whole number, 1 or more', (value) => COUNT[1](value) && value !== 0],
  enableProfiling: FLAG,
  maxProfilingBufferEntries: COUNT,
  inputShapes: LIST,
  tf: OBJECT,
  enableWebnnDelegate: FLAG,
  webnnDelegateOptions: OBJECT,
  enableXnnpackDelegate: FLAG,
  wasmPath: TEXT,
  variant: oneOf(['auto', 'simd', 'relaxed-simd', 'simd-threads', 'relaxed-simd-threads']),
};

/**
 * Checks the options of a model.
 *
 * @throws OptionError for an unknown name, with the nearest one there is, or a value of another type.
 */
export function checkOptions(options: TFLiteModelOptions): void {
  check('', options, OF_MODEL);
  check('webnnDelegateOptions.', options.webnnDelegateOptions ?? {}, OF_WEBNN);
}

function check(prefix: string, given: object, kinds: Readonly<Record<string, Kind>>): void {
  for (const [name, value] of Object.entries(given)) {
    const kind = Object.hasOwn(kinds, name) ? kinds[name] : undefined;
    if (kind === undefined) {
      throw new OptionError(`there is no option "${prefix}${name}": ${instead(prefix, name, Object.keys(kinds))}`);
    }
    if (value !== undefined && !kind[1](value)) {
      throw new OptionError(`the option "${prefix}${name}" is ${kind[0]}; it was given ${shown(value)}`);
    }
  }
}

function instead(prefix: string, name: string, names: readonly string[]): string {
  const near = names.filter((known) => distance(known.toLowerCase(), name.toLowerCase()) <= name.length / 3);
  return near.length > 0
    ? `did you mean ${near.map((known) => prefix + known).join(' or ')}?`
    : `it is ${oneOf(names)[0]}`;
}

/** How many letters differ: the Levenshtein distance. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 0; i < a.length; i++) {
    const next = [i + 1];
    for (let j = 0; j < b.length; j++) {
      const replaced = (row[j] ?? 0) + (a[i] === b[j] ? 0 : 1);
      next.push(Math.min(replaced, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}

function shown(value: unknown): string {
  return typeof value === 'string' ? JSON.stringify(value) : String(value).slice(0, 40);
}
