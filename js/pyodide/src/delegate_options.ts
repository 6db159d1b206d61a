/**
 * The options of `load_delegate("webnn", {...})`: one table, from which they are checked, and told to Python. Python gives
 * names in its own way of writing and values as text, as TensorFlow Lite's delegates get them everywhere.
 */

import { DEVICE_PREFERENCES, POWER_PREFERENCES, type WebnnDelegateOptions } from '../../runtime/src/options.js';
import { DelegateOptionError } from './errors.js';

/** What a value is. */
type Kind =
  | { readonly kind: 'choice'; readonly choices: readonly string[] }
  | { readonly kind: 'count' }
  | { readonly kind: 'flag' }
  | { readonly kind: 'ops' };

/** The options that make sense in Python: a context and a worker are JavaScript's, and waiting is found out. */
type DelegateOption = Exclude<keyof WebnnDelegateOptions, 'context' | 'blocking' | 'blockingHelper'>;

/** Engines of the polyfill that need no script beside this one. */
const POLYFILLS = ['auto', 'never', 'tflite'] as const satisfies readonly WebnnDelegateOptions['polyfill'][];

const OPTIONS: Readonly<Record<DelegateOption, Kind>> = {
  devicePreference: { kind: 'choice', choices: DEVICE_PREFERENCES },
  powerPreference: { kind: 'choice', choices: POWER_PREFERENCES },
  polyfill: { kind: 'choice', choices: POLYFILLS },
  maxPartitions: { kind: 'count' },
  minNodesPerPartition: { kind: 'count' },
  ignorePartitionCost: { kind: 'flag' },
  allowedOps: { kind: 'ops' },
  deniedOps: { kind: 'ops' },
};

/** Python's names of the options, and JavaScript's. */
const NAMES: ReadonlyMap<string, DelegateOption> = new Map(
  (Object.keys(OPTIONS) as DelegateOption[]).map((name) => [snakeCase(name), name]),
);

/**
 * Takes options as Python gives them.
 *
 * @throws DelegateOptionError naming what there is.
 */
export function takeDelegateOptions(given: Readonly<Record<string, string>>): WebnnDelegateOptions {
  const entries = Object.entries(given).map(([key, value]) => {
    const name = NAMES.get(key);
    if (name !== undefined) return [name, takeValue(key, value, OPTIONS[name])];
    throw new DelegateOptionError(`there is no option "${key}"; there are: ${[...NAMES.keys()].join(', ')}`);
  });
  return Object.fromEntries(entries) as WebnnDelegateOptions;
}

function takeValue(key: string, value: string, kind: Kind): unknown {
  if (kind.kind === 'choice' && kind.choices.includes(value)) return value;
  if (kind.kind === 'count' && /^[1-9][0-9]{0,8}$/.test(value)) return Number(value);
  if (kind.kind === 'flag' && Object.hasOwn(FLAGS, value.toLowerCase())) return FLAGS[value.toLowerCase()];
  if (kind.kind === 'ops' && /^\w+(,\w+)*$/.test(value)) return value.split(',');
  throw new DelegateOptionError(`the option "${key}" is ${wanted(kind)}; got "${value}"`);
}

const FLAGS: Readonly<Record<string, boolean>> = { true: true, '1': true, false: false, '0': false };

function wanted(kind: Kind): string {
  if (kind.kind === 'choice') return `one of ${kind.choices.join(', ')}`;
  if (kind.kind === 'count') return 'a whole number above 0';
  return kind.kind === 'flag' ? 'True or False' : 'a list of TFLite ops, as CONV_2D,ADD';
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
