/** Rejects options and arguments that would be ignored or misunderstood, by a table of what each has to be. */

import { type ErrorContext, kindOf, OptionError, type TFLiteWebnnError } from '../errors.js';
import { isKind, type Kind, type Members, OBJECT, type OptionSchema, oneOf } from '../option_schema.js';

/** A wrong option, argument, or member of one: its name, and what is wrong with it. */
export interface OptionProblem {
  readonly option: string;
  readonly text: string;
}

type Kinds<Provided> = Readonly<Record<keyof Provided, Kind | Members>>;
type MakeError = (message: string, context: ErrorContext) => TFLiteWebnnError;

function problemIn(name: string, value: unknown, expected: Kind | Members): OptionProblem | null {
  const [text, accepts] = isKind(expected) ? expected : OBJECT;
  if (!accepts(value)) return { option: name, text: `${name} is ${text}; got ${shown(value)}` };
  if (isKind(expected)) return null;
  const members = value as Record<string, unknown>;
  return firstOf(Object.entries(expected), ([key, kind]) => problemIn(`${name}.${key}`, members[key], kind));
}

/**
 * Checks arguments of a call. The argument "options" has no other members than those of its table.
 *
 * @param call - The function's name, for messages.
 * @param provided - Arguments by name.
 * @param kinds - What each has to be.
 * @param errorOf - Creates the error for an argument of another kind.
 * @throws OptionError, or what `errorOf` returns.
 */
export function checkArguments<Provided extends object>(
  call: string,
  provided: Provided,
  kinds: Kinds<Provided>,
  errorOf?: MakeError,
): void {
  const { options } = provided as { readonly options?: unknown };
  const { options: members } = kinds as { readonly options?: Kind | Members };
  if (members && !isKind(members) && OBJECT[1](options)) throwProblem(call, unknownOption(options, members), errorOf);
  checkValues(call, provided, kinds, errorOf);
}

/** Checks arguments of a call without options: metadata.mjs is small because it needs no more than this. */
export function checkValues<Provided extends object>(
  call: string,
  provided: Provided,
  kinds: Kinds<Provided>,
  errorOf?: MakeError,
): void {
  const rows = Object.entries<Kind | Members>(kinds);
  const problem = firstOf(rows, ([name, kind]) => problemIn(name, provided[name as keyof Provided], kind));
  throwProblem(call, problem, errorOf);
}

function throwProblem(
  call: string,
  problem: OptionProblem | null,
  errorOf: MakeError = (...error) => new OptionError(...error),
): void {
  if (problem === null) return;
  throw errorOf(`${call}(): ${problem.text}`, { details: { option: problem.option.replace('options.', '') } });
}

/**
 * Checks options. A value may be undefined.
 *
 * @param prefix - Precedes each name in messages, e.g. `webnnDelegateOptions.`.
 * @throws OptionError for an unknown name, with the nearest one there is, or a value of another kind.
 */
export function validateOptions<Options>(prefix: string, provided: Options, kinds: OptionSchema<Options>): void {
  const rows: Readonly<Record<string, Kind>> = kinds;
  if (!OBJECT[1](provided)) throw optionError(unknownOption(provided, rows, prefix));
  // A plain loop: each run comes through here, mostly with cold caches.
  for (const [name, value] of Object.entries(provided as object)) {
    const kind = Object.hasOwn(rows, name) ? rows[name] : undefined;
    if (kind === undefined) throw optionError(unknownOption({ [name]: value }, rows, prefix));
    if (value === undefined || kind[1](value)) continue;
    const option = prefix + name;
    throw optionError({ option, text: `the option "${option}" is ${kind[0]}; got ${shown(value)}` });
  }
}

function optionError(problem: OptionProblem | null): OptionError {
  const { text, option } = problem as OptionProblem;
  return new OptionError(text, { details: { option } });
}

function firstOf<T>(rows: readonly T[], problemOf: (row: T) => OptionProblem | null): OptionProblem | null {
  for (const row of rows) {
    const problem = problemOf(row);
    if (problem !== null) return problem;
  }
  return null;
}

/**
 * Finds an option of an unknown name, for programs that check their options as this package does.
 *
 * @param provided - The options.
 * @param known - An object with all names as keys.
 * @param prefix - Precedes each name in the message.
 * @returns The option, and a message with the nearest name there is, or that this is no object; null if all names are
 *   known.
 */
export function unknownOption(provided: unknown, known: object, prefix = ''): OptionProblem | null {
  if (!OBJECT[1](provided)) {
    const option = prefix.slice(0, -1) || 'options';
    return { option, text: `the ${option} are an object; got ${shown(provided)}` };
  }
  const unknown = Object.keys(provided as object).find((name) => !Object.hasOwn(known, name));
  if (unknown === undefined) return null;
  const names = Object.keys(known).map((name) => prefix + name);
  const option = prefix + unknown;
  return { option, text: `there is no option "${option}": ${instead(option, names)}` };
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
