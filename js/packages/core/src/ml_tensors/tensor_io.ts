/** MLTensors in and out of the graph of a model that runs wholly on WebNN. */

import type { ModelDescription } from '../description.js';
import {
  elementCount,
  fixedValues,
  holdsDType,
  isTypedArray,
  newArray,
  type TypedArray,
  typedArrayConstructor,
} from '../dtypes.js';
import { TensorError } from '../errors.js';
import type { PreparedModel } from '../model/prepared_model.js';
import { FLAG, type OptionSchema } from '../option_schema.js';
import { validateOptions } from '../support/validate_options.js';
import {
  checkOutputs,
  type Direction,
  isTensorInput,
  resolveInput,
  type TensorInput,
} from '../tensors/inputs_outputs.js';
import { readInto, readPort } from '../tensors/model_tensors.js';
import type { MLTensor, MLTensorDescriptor } from '../webnn_types.js';
import {
  DirectGraph,
  type DirectPort,
  descriptorOf,
  type PerTensor,
  positionOf,
  type TensorKey,
  valuesInOrder,
} from './direct_graph.js';
import {
  checkContext,
  checkDisjoint,
  checkFits,
  checkFlag,
  isMLTensor,
  rememberContext,
  tensorFailure,
} from './tensor_checks.js';

/** Which uses an MLTensor is created for. */
export interface TensorFlags {
  /** Whether it can be read back. Default: true for outputs, false for inputs. */
  readonly readable?: boolean;
  /** Whether it can be written from JavaScript. Default: true for inputs, false for outputs. */
  readonly writable?: boolean;
}

/** Inputs of a dispatch: MLTensors, or arrays that are copied immediately. */
export type DispatchInputs = PerTensor<MLTensor | TensorInput>;

/** Outputs of a dispatch: MLTensors, or arrays that are filled when the work is done. */
export type DispatchOutputs = PerTensor<MLTensor | TypedArray>;

const FLAGS_SCHEMA: OptionSchema<TensorFlags> = { readable: FLAG, writable: FLAG };

type NamedTensors = Record<string, MLTensor>;

/** What a dispatch does once everything is checked. */
interface DispatchPlan {
  readonly tensors: NamedTensors;
  readonly copies: (() => void | Promise<void>)[];
}

/** What an MLTensor for an input or output must be. */
export function descriptorAt(graph: DirectGraph, direction: Direction, key: TensorKey): MLTensorDescriptor {
  return descriptorOf(graph.tensors(direction)[positionOf(graph.description, direction, key)] as DirectPort);
}

/** Creates an MLTensor for an input or output. */
export async function createTensor(
  graph: DirectGraph,
  direction: Direction,
  key: TensorKey,
  flags: TensorFlags,
): Promise<MLTensor> {
  const { context, webnn } = graph;
  const defaults = { readable: direction === 'output', writable: direction === 'input' };
  validateOptions('', flags, FLAGS_SCHEMA);
  const descriptor = { ...descriptorAt(graph, direction, key), ...defaults, ...flags };
  try {
    const tensor = await context.createTensor(descriptor);
    rememberContext(tensor, context);
    return tensor;
  } catch (error) {
    throw tensorFailure(error, webnn);
  }
}

/**
 * Queues one inference.
 *
 * @returns A promise where outputs are arrays: it settles when they are filled. Else null.
 */
export function dispatchGraph(
  graph: DirectGraph,
  inputs: DispatchInputs,
  outputs: DispatchOutputs,
): Promise<void> | null {
  const writing = planInputs(graph, inputs);
  const reading = planOutputs(graph, outputs);
  checkDisjoint(writing.tensors, reading.tensors);
  try {
    for (const copy of writing.copies) copy();
    graph.dispatch(writing.tensors, reading.tensors);
  } catch (error) {
    throw tensorFailure(error, graph.webnn);
  }
  return reading.copies.length === 0 ? null : finish(reading.copies, graph);
}

/** Queues a copy of an array into an MLTensor. */
export function writeTensor(graph: DirectGraph, tensor: MLTensor, data: TypedArray): void {
  const { context, webnn } = graph;
  checkContext(tensor, context);
  checkFlag(tensor, 'writable');
  checkArray(tensor, data);
  try {
    context.writeTensor(tensor, fixedValues(data));
  } catch (error) {
    throw tensorFailure(error, webnn);
  }
}

/** Reads an MLTensor once everything queued before has run. */
export async function readTensor(graph: DirectGraph, tensor: MLTensor, output?: TypedArray): Promise<TypedArray> {
  const { context, webnn, session } = graph;
  checkContext(tensor, context);
  checkFlag(tensor, 'readable');
  if (output !== undefined) checkArray(tensor, output);
  const array = output ?? arrayFor(tensor);
  try {
    await readInto(context, tensor, array);
    session.verify();
    return array;
  } catch (error) {
    throw tensorFailure(error, webnn);
  }
}

/**
 * The graph to dispatch.
 *
 * @throws TensorError where the model does not run in direct mode.
 */
