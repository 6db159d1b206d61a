/** What options and arguments have to be. */

/** What an option has to be, as text, and whether a value is that. */
export type Kind = readonly [expected: string, accepts: (value: unknown) => boolean];

/**
 * An instance of a global class, by its name; never where the TypeScript library of the reader's project lacks it, as
 * Node's lacks a page's classes. A name that is missing would be `any` there.
 */
export type InstanceOf<Name extends string> = Name extends unknown
  ? typeof globalThis extends Readonly<Record<Name, { readonly prototype: infer Instance }>>
    ? Instance
    : never
  : never;

/** A row for each option. */
export type OptionSchema<Options> = Readonly<Record<keyof Options, Kind>>;

export const FLAG: Kind = ['true or false', (value) => typeof value === 'boolean'];
export const TEXT: Kind = ['a string', (value) => typeof value === 'string'];
export const LIST: Kind = ['an array', Array.isArray];
export const OBJECT: Kind = [
  'an object',
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value) && !ArrayBuffer.isView(value),
];
export const SIGNAL: Kind = [
  'an AbortSignal',
  (value) => typeof (value as Partial<AbortSignal> | null)?.throwIfAborted === 'function',
];
/** Whatever is posted to: a worker, or a port. */
export const WORKER: Kind = [
  'a worker',
  (value) => typeof (value as Partial<Worker> | null)?.postMessage === 'function',
];
export const ADDRESS: Kind = ['a string or a URL', (value) => TEXT[1](value) || value instanceof URL];
export const COUNT: Kind = ['an integer, 0 or more', (value) => Number.isSafeInteger(value) && Number(value) >= 0];
export const REAL: Kind = ['a number, not NaN', (value) => typeof value === 'number' && !Number.isNaN(value)];
export const POSITIVE: Kind = ['a number above 0', (value) => Number.isFinite(value) && Number(value) > 0];
/** What models compute may be NaN. */
export const NUMBER: Kind = ['a number', (value) => typeof value === 'number'];
export const NUMBERS: Kind = [
  'an array of numbers',
  (value) => isTyped(value) || (Array.isArray(value) && value.every(NUMBER[1])),
];

function isTyped(value: unknown): boolean {
  return ArrayBuffer.isView(value) && typeof (value as Partial<Float32Array>)[0] !== 'bigint';
}

export const BYTES: Kind = ['a Uint8Array', (value) => value instanceof Uint8Array];
export const FUNCTION: Kind = ['a function', (value) => typeof value === 'function'];
/** What explainModel() has found, as exports of graphs read it. */
export const GRAPHS: Members = { graphs: LIST, heap: FUNCTION };

/* @__NO_SIDE_EFFECTS__ */
export function integer(min: number, max: number): Kind {
  const accepts = (value: unknown) => Number.isInteger(value) && Number(value) >= min && Number(value) <= max;
  return [`an integer from ${min} to ${max}`, accepts];
}

/* @__NO_SIDE_EFFECTS__ */
export function oneOf(choices: readonly string[]): Kind {
  return [`one of ${choices.join(', ')}`, (value) => choices.includes(value as string)];
}

/** The same, or undefined. */
/* @__NO_SIDE_EFFECTS__ */
export function optional([expected, accepts]: Kind): Kind {
  return [expected, (value) => value === undefined || accepts(value)];
}

/* @__NO_SIDE_EFFECTS__ */
export function listOf([expected, accepts]: Kind): Kind {
  return [`an array, each element ${expected}`, (value) => Array.isArray(value) && value.every(accepts)];
}

/** What the members of an object have to be; it may have others, too. */
export interface Members {
  readonly [name: string]: Kind | Members;
}

/** An object with these members. */
/* @__NO_SIDE_EFFECTS__ */
export function having(members: Members): Kind {
  const rows = Object.entries(members);
  const fits = (value: unknown, kind: Kind | Members): boolean => (isKind(kind) ? kind : having(kind))[1](value);
  return [
    `an object with ${rows.map(([name]) => name).join(', ')}`,
    (value) => OBJECT[1](value) && rows.every(([name, kind]) => fits((value as Record<string, unknown>)[name], kind)),
  ];
}

/** The options that a table has. */
export function pick<Options extends object, Table extends object>(
  options: Options,
  table: Table,
): Pick<Options, keyof Options & keyof Table> {
  return Object.fromEntries(Object.entries(options).filter(([name]) => Object.hasOwn(table, name))) as Options;
}

export function isKind(expected: Kind | Members): expected is Kind {
  return Array.isArray(expected);
}
