/** The tensors of a state among the inputs and outputs of what runs. */

import type { TensorInfo } from '../description.js';
import type { TypedArray } from '../dtypes.js';
import { StateError } from '../errors.js';
import type { InputRules } from '../tensors/inputs.js';
import type { OutputArrays } from '../tensors/outputs.js';
import { namesOf, type Side } from '../tensors/ports.js';
import { isAlike } from './state_names.js';
import type { StateTensorInfo } from './state_tensor.js';

/** The inputs and outputs of a subgraph, under the names that callers use. */
export interface NamedPorts extends InputRules {
  readonly outputs: readonly TensorInfo[];
}

/** For each position the state's tensor; undefined where the caller gives or takes the values. */
export interface StatePorts {
  readonly inputs: readonly (StateTensorInfo | undefined)[];
  readonly outputs: readonly (StateTensorInfo | undefined)[];
}

/**
 * Finds a state's tensors among ports.
 *
 * @throws StateError where there are none, or a port has another type or shape than the state's tensor.
 */
export function statePorts(tensors: readonly StateTensorInfo[], ports: NamedPorts): StatePorts {
  const { signatures } = ports;
  const stays = (side: Side, info: TensorInfo) => {
    const names = namesOf(info, { side, signatures });
    const tensor = tensors.find(({ name, output }) => names.includes(side === 'input' ? name : output));
    if (tensor !== undefined && !isAlike(info, tensor)) throw mismatch(side, info, tensor);
    return tensor;
  };
  const inputs = ports.inputs.map((info) => stays('input', info));
  const outputs = ports.outputs.map((info) => stays('output', info));
  if ([...inputs, ...outputs].some((tensor) => tensor !== undefined)) return { inputs, outputs };
  const names = tensors.map(({ name }) => name).join(', ');
  throw new StateError(`What runs has none of the state's tensors (${names}). Run it without the state.`);
}

/** Inputs and outputs, without those that stay in a state. */
export class OpenPorts implements NamedPorts {
  readonly signatures: NamedPorts['signatures'];
  readonly inputs: readonly TensorInfo[];
  readonly outputs: readonly TensorInfo[];

  /** @param stays - Null where nothing does. */
  constructor(
    ports: NamedPorts,
    private readonly stays: StatePorts | null,
  ) {
    this.signatures = ports.signatures;
    this.inputs = stays === null ? ports.inputs : open(ports.inputs, stays.inputs);
    this.outputs = stays === null ? ports.outputs : open(ports.outputs, stays.outputs);
  }

  /** Arrays of the open inputs at the positions of all: those that stay have none. */
  allInputs(arrays: readonly TypedArray[]): readonly TypedArray[] {
    // A run does not look at the gaps.
    return this.stays === null ? arrays : (spread(arrays, this.stays.inputs) as TypedArray[]);
  }

  /** The same for the arrays of outputs. */
  allOutputs(arrays: OutputArrays): OutputArrays {
    return this.stays === null ? arrays : spread(arrays, this.stays.outputs);
  }

  /** What is the caller's of the values of all outputs. */
  ofOutputs<T>(all: readonly T[]): readonly T[] {
    return this.stays === null ? all : open(all, this.stays.outputs);
  }
}

function open<T>(all: readonly T[], stays: readonly unknown[]): T[] {
  return all.filter((_, position) => stays[position] === undefined);
}

function spread(arrays: OutputArrays, stays: readonly unknown[]): (TypedArray | undefined)[] {
  const rest = [...arrays];
  return stays.map((tensor) => (tensor === undefined ? rest.shift() : undefined));
}

function mismatch(side: Side, { name, dtype, shape }: TensorInfo, tensor: StateTensorInfo): StateError {
  const [wanted, has] = [`${dtype}[${shape.join(', ')}]`, `${tensor.dtype}[${tensor.shape.join(', ')}]`];
  return new StateError(
    `The state has ${tensor.name} as ${has}, but the ${side} ${name} is ${wanted}. Make another state after resizeInputs().`,
    { details: { tensor: tensor.name, [side]: name } },
  );
}
