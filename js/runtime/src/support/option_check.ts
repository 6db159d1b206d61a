/** Refuses options that would be ignored or misread, by a table of what each has to be. */

import { OptionError } from '../errors.js';

/** What an option has to be, in words, and whether a value is that. */
export type Kind = readonly [wanted: string, takes: (value: unknown) => boolean];

/** A row for each option. */
export type Kinds<Options> = Readonly<Record<keyof Options, Kind>>;

export const FLAG: Kind = ['true or false', (value) => typeof value === 'boolean'];
export const TEXT: Kind = ['a string', (value) => typeof value === 'string'];
export const LIST: Kind = ['an array', Array.isArray];
export const OBJECT: Kind = ['an object', (value) => typeof value === 'object' && value !== null];
export const ADDRESS: Kind = ['a string or a URL', (value) => TEXT[1](value) || value instanceof URL];
export const COUNT: Kind = ['a whole number, 0 or more', (value) => Number.isSafeInteger(value) && Number(value) >= 0];

export function oneOf(choices: readonly string[]): Kind {
  return [`one of ${choices.join(', ')}`, (value) => choices.includes(value as string)];
}

/**
 * Checks options. A value may be undefined.
 *
 * @param prefix - Precedes each name in messages, e.g. `webnnDelegateOptions.`.
 * @throws OptionError for an unknown name, with the nearest one there is, or a value of another kind.
 */
export function checkGiven<Options>(prefix: string, given: Options, kinds: Kinds<Options>): void {
  const rows: Readonly<Record<string, Kind>> = kinds;
  const unknown = unknownOption(given, rows, prefix);
  if (unknown !== null) throw new OptionError(unknown);
  for (const [name, value] of Object.entries(given as object)) {
    const kind = rows[name] as Kind;
    if (value !== undefined && !kind[1](value)) {
      throw new OptionError(`the option "${prefix}${name}" is ${kind[0]}; it was given ${shown(value)}`);
    }
  }
}

/**
 * Finds an option of an unknown name, for programs that check their options as this package does.
 *
 * @param given - The options.
 * @param known - An object with all names as keys.
 * @param prefix - Precedes each name in the message.
 * @returns The message of an error, with the nearest name there is, or that this is no object; null if all names are known.
 */
export function unknownOption(given: unknown, known: object, prefix = ''): string | null {
  if (typeof given !== 'object' || given === null) {
    return `the ${prefix.slice(0, -1) || 'options'} are an object; they were given as ${shown(given)}`;
  }
  const unknown = Object.keys(given).find((name) => !Object.hasOwn(known, name));
  if (unknown === undefined) return null;
  const names = Object.keys(known).map((name) => prefix + name);
  return `there is no option "${prefix}${unknown}": ${instead(prefix + unknown, names)}`;
}

/** The nearest of the names as a question, or all names if none is near. */
export function instead(name: string, names: readonly string[]): string {
  const near = names.filter((known) => distance(known.toLowerCase(), name.toLowerCase()) <= ownLength(name) / 3);
  return near.length > 0 ? `did you mean ${near.join(' or ')}?` : `it is ${oneOf(names)[0]}`;
}

/** Without the prefix, which is always right. */
function ownLength(name: string): number {
  return name.length - name.lastIndexOf('.') - 1;
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
