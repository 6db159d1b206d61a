/**
 * Inputs of a model whose values are ids: the positions at which GATHER, GATHER_ND and EMBEDDING_LOOKUP read a table.
 * On the CPU an id that the table does not have is an error; WebNN takes another one in its place.
 */

import type { ModelDescription, TensorInfo, WebnnGraph } from '../description.js';
import type { TypedArray } from '../dtypes.js';
import { InputError } from '../errors.js';

/** The numbers that an input of ids may have: id number i is less than `sizes[i % sizes.length]`. */
export interface IdLimit {
  /** Position of the input. */
  readonly input: number;
  readonly sizes: readonly number[];
}

/** Operators that hand on all elements in their order, as the same numbers. */
const KEEPING: readonly string[] = ['reshape', 'cast', 'identity'];

/** The limits of ids that are inputs of the model, directly or reshaped, and that WebNN looks up. */
export function idLimitsOf({ inputs, graphs }: Pick<ModelDescription, 'inputs' | 'graphs'>): IdLimit[] {
  return graphs.flatMap((graph) => {
    const { indexLimits = [] } = graph;
    const tensorOf = indexLimits.length > 0 ? inputTensors(graph) : new Map<number, number>();
    return indexLimits.flatMap(({ operand, sizes }) => {
      const input = inputs.findIndex((info) => info.index === tensorOf.get(operand));
      return input < 0 ? [] : [{ input, sizes }];
    });
  });
}

/** The tensors of the graph's inputs, by each operand that has their elements. */
function inputTensors({ inputs, operators }: WebnnGraph): Map<number, number> {
  const tensors = new Map(inputs.map(({ id, tensor }) => [id, tensor]));
  for (const { op, args, outputs } of operators) {
    const tensor = KEEPING.includes(op) ? tensors.get((args[0] as { readonly operand: number }).operand) : undefined;
    if (tensor !== undefined) tensors.set(outputs[0] as number, tensor);
  }
  return tensors;
}

/**
 * Checks the ids that an input of a run has.
 *
 * @throws InputError
 */
export function checkIds(
  { input, sizes }: IdLimit,
  infos: readonly TensorInfo[],
  inputs: readonly (TypedArray | undefined)[],
): void {
  const ids = inputs[input] ?? []; // none of a tensor of a state
  for (let at = 0; at < ids.length; at++) {
    const id = ids[at] as number | bigint;
    const size = sizes[at % sizes.length] as number;
    if (id >= 0 && id < size) continue;
    const { name } = infos[input] as TensorInfo;
    throw new InputError(
      'INPUT_VALUE',
      `Input ${name} has the id ${id} at position ${at}: the model's table has those from 0 to ${size - 1}. Give it one of them.`,
      { details: { input: name, position: at } },
    );
  }
}
