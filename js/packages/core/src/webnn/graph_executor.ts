/** Replays a {@link WebnnGraph} on any MLGraphBuilder. It knows nothing about single operators. */

import type { GraphOperator, GraphPort, WebnnGraph } from '../description.js';
import { messageOf } from '../errors.js';
import { Slices } from '../support/tasks.js';
import type { MLGraph, MLGraphBuilder, MLOperand, MLOperandDescriptor } from '../webnn_types.js';
import { WebnnBuildError } from './excluded_nodes.js';
import {
  type HeapReader,
  labelOfLargeConstant,
  nodeOfLabel,
  type Operands,
  operandsIn,
  splitLargeConstants,
} from './graph_nodes.js';

/** What is known of a graph that the browser has built. */
export interface BuiltGraphInfo {
  readonly buildMs: number;
  /** The devices that the graph runs on, if the browser reports them. */
  readonly devices: readonly string[] | null;
  /** Dispatches with tensors from elsewhere. Default: none. */
  readonly queuedDispatches?: number;
}

/** Keeps nodes from the browser, see BugGuard. */
export interface GraphGuard {
  /** @throws KnownBugError where a graph has nodes that are not to run on WebNN. */
  check(graph: WebnnGraph, operands: Operands): void;
}

type BuilderMethod = (...args: unknown[]) => MLOperand | readonly MLOperand[];

/**
 * Builds the graph.
 *
 * @param graph - The description.
 * @param builder - A fresh MLGraphBuilder of the context that runs the graph.
 * @param heap - Where the constants lie. WebNN copies them, so they may go once this promise is settled.
 * @param guard - Keeps from the browser what ends its GPU process.
 * @throws WebnnBuildError naming the node, as far as the browser does; KnownBugError.
 */
export async function buildGraph(
  graph: WebnnGraph,
  builder: MLGraphBuilder,
  heap: HeapReader,
  guard: GraphGuard | null = null,
): Promise<MLGraph> {
  const operands = await addOperands(graph, builder, heap);
  guard?.check(graph, operands);
  try {
    return await builder.build(namedOutputs(graph.outputs, operands));
  } catch (error) {
    throw buildError(graph, error);
  }
}

/** Creates all operands of a graph, by their ids. */
export async function addOperands(
  graph: WebnnGraph,
  builder: MLGraphBuilder,
  heap: HeapReader,
): Promise<Map<number, MLOperand>> {
  const operands = new Map<number, MLOperand>();
  const slices = new Slices();
  try {
    for (const input of graph.inputs) operands.set(input.id, builder.input(input.name, descriptorOf(input)));
    for (const constant of graph.constants) {
      await slices.pause(); // the browser copies megabytes
      const data = heap(constant.address, constant.byteLength);
      operands.set(constant.id, builder.constant(descriptorOf(constant), data));
    }
  } catch (error) {
    throw new WebnnBuildError(`WebNN rejected an input or constant: ${messageOf(error)}`, null, { cause: error });
  }
  for (const operator of graph.operators) addOperator(operator, builder, operands);
  return operands;
}

function descriptorOf(port: Pick<GraphPort, 'dataType' | 'shape'>): MLOperandDescriptor {
  return { dataType: port.dataType, shape: [...port.shape] };
}

function addOperator(operator: GraphOperator, builder: MLGraphBuilder, operands: Map<number, MLOperand>): void {
  const { op, label } = operator;
  try {
    const method = (builder as unknown as Record<string, BuilderMethod | undefined>)[op];
    if (typeof method !== 'function') throw new TypeError(`MLGraphBuilder has no method ${op} in this browser`);
    const args = operator.args.map((argument) => resolve(argument, operands));
    args[args.length - 1] = { ...(args.at(-1) as object), label };
    const result = method.apply(builder, args);
    const results = Array.isArray(result) ? (result as readonly MLOperand[]) : [result as MLOperand];
    operator.outputs.forEach((id, position) => {
      operands.set(id, known(results[position], `result ${position} of ${op}`));
    });
  } catch (error) {
    const message = `WebNN rejected ${op} of node ${label}: ${messageOf(error)}`;
    throw new WebnnBuildError(message, nodeOfLabel(label), { cause: error, details: { op, label } });
  }
}

/** Puts operands where the arguments name them, and turns the infinities, which JSON cannot hold, back into numbers. */
function resolve(argument: unknown, operands: ReadonlyMap<number, MLOperand>): unknown {
  if (argument === 'Infinity') return Number.POSITIVE_INFINITY;
  if (argument === '-Infinity') return Number.NEGATIVE_INFINITY;
  if (Array.isArray(argument)) return argument.map((element) => resolve(element, operands));
  if (typeof argument !== 'object' || argument === null) return argument;
  if ('operand' in argument) {
    return known(operands.get((argument as { operand: number }).operand), `operand ${String(argument.operand)}`);
  }
  return Object.fromEntries(Object.entries(argument).map(([key, value]) => [key, resolve(value, operands)]));
}

function namedOutputs(outputs: readonly GraphPort[], operands: ReadonlyMap<number, MLOperand>) {
  return Object.fromEntries(outputs.map(({ id, name }) => [name, known(operands.get(id), `graph output ${name}`)]));
}

function known<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new TypeError(`the graph description is inconsistent: no ${what}`);
  return value;
}