export function directGraph(prepared: PreparedModel): DirectGraph {
  const graph = DirectGraph.of(prepared);
  if (graph !== null) return graph;
  const { mode } = prepared.schedule;
  const why = whyNot(prepared);
  throw new TensorError(
    'TENSOR_IO_UNAVAILABLE',
    `MLTensors need a model that WebNN runs entirely, in direct mode; this one runs in ${mode} mode (${why}). ` +
      'Use run() with typed arrays; model.report() says why, for each node.',
    { details: { executionMode: mode } },
  );
}

function planInputs(graph: DirectGraph, provided: DispatchInputs): DispatchPlan {
  const values = valuesInOrder(graph.description, 'input', provided, isDispatchInput);
  const plan: DispatchPlan = { tensors: {}, copies: [] };
  const arrays: TypedArray[] = [];
  for (const [position, port] of graph.inputs.entries()) {
    const value = values[position] as MLTensor | TensorInput;
    if (isMLTensor(value)) {
      bind(plan, port, value, graph);
      continue;
    }
    const data = resolveInput(value, port.info);
    arrays[position] = data;
    const slot = bindOwn(plan, port, graph);
    if (slot !== null) plan.copies.push(() => graph.session.write(slot, data));
  }
  graph.checkValues(arrays);
  return plan;
}

function planOutputs(graph: DirectGraph, provided: DispatchOutputs): DispatchPlan {
  const values = valuesInOrder(graph.description, 'output', provided, isDispatchOutput);
  checkOutputs(
    values.map((value) => (isMLTensor(value) ? undefined : value)),
    graph.description.outputs,
  );
  const plan: DispatchPlan = { tensors: {}, copies: [] };
  for (const [position, port] of graph.outputs.entries()) {
    const value = values[position] as MLTensor | TypedArray;
    if (isMLTensor(value)) {
      bind(plan, port, value, graph);
      continue;
    }
    if (bindOwn(plan, port, graph) === null || port.graph === null) continue;
    const { slot, port: named } = port.graph;
    plan.copies.push(() => readPort(graph.context, graph.session.tensor(slot), named, value));
  }
  return plan;
}

function isDispatchInput(provided: unknown): provided is MLTensor | TensorInput {
  return isMLTensor(provided) || isTensorInput(provided);
}

function isDispatchOutput(provided: unknown): provided is MLTensor | TypedArray {
  return isMLTensor(provided) || isTypedArray(provided);
}

/** Binds a caller's tensor. Two outputs may be one tensor of the graph: both must then be the same. */
function bind({ tensors }: DispatchPlan, port: DirectPort, tensor: MLTensor, { context }: DirectGraph): void {
  checkFits(tensor, port, context);
  const name = port.graph?.port.name;
  if (name === undefined) return;
  if ((tensors[name] ?? tensor) !== tensor) throw sharedPort(port);
  tensors[name] = tensor;
}

/** Binds the model's own tensor, which is there for runs with arrays. */
function bindOwn({ tensors }: DispatchPlan, port: DirectPort, { session }: DirectGraph): number | null {
  if (port.graph === null) return null;
  const { slot, port: named } = port.graph;
  const tensor = session.tensor(slot);
  if ((tensors[named.name] ?? tensor) !== tensor) throw sharedPort(port);
  tensors[named.name] = tensor;
  return slot;
}

function sharedPort({ direction, info }: DirectPort): TensorError {
  return new TensorError(
    'TENSOR_MISMATCH',
    `Two ${direction}s of the model are the tensor ${info.name}: pass the same one for both.`,
  );
}

async function finish(copies: DispatchPlan['copies'], graph: DirectGraph): Promise<void> {
  // All of them, even when one fails: nothing may be left that writes into the caller's arrays.
  const results = await Promise.allSettled(copies.map((copy) => copy()));
  const failure = results.find((result) => result.status === 'rejected');
  if (failure !== undefined) throw tensorFailure(failure.reason, graph.webnn);
  graph.session.verify();
}

function checkArray({ dataType, shape }: MLTensor, data: TypedArray): void {
  if (isTypedArray(data) && holdsDType(data, dataType) && data.length === elementCount(shape)) return;
  const found = isTypedArray(data) ? `a ${data[Symbol.toStringTag]} of ${data.length}` : typeof data;
  const name = typedArrayConstructor(dataType)?.name ?? dataType;
  throw new TensorError(
    'TENSOR_MISMATCH',
    `The MLTensor is ${dataType}[${shape}]: a ${name} of ${elementCount(shape)} elements is needed; got ${found}.`,
  );
}

function arrayFor({ dataType, shape }: MLTensor): TypedArray {
  const array = typedArrayConstructor(dataType);
  if (array === null) throw new TensorError('TENSOR_MISMATCH', `JavaScript has no array for ${dataType}.`);
  return newArray(array, elementCount(shape), `an MLTensor of ${dataType}[${shape}]`);
}

function whyNot({ schedule, description, webnnReason }: PreparedModel): string {
  if (schedule.mode === 'cpu') return webnnReason ?? 'WebNN was not requested';
  return schedule.mode === 'direct' ? `it has variables: ${namesOf(description)}` : 'some nodes stay on the CPU';
}

function namesOf({ variables }: ModelDescription): string {
  return variables.map(({ name }) => name).join(', ');
}
