/** Inputs or outputs of a model by position or by name. */

import type { SignatureInfo, TensorInfo } from '../description.js';
import { type ErrorContext, kindOf, type TFLiteWebnnError } from '../errors.js';

/** Which of a model's tensors. */
export type Side = 'input' | 'output';

/** One side of a model, and the names that its tensors go by. */
export interface Ports {
  readonly side: Side;
  readonly infos: readonly TensorInfo[];
  readonly signatures: readonly SignatureInfo[];
  /** What is thrown where names or numbers do not fit. */
  readonly nameError: (message: string, context?: ErrorContext) => TFLiteWebnnError;
}

/** A tensor's own name first, then those that the signatures of the main subgraph give it: others count their own tensors. */
export function namesOf(
  { name, index }: TensorInfo,
  { side, signatures }: Pick<Ports, 'side' | 'signatures'>,
): string[] {
  const rows = signatures.flatMap(({ subgraph, [`${side}s` as const]: named }) => (subgraph === 0 ? named : []));
  return [...new Set([name, ...rows.filter(({ tensor }) => tensor === index).map((row) => row.name)])];
}

/** All names, for messages. */
export function namesText(ports: Ports): string {
  return ports.infos.map((info) => namesOf(info, ports).join(' or ')).join(', ');
}

/**
 * Brings what is given by position or by name into the model's order.
 *
 * @throws the ports' nameError where some are missing, unknown or too many.
 */
export function inOrder<T>(given: readonly T[] | Readonly<Record<string, T>>, ports: Ports): readonly T[] {
  return ordered(given, ports, true) as readonly T[];
}

/**
 * Brings what is given for some, by position or by name, into the model's order.
 *
 * @throws the ports' nameError where some are unknown or too many.
 */
export function someInOrder<T>(
  given: readonly T[] | Readonly<Record<string, T>>,
  ports: Ports,
): readonly (T | undefined)[] {
  return ordered(given, ports, false);
}

function ordered<T>(given: unknown, ports: Ports, isWhole: boolean): readonly (T | undefined)[] {
  const { side, infos, nameError } = ports;
  const kind = kindOf(given);
  if (Array.isArray(given)) {
    const { length } = given;
    if (isWhole ? length === infos.length : length <= infos.length) return given;
    const first = kindOf(given[0]);
    const names = namesText(ports);
    throw nameError(`The model has ${infos.length} ${side}s (${names}); got ${length}, the first ${first}.`);
  }
  if (typeof given !== 'object' || given === null || ArrayBuffer.isView(given)) {
    const only = side === 'input' ? ' The data of the only one is a typed array, or a list of strings.' : '';
    throw nameError(`The ${side}s are a list or a record by name; got ${kind}. Expected: ${namesText(ports)}.${only}`);
  }
  const keys = infos.map((info) => namesOf(info, ports).find((name) => Object.hasOwn(given, name)));
  const missing = infos.filter((_, position) => isWhole && keys[position] === undefined).map(({ name }) => name);
  const unknown = Object.keys(given).filter((name) => !keys.includes(name));
  const values = given as Readonly<Record<string, T>>;
  if (missing.length === 0 && unknown.length === 0) return keys.map((key) => values[key as string]);
  const parts = Object.entries({ missing, unknown }).filter(([, names]) => names.length > 0);
  const problems = parts.map(([what, names]) => `${what} ${side}s: ${names.join(', ')}`);
  if (kind !== 'Object') problems.push(`got ${kind}, no record by name`);
  throw nameError(`The ${side}s do not fit the model: ${problems.join('; ')}. It has: ${namesText(ports)}.`, {
    details: { missing, unknown },
  });
}
