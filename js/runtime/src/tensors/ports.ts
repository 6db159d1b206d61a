/** Inputs or outputs of a model by position or by name. */

import type { SignatureInfo, TensorInfo } from '../description.js';
import type { ErrorContext, TFLiteWebnnError } from '../errors.js';

/** Which of a model's tensors. */
export type Side = 'input' | 'output';

/** One side of a model, and the names that its tensors go by. */
export interface Ports {
  readonly side: Side;
  readonly infos: readonly TensorInfo[];
  readonly signatures: readonly SignatureInfo[];
  /** What is thrown where names or numbers do not fit. */
  readonly NameError: new (
    message: string,
    context?: ErrorContext,
  ) => TFLiteWebnnError;
}

/** A tensor's own name first, then those that the signatures give it. */
export function namesOf(
  { name, index }: TensorInfo,
  { side, signatures }: Pick<Ports, 'side' | 'signatures'>,
): string[] {
  const rows = signatures.flatMap(({ inputs, outputs }) => (side === 'input' ? inputs : outputs));
  return [...new Set([name, ...rows.filter(({ tensor }) => tensor === index).map((row) => row.name)])];
}

/** All names, for messages. */
export function namesText(ports: Ports): string {
  return ports.infos.map((info) => namesOf(info, ports).join(' or ')).join(', ');
}

/**
 * Brings what is given by position or by name into the model's order.
 *
 * @throws the ports' NameError where some are missing, unknown or too many.
 */
export function inOrder<T>(given: readonly T[] | Readonly<Record<string, T>>, ports: Ports): readonly T[] {
  if (Array.isArray(given)) return checkCount(given as readonly T[], ports);
  const { side, infos, NameError } = ports;
  if (typeof given !== 'object' || given === null) {
    throw new NameError(`The ${side}s are given alone, in a list, or in a record by name; got ${String(given)}.`);
  }
  const keys = infos.map((info) => namesOf(info, ports).find((name) => Object.hasOwn(given, name)));
  const missing = infos.filter((_, position) => keys[position] === undefined).map(({ name }) => name);
  const unknown = Object.keys(given).filter((name) => !keys.includes(name));
  const values = given as Readonly<Record<string, T>>;
  if (missing.length === 0 && unknown.length === 0) return keys.map((key) => values[key as string] as T);
  const parts = Object.entries({ missing, unknown }).filter(([, names]) => names.length > 0);
  const problems = parts.map(([what, names]) => `${what} ${side}s: ${names.join(', ')}`).join('; ');
  throw new NameError(`The ${side}s do not fit the model: ${problems}. It takes: ${namesText(ports)}.`, {
    details: { missing, unknown },
  });
}

function checkCount<T>(given: readonly T[], { side, infos, NameError }: Ports): readonly T[] {
  if (given.length === infos.length) return given;
  const names = infos.map(({ name }) => name).join(', ');
  throw new NameError(`The model has ${infos.length} ${side}s (${names}), but ${given.length} were given.`);
}

/**
 * Brings what is given for some, by position or by name, into the model's order.
 *
 * @throws the ports' NameError for names that there are not.
 */
export function someInOrder<T>(
  given: readonly T[] | Readonly<Record<string, T>>,
  ports: Ports,
): readonly (T | undefined)[] {
  if (Array.isArray(given)) return given as readonly T[];
  const values = given as Readonly<Record<string, T>>;
  const keys = ports.infos.map((info) => namesOf(info, ports).find((name) => Object.hasOwn(values, name)));
  const unknown = Object.keys(values).filter((name) => !keys.includes(name));
  if (unknown.length === 0) return keys.map((key) => (key === undefined ? undefined : values[key]));
  const names = unknown.join(', ');
  throw new ports.NameError(`The model has no ${ports.side}s ${names}. It has: ${namesText(ports)}.`, {
    details: { unknown },
  });
}
