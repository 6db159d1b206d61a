/** The only graph of a model that runs wholly on WebNN, seen from the model's inputs and outputs. */

import type { GraphPort, ModelDescription, TensorInfo } from '../description.js';
import { type TypedArray, webnnDataType } from '../dtypes.js';
import { TensorError } from '../errors.js';
import type { PreparedModel } from '../model/prepared_model.js';
import type { Bindings, DispatchAction } from '../model/schedule.js';
import type { WebnnSession } from '../model/webnn_session.js';
import { shown } from '../support/validate_options.js';
import {
  type Direction,
  inOrder,
  type ModelIO,
  namesOf,
  namesText,
  type TensorList,
} from '../tensors/inputs_outputs.js';
import { checkIds, idLimitsOf, type NamedTensors } from '../tensors/model_tensors.js';
import type { PageWebnn } from '../webnn/webnn_context.js';
import type { MLContext, MLTensorDescriptor } from '../webnn_types.js';

/** A port of the graph, and the slot of the model's own tensor for it. */
export interface BoundPort {
  readonly port: GraphPort;
  readonly slot: number;
}

/** An input or output of the model and what stands for it in the graph. */
export interface DirectPort {
  readonly info: TensorInfo;
  readonly direction: Direction;
  /** Null for an input that no node reads: the graph does not have it. */
  readonly graph: BoundPort | null;
}

/** Each model's graph: what holds tensors for it recognizes it. */
const known = new WeakMap<PreparedModel, DirectGraph | null>();

/** A graph that can be dispatched with any MLTensors of its context. */
export class DirectGraph {
  readonly inputs: readonly DirectPort[];
  readonly outputs: readonly DirectPort[];
  readonly #index: number;
  readonly #idLimits;

  /** @returns null where the model does not run in direct mode, or keeps variables between runs. */
  static of(prepared: PreparedModel): DirectGraph | null {
    const graph = known.get(prepared);
    if (graph !== undefined) return graph;
    const created = DirectGraph.#of(prepared);
    known.set(prepared, created);
    return created;
  }

  static #of({ schedule, session, description, webnn }: PreparedModel): DirectGraph | null {
    if (schedule.mode !== 'direct' || session === null || !webnn?.Builder) return null;
    if (description.variables.length > 0) return null; // runs turn their tensors over, one run after the other
    const action = schedule.actions.find((candidate) => candidate.kind === 'dispatch') as DispatchAction;
    const bound = (direction: Direction, infos: readonly TensorInfo[], bindings: Bindings) => {
      const boundSlots = Object.values(bindings).map((slot) => ({
        slot,
        port: schedule.slots[slot]?.port as GraphPort,
      }));
      const slots = new Map(boundSlots.map((slot) => [slot.port.tensor, slot]));
      return infos.map((info) => ({ info, direction, graph: slots.get(info.index) ?? null }));
    };
    const inputs = bound('input', description.inputs, action.inputs);
    const outputs = bound('output', description.outputs, action.outputs);
    return new DirectGraph(session, webnn, description, action.graph, { inputs, outputs });
  }

  private constructor(
    readonly session: WebnnSession,
    readonly webnn: PageWebnn,
    readonly description: ModelDescription,
    index: number,
    { inputs, outputs }: Readonly<Record<'inputs' | 'outputs', readonly DirectPort[]>>,
  ) {
    this.#index = index;
    this.#idLimits = idLimitsOf(description);
    this.inputs = inputs;
    this.outputs = outputs;
  }

  get context(): MLContext {
    return this.webnn.context;
  }

  /** The inputs, or the outputs. */
  tensors(direction: Direction): readonly DirectPort[] {
    return direction === 'input' ? this.inputs : this.outputs;
  }

  /**
   * Checks values before a dispatch, as a run does; those of MLTensors are left out.
   *
   * @throws InputError for an id that a table does not have.
   */
  checkValues(values: readonly (TypedArray | undefined)[]): void {
    for (const limit of this.#idLimits) checkIds(limit, this.description.inputs, values);
  }

  /** Queues the graph; the tensors are by the names of the graph's inputs and outputs. */
  dispatch(inputs: NamedTensors, outputs: NamedTensors): void {
    this.session.dispatchWith(this.#index, inputs, outputs);
  }
}

/** What an MLTensor for a port must be. TFLite's int16 is WebNN's int32: WebNN has no int16. */
export function descriptorOf({ info, direction, graph }: DirectPort): MLTensorDescriptor {
  const dataType = graph?.port.dataType ?? webnnDataType(info.dtype);
  if (dataType === null) {
    throw new TensorError(
      'TENSOR_IO_UNAVAILABLE',
      `WebNN has no ${info.dtype}: ${direction} ${info.name} must be provided as an array.`,
    );
  }
  return { dataType, shape: [...(graph?.port.shape ?? info.shape)] };
}

/** An input or output: its position in `model.inputs` or `model.outputs`, its name, or a signature's name for it. */
export type TensorKey = number | string;

/** What is provided for inputs or outputs: the only one, all in the model's order, or by name. */
export type PerTensor<T extends object> = T | readonly T[] | Readonly<Record<string, T>>;

function tensorList({ inputs, outputs, signatures }: ModelIO, direction: Direction): TensorList {
  const nameError: TensorList['nameError'] = (...provided) => new TensorError('TENSOR_NAME', ...provided);
  return { direction, infos: direction === 'input' ? inputs : outputs, signatures, nameError };
}

/**
 * Position of an input or output.
 *
 * @throws TensorError that lists the names.
 */
export function positionOf(model: ModelIO, direction: Direction, key: TensorKey): number {
  const list = tensorList(model, direction);
  const { infos } = list;
  const position = typeof key === 'number' ? key : namesOf(infos, list).findIndex((names) => names.includes(key));
  if (infos[position] !== undefined) return position;
  throw new TensorError('TENSOR_NAME', `The model has no ${direction} ${shown(key)}. It has: ${namesText(list)}.`, {
    details: { [direction]: key },
  });
}

/**
 * Brings the values for the inputs or the outputs into the model's order.
 *
 * @param isValue - Whether something is a single value rather than a list or a record of values.
 * @throws TensorError where some are missing, unknown or too many.
 */
export function valuesInOrder<T extends object>(
  model: ModelIO,
  direction: Direction,
  provided: PerTensor<T>,
  isValue: (provided: unknown) => provided is T,
): readonly T[] {
  const list = tensorList(model, direction);
  const values = inOrder<T>(isValue(provided) ? [provided] : provided, list);
  if (values.every(isValue)) return values;
  throw new TensorError('TENSOR_NAME', `Pass an MLTensor or a typed array for each ${direction} (${namesText(list)}).`);
}