/** Browsers put the label of the rejected operator into the message of build()'s rejection. */
function buildError(graph: WebnnGraph, cause: unknown): WebnnBuildError {
  const message = messageOf(cause);
  const labels = new Set(graph.operators.map((operator) => operator.label));
  // Longest labels first: "17:ADD" would otherwise be found as "7:ADD", "7:ADD_N" as "7:ADD".
  const label = [...labels].sort((a, b) => b.length - a.length).find((candidate) => message.includes(candidate));
  const where = label === undefined ? '' : ` at node ${label}`;
  const node = label === undefined ? null : nodeOfLabel(label);
  return new WebnnBuildError(`WebNN could not build the graph${where}: ${message}`, node, { cause });
}

/**
 * Builds the graph.
 *
 * @param described - The graph; weights that are too large for the browser are split.
 * @param makeBuilder - Creates a fresh MLGraphBuilder; each attempt needs its own.
 * @param guard - Keeps from the browser what ends its GPU process.
 * @throws KnownBugError; WebnnBuildError naming the node. It costs a few more attempts where the browser does not
 *   name it.
 */
export async function buildOrFindNode(
  described: WebnnGraph,
  makeBuilder: () => MLGraphBuilder,
  heap: HeapReader,
  guard: GraphGuard | null = null,
): Promise<MLGraph> {
  const graph = described.maxConstantBytes === undefined ? described : splitLargeConstants(described);
  try {
    return await buildGraph(graph, makeBuilder(), heap, guard);
  } catch (error) {
    if (!(error instanceof WebnnBuildError) || error.node !== null) throw error;
    const [label, how] = labelOfRejectedSize(graph, error.message) ?? [
      await findLabel(graph, makeBuilder, heap),
      'parts of the graph build up to node',
    ];
    const message = `${error.message} (the browser names no operator; ${how} ${label})`;
    throw new WebnnBuildError(message, nodeOfLabel(label), { cause: error.cause });
  }
}

/** Where the browser speaks of sizes, and there is a constant of more than it accepts: its node, without a search. */
function labelOfRejectedSize(graph: WebnnGraph, message: string): [label: string, how: string] | null {
  const { maxConstantBytes } = graph;
  if (maxConstantBytes === undefined || !/size|limit|large/i.test(message)) return null;
  const label = labelOfLargeConstant(graph, maxConstantBytes);
  return label === null ? null : [label, `a constant of more than ${maxConstantBytes / 2 ** 20} MiB is at node`];
}

/** The label of the first node with which the graph's beginning cannot be built: a binary search. */
async function findLabel(graph: WebnnGraph, makeBuilder: () => MLGraphBuilder, heap: HeapReader): Promise<string> {
  const labels = [...new Set(graph.operators.map(({ label }) => label))];
  let [built, rejected] = [0, labels.length];
  while (rejected - built > 1) {
    const middle = (built + rejected) >> 1;
    const builds = await canBuild(beginningOf(graph, new Set(labels.slice(0, middle))), makeBuilder, heap);
    if (builds) built = middle;
    else rejected = middle;
  }
  return labels[built] as string;
}

async function canBuild(graph: WebnnGraph, makeBuilder: () => MLGraphBuilder, heap: HeapReader): Promise<boolean> {
  try {
    const built = await buildGraph(graph, makeBuilder(), heap);
    built.destroy?.();
    return true;
  } catch {
    return false;
  }
}

/** The operators of these labels as a graph; its outputs are what none of them reads. */
function beginningOf(graph: WebnnGraph, labels: ReadonlySet<string>): WebnnGraph {
  const operators = graph.operators.filter(({ label }) => labels.has(label));
  const read = new Set(operators.flatMap(({ args }) => args.flatMap(operandsIn)));
  const ends = operators.flatMap(({ outputs }) => outputs).filter((id) => !read.has(id));
  return {
    inputs: graph.inputs.filter(({ id }) => read.has(id)),
    constants: graph.constants.filter(({ id }) => read.has(id)),
    operators,
    // Type and shape are not used: the graph is only built and never dispatched.
    outputs: ends.map((id) => ({ id, name: `end${id}`, tensor: -1, dataType: 'float32', shape: [] })),
  };
}

/** Time from a dispatch until its results were read, in milliseconds. */
export interface DispatchTimes {
  /** How many there were. */
  readonly count: number;
  /** Of the last one. */
  readonly last: number;
  /** Mean of all. */
  readonly mean: number;
}

/**
 * WebNN queues a dispatch and does not report its end; reading a result waits for it. So a measurement goes from
 * a dispatch to the end of the reads that follow it. Graphs that are dispatched one after the other without a read in
 * between share a measurement, and the last of them has it.
 */
export class DispatchClock {
  readonly #times: { count: number; last: number; sum: number }[] = [];
  #graph = -1;
  #start = 0;

  /** Call it just before a dispatch. */
  start(graph: number): void {
    if (this.#graph < 0) this.#start = performance.now();
    this.#graph = graph;
  }

  /**
   * Call it when everything that has been read has arrived.
   *
   * @param hasRead - False if nothing was read, so that nobody has waited for the dispatch.
   */
  finish(hasRead = true): void {
    if (!hasRead) this.drop();
    if (this.#graph < 0) return;
    const last = performance.now() - this.#start;
    const times = this.#times[this.#graph] ?? { count: 0, last: 0, sum: 0 };
    times.count++;
    times.last = last;
    times.sum += last;
    this.#times[this.#graph] = times;
    this.#graph = -1;
  }

  /** Forgets a dispatch whose end nobody waits for. */
  drop(): void {
    this.#graph = -1;
  }

  /** The times of a graph; null where it was never measured. */
  timesOf(graph: number): DispatchTimes | null {
    const times = this.#times[graph];
    return times === undefined ? null : { count: times.count, last: times.last, mean: times.sum / times.count };
  }
}
