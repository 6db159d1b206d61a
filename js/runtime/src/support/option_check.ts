/** Rejects options and arguments that would be ignored or misread, by a table of what each has to be. */

import { isKind, type Kind, type Kinds, type Members, OBJECT, oneOf } from '../argument_kinds.js';
import { kindOf, OptionError, type TFLiteWebnnError } from '../errors.js';

function problemIn(name: string, value: unknown, wanted: Kind | Members): string | null {
  const [text, takes] = isKind(wanted) ? wanted : OBJECT;
  if (!takes(value)) return `${name} is ${text}; it was given ${shown(value)}`;
  if (isKind(wanted)) return null;
  const problems = Object.entries(wanted).map(([key, kind]) =>
    problemIn(name && `${name}.${key}`, (value as Record<string, unknown>)[key], kind),
  );
  return problems.find((problem) => problem !== null) ?? null;
}

/**
 * Checks arguments of a call.
 *
 * @param call - The function's name, for messages.
 * @param given - Arguments by name.
 * @param kinds - What each has to be.
 * @throws `ErrorOf` for an argument of another kind.
 */
export function checkArguments<Given extends object>(
  call: string,
  given: Given,
  kinds: Readonly<Record<keyof Given, Kind | Members>>,
  ErrorOf: new (message: string) => TFLiteWebnnError = OptionError,
): void {
  for (const [name, kind] of Object.entries<Kind | Members>(kinds)) {
    const problem = problemIn(name, given[name as keyof Given], kind);
    if (problem !== null) throw new ErrorOf(`${call}(): ${problem}`);
  }
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
  if (!OBJECT[1](given)) {
    return `the ${prefix.slice(0, -1) || 'options'} are an object; they were given as ${shown(given)}`;
  }
  const unknown = Object.keys(given as object).find((name) => !Object.hasOwn(known, name));
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

/** A value in messages. */
export function shown(value: unknown): string {
  try {
    return (typeof value === 'string' ? JSON.stringify(value) : String(value)).slice(0, 40);
  } catch {
    return kindOf(value); // of an object without toString()
  }
}
