/** Checks of options that all landmark tasks have. */

import { OptionError } from 'tflite-webnn';

const HALF = 0.5;

/**
 * A confidence of the options: from 0 to 1.
 *
 * @throws OptionError
 */
export function confidence(value: number | undefined, name: string, missing = HALF): number {
  const given = value ?? missing;
  if (given >= 0 && given <= 1) return given;
  throw new OptionError(`${name} is ${given}: it must be from 0 to 1.`);
}

/**
 * A number of things: 1 or more.
 *
 * @throws OptionError
 */
export function countOf(value: number | undefined, name: string): number {
  const given = value ?? 1;
  if (Number.isInteger(given) && given > 0) return given;
  throw new OptionError(`${name} is ${given}: it must be a whole number over 0.`);
}
