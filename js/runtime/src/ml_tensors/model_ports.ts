/** A model's inputs or outputs by position or by name. */

import type { SignatureInfo, TensorInfo } from '../description.js';
import { TensorNameError } from './tensor_errors.js';

/** Which of a model's tensors. */
export type Side = 'input' | 'output';

/** An input or output: its position in `model.inputs` or `model.outputs`, its name, or a signature's name for it. */
export type PortKey = number | string;

/** What is given for inputs or outputs: the only one, all in the model's order, or by name. */
export type PortValues<T extends object> = T | readonly T[] | Readonly<Record<string, T>>;

/** What is known of a model's inputs and outputs. */
export interface ModelPorts {
  readonly inputs: readonly TensorInfo[];
  readonly outputs: readonly TensorInfo[];
  readonly signatures: readonly SignatureInfo[];
}

/** The tensors of one side. */
export function portsOf(model: ModelPorts, side: Side): readonly TensorInfo[] {
  return side === 'input' ? model.inputs : model.outputs;
}

/**
 * Position of an input or output.
 *
 * @throws TensorNameError telling the names that there are.
 */
export function positionOf(model: ModelPorts, side: Side, key: PortKey): number {
  const ports = portsOf(model, side);
  const position =
    typeof key === 'number' ? key : ports.findIndex((info) => namesOf(model, side, info).includes(String(key)));
  if (ports[position] !== undefined) return position;
  throw new TensorNameError(`The model has no ${side} ${JSON.stringify(key)}. It has: ${known(model, side)}.`, {
    details: { [side]: key },
  });
}

/**
 * Brings what was given for one side into the model's order.
 *
 * @param isValue - Whether something is a single value rather than a list or a record of values.
 * @throws TensorNameError where some are missing, unknown or too many.
 */
export function valuesInOrder<T extends object>(
  model: ModelPorts,
  side: Side,
  given: PortValues<T>,
  isValue: (given: unknown) => given is T,
): readonly T[] {
  const ports = portsOf(model, side);
  const list = isValue(given) ? [given] : Array.isArray(given) ? (given as readonly T[]) : null;
  const values = list ?? byName(model, side, given as Readonly<Record<string, T>>);
  if (values.length === ports.length && values.every(isValue)) return values;
  throw new TensorNameError(
    `The model has ${ports.length} ${side}s (${known(model, side)}); give an MLTensor or a typed array for each.`,
  );
}

function byName<T>(model: ModelPorts, side: Side, given: Readonly<Record<string, T>>): readonly T[] {
  const values: T[] = [];
  for (const [name, value] of Object.entries(given ?? {})) values[positionOf(model, side, name)] = value;
  return Array.from(values); // without holes: what is missing is undefined, and found so
}

function namesOf({ signatures }: ModelPorts, side: Side, { name, index }: TensorInfo): string[] {
  const rows = signatures.flatMap((signature) => (side === 'input' ? signature.inputs : signature.outputs));
  return [name, ...rows.filter(({ tensor }) => tensor === index).map((row) => row.name)];
}

function known(model: ModelPorts, side: Side): string {
  return portsOf(model, side)
    .map((info) => [...new Set(namesOf(model, side, info))].join(' or '))
    .join(', ');
}
