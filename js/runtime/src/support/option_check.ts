/** Rejects options and arguments that would be ignored or misread, by a table of what each has to be. */

import { isKind, type Kind, type Kinds, type Members, OBJECT, oneOf } from '../argument_kinds.js';
import { type ErrorContext, kindOf, OptionError, type TFLiteWebnnError } from '../errors.js';

/** A wrong argument, or member of one, and what is wrong with it. */
interface Problem {
  readonly name: string;
  readonly text: string;
}

function problemIn(name: string, value: unknown, wanted: Kind | Members): Problem | null {
  const [text, takes] = isKind(wanted) ? wanted : OBJECT;
  if (!takes(value)) return { name, text: `${name} is ${text}; it was given ${shown(value)}` };
  if (isKind(wanted)) return null;
  const members = value as Record<string, unknown>;
  const unknown = name === 'options' ? unknownOption(members, wanted) : null;
  if (unknown !== null) return { name: unknownNames(members, wanted)[0] ?? name, text: unknown };
  const problems = Object.entries(wanted).map(([key, kind]) => problemIn(`${name}.${key}`, members[key], kind));
  return problems.find((problem) => problem !== null) ?? null;
}

/**
 * Checks arguments of a call. The argument "options" has no other members than those of its table.
 *
 * @param call - The function's name, for messages.
 * @param given - Arguments by name.
 * @param kinds - What each has to be.
 * @param errorOf - Makes the error for an argument of another kind.
 * @throws OptionError, or what `errorOf` returns.
 */
export function checkArguments<Given extends object>(
  call: string,
  given: Given,
  kinds: Readonly<Record<keyof Given, Kind | Members>>,
  errorOf: (message: string, context: ErrorContext) => TFLiteWebnnError = (...given) => new OptionError(...given),
): void {
  for (const [name, kind] of Object.entries<Kind | Members>(kinds)) {
    const problem = problemIn(name, given[name as keyof Given], kind);
    if (problem === null) continue;
    throw errorOf(`${call}(): ${problem.text}`, { details: { option: problem.name.replace('options.', '') } });
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
  if (unknown !== null) throw wrongOption(prefix + (unknownNames(given, rows)[0] ?? ''), unknown);
  for (const [name, value] of Object.entries(given as object)) {
    const kind = rows[name] as Kind;
    if (value !== undefined && !kind[1](value)) {
      const option = prefix + name;
      throw wrongOption(option, `the option "${option}" is ${kind[0]}; it was given ${shown(value)}`);
    }
  }
}

function wrongOption(option: string, message: string): OptionError {
  return new OptionError(message, { details: { option } });
}

function unknownNames(given: unknown, known: object): string[] {
  return OBJECT[1](given) ? Object.keys(given as object).filter((name) => !Object.hasOwn(known, name)) : [];
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
  const [unknown] = unknownNames(given, known);
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
