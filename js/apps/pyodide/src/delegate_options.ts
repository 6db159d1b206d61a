/**
 * The options of `load_delegate("webnn", {...})`: the delegate's own, by its names, and which WebNN to use. Values
 * are strings, as for all of TensorFlow Lite's delegates.
 */

import type { WebnnDelegateOptions } from 'tflite-webnn';
import { TFLiteWebnnError } from 'tflite-webnn/errors';
import { DELEGATE_OPTIONS } from 'tflite-webnn/generated/delegate_options';
import { instead } from 'tflite-webnn/support/validate_options';

/** An unknown option of the delegate, or an invalid value. */
export class DelegateOptionError extends TFLiteWebnnError {
  override readonly name = 'DelegateOptionError';
  override readonly code = 'DELEGATE_OPTION';
}

/** The options for Python: it has no context or worker to pass, and blocking is chosen automatically. */
type OptionName = keyof typeof DELEGATE_OPTIONS | 'polyfill';

/** An option, and its type. */
interface OptionRow {
  readonly key: string;
  readonly type: 'choice' | 'count' | 'flag' | 'ops' | 'workarounds';
  readonly choices?: readonly string[];
}

/** Engines of the polyfill that need no other script. */
const POLYFILLS = ['auto', 'never', 'tflite'] as const satisfies readonly WebnnDelegateOptions['polyfill'][];

const OPTIONS: Readonly<Record<OptionName, OptionRow>> = {
  ...DELEGATE_OPTIONS,
  polyfill: { key: 'polyfill', type: 'choice', choices: POLYFILLS },
};

/** JavaScript's names by Python's. */
const NAMES: ReadonlyMap<string, OptionName> = new Map(
  (Object.keys(OPTIONS) as OptionName[]).map((name) => [OPTIONS[name].key, name]),
);

/**
 * Checks and converts Python's options.
 *
 * @throws DelegateOptionError for an unknown name, with the nearest one there is, or an invalid value.
 */
export function parseDelegateOptions(provided: Readonly<Record<string, string>>): WebnnDelegateOptions {
  const entries = Object.entries(provided).map(([key, value]) => {
    const name = NAMES.get(key);
    if (name !== undefined) return [name, parseValue(key, value, OPTIONS[name])];
    throw new DelegateOptionError(`there is no option "${key}": ${instead(key, [...NAMES.keys()])}`);
  });
  return Object.fromEntries(entries) as WebnnDelegateOptions;
}

function parseValue(key: string, value: string, { type, choices }: OptionRow): unknown {
  if (type === 'choice' && choices?.includes(value)) return value;
  if (type === 'count' && /^[0-9]{1,9}$/.test(value)) return Number(value);
  if (type === 'flag' && Object.hasOwn(FLAGS, value.toLowerCase())) return FLAGS[value.toLowerCase()];
  if ((type === 'ops' || type === 'workarounds') && /^\w+(,\w+)*$/.test(value)) return value.split(',');
  const expected = type === 'choice' ? `one of ${choices?.join(', ')}` : EXPECTED[type];
  throw new DelegateOptionError(`the option "${key}" is ${expected}; got "${value}"`);
}

const FLAGS: Readonly<Record<string, boolean>> = { true: true, '1': true, false: false, '0': false };

const EXPECTED = {
  count: 'an integer, 0 or more',
  flag: 'True or False',
  ops: 'a list of TFLite ops, as CONV_2D,ADD',
  workarounds: 'all, or a list of ids, as gemm_nan,concat_rank',
};
