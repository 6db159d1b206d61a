/** A model's inputs or outputs as MLTensors and arrays are given for them. */

import type { SignatureInfo, TensorInfo } from '../description.js';
import { shown } from '../support/option_check.js';
import { inOrder, namesOf, namesText, type Ports, type Side } from '../tensors/ports.js';
import { TensorError } from './tensor_errors.js';

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

function portsOf({ inputs, outputs, signatures }: ModelPorts, side: Side): Ports {
  const nameError: Ports['nameError'] = (...given) => new TensorError('TENSOR_NAME', ...given);
  return { side, infos: side === 'input' ? inputs : outputs, signatures, nameError };
}

/**
 * Position of an input or output.
 *
 * @throws TensorError that lists the names.
 */
export function positionOf(model: ModelPorts, side: Side, key: PortKey): number {
  const ports = portsOf(model, side);
  const { infos } = ports;
  const position = typeof key === 'number' ? key : infos.findIndex((info) => namesOf(info, ports).includes(key));
  if (infos[position] !== undefined) return position;
  throw new TensorError('TENSOR_NAME', `The model has no ${side} ${shown(key)}. It has: ${namesText(ports)}.`, {
    details: { [side]: key },
  });
}

/**
 * Brings what was given for one side into the model's order.
 *
 * @param isValue - Whether something is a single value rather than a list or a record of values.
 * @throws TensorError where some are missing, unknown or too many.
 */
export function valuesInOrder<T extends object>(
  model: ModelPorts,
  side: Side,
  given: PortValues<T>,
  isValue: (given: unknown) => given is T,
): readonly T[] {
  const ports = portsOf(model, side);
  const values = inOrder<T>(isValue(given) ? [given] : given, ports);
  if (values.every(isValue)) return values;
  throw new TensorError('TENSOR_NAME', `Give an MLTensor or a typed array for each ${side} (${namesText(ports)}).`);
}
