/**
 * Inputs of a model whose values are ids: the positions at which GATHER, GATHER_ND and EMBEDDING_LOOKUP read a table.
 * On the CPU an id that the table does not have is an error; WebNN takes another one in its place.
 */

import type { GraphOperator, ModelDescription, TensorInfo, WebnnGraph } from '../description.js';
import type { TypedArray } from '../dtypes.js';
import { InputValueError } from '../errors.js';

/** The numbers that an input of ids may have: id number i is less than `sizes[i % sizes.length]`. */
export interface IdLimit {
  /** Position of the input. */
  readonly input: number;
  readonly sizes: readonly number[];
}

/** Operators that hand on all elements in their order, as the same numbers. */
const KEEPING: readonly string[] = ['reshape', 'cast', 'identity'];
const KEEPING_SHAPE: readonly string[] = ['cast', 'identity', 'dequantizeLinear', 'quantizeLinear'];
const LOOKUP = /:(?:GATHER|GATHER_ND|EMBEDDING_LOOKUP)$/;

/** The limits of ids that are inputs of the model, directly or reshaped, and that WebNN looks up. */
export function idLimitsOf({ inputs, graphs }: Pick<ModelDescription, 'inputs' | 'graphs'>): IdLimit[] {
  return graphs.flatMap((graph) => {
    const index = new GraphIndex(graph);
    return graph.operators.flatMap((operator) => {
      const lookup = LOOKUP.test(operator.label) ? lookupOf(operator, index) : null;
      const tensor = lookup === null ? null : index.inputTensor(lookup.indices);
      const input = inputs.findIndex((info) => info.index === tensor);
      return lookup === null || input < 0 ? [] : [{ input, sizes: lookup.sizes }];
    });
  });
}

/**
 * Checks the ids of a run.
 *
 * @throws InputValueError
 */
export function checkIds(
  limits: readonly IdLimit[],
  infos: readonly TensorInfo[],
  inputs: readonly (TypedArray | undefined)[],
): void {
  for (const { input, sizes } of limits) {
    const ids = inputs[input];
    if (ids === undefined) continue; // a tensor of a state
    for (let at = 0; at < ids.length; at++) {
      const id = ids[at] as number | bigint;
      const size = sizes[at % sizes.length] as number;
      if (id >= 0 && id < size) continue;
      const { name } = infos[input] as TensorInfo;
      throw new InputValueError(
        `Input ${name} has the id ${id} at position ${at}: the model's table has those from 0 to ${size - 1}. Give it one of them.`,
        { details: { input: name, position: at } },
      );
    }
  }
}

interface Lookup {
  readonly indices: number;
  readonly sizes: readonly number[];
}

function lookupOf({ op, args }: GraphOperator, index: GraphIndex): Lookup | null {
  const [table, indices] = args.map(operandOf);
  const shape = table === undefined ? null : index.shape(table);
  if (indices === undefined || shape === null) return null;
  const options = args.at(-1) as { readonly axis?: number };
  if (op === 'gather') return { indices, sizes: [shape[options.axis ?? 0] as number] };
  const depth = op === 'gatherND' ? index.shape(indices)?.at(-1) : undefined;
  return depth === undefined ? null : { indices, sizes: shape.slice(0, depth) };
}

function operandOf(argument: unknown): number | undefined {
  return (argument as { readonly operand?: number } | null)?.operand;
}

/** What is known of a graph's operands. */
class GraphIndex {
  readonly #writers = new Map<number, GraphOperator>();
  readonly #shapes: ReadonlyMap<number, readonly number[]>;
  readonly #tensors: ReadonlyMap<number, number>;

  constructor({ inputs, constants, operators }: WebnnGraph) {
    this.#shapes = new Map([...inputs, ...constants].map(({ id, shape }) => [id, shape]));
    this.#tensors = new Map(inputs.map(({ id, tensor }) => [id, tensor]));
    for (const operator of operators) for (const id of operator.outputs) this.#writers.set(id, operator);
  }

  /** The tensor of the graph's input that has these elements; null where they are computed. */
  inputTensor(operand: number): number | null {
    const writer = this.#writers.get(operand);
    if (writer === undefined) return this.#tensors.get(operand) ?? null;
    const source = operandOf(writer.args[0]);
    return KEEPING.includes(writer.op) && source !== undefined ? this.inputTensor(source) : null;
  }

  /** Null where it does not follow from the description. */
  shape(operand: number): readonly number[] | null {
    const writer = this.#writers.get(operand);
    if (writer === undefined) return this.#shapes.get(operand) ?? null;
    if (writer.op === 'reshape') return writer.args[1] as readonly number[];
    const source = operandOf(writer.args[0]);
    return KEEPING_SHAPE.includes(writer.op) && source !== undefined ? this.shape(source) : null;
  }
}
