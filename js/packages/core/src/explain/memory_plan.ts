/** The positions of a model's tensors in TFLite's arena, and a text about them. */

import type { ModelDescription } from '../description.js';
import { InterpreterError, printable, UnsupportedOpError } from '../errors.js';
import { fetchModel, type ModelSource } from '../load/model_source.js';
import { onWebnn, runnerOptions } from '../model/runner_options.js';
import { LIST, OBJECT } from '../option_schema.js';
import { checkOptions, MODEL_OPTIONS_SCHEMA, resolveDevice, type TFLiteModelOptions } from '../options.js';
import { checkArguments } from '../support/validate_options.js';
import { withCustomOps } from '../wasm/load_custom_ops.js';
import { loadWasmModule } from '../wasm/wasm_module.js';
import { type RunnerOptions, WasmRunner } from '../wasm/wasm_runner.js';
import type { MLOpSupportLimits } from '../webnn_types.js';
import {
  type GraphNode,
  type PlannedTensor,
  type SubgraphMemory,
  type SubgraphState,
  subgraphMemory,
  type TensorState,
} from './arena.js';

const MAIN_SUBGRAPH = 0;

/**
 * Options of {@link planMemory}: those of loading, and the limits of a WebNN context.
 *
 * @group explain.mjs
 */
export interface MemoryPlanOptions extends TFLiteModelOptions {
  /** What `opSupportLimits()` of a context returns; without it the plan says nothing of WebNN. */
  readonly limits?: MLOpSupportLimits;
}

/**
 * What is left in the arena where delegates compute: the tensors at their boundaries.
 *
 * @group explain.mjs
 */
export interface DelegatedMemory {
  /** `XNNPACK`, or `WebNN and XNNPACK`. */
  readonly delegates: string;
  /** Nodes of the execution plan: what the delegates have left, and one for each part that they accepted. */
  readonly planEntries: number;
  /** Size of the main subgraph's arena. What the delegates hold themselves is not in it. */
  readonly arenaBytes: number;
}

/**
 * The arena plan of a model.
 *
 * @group explain.mjs
 */
export interface MemoryPlan {
  /**
   * TFLite's own plan, in which no delegate accepts anything, without subgraphs of signatures that cannot be prepared.
   */
  readonly subgraphs: readonly SubgraphMemory[];
  /** The main subgraph's arena where delegates compute. */
  readonly delegated: readonly DelegatedMemory[];
}

/**
 * Lets TFLite allocate a model's tensors, without a delegate and with them, and returns their positions.
 *
 * @param source - The model file, as loadTFLiteModel accepts it.
 * @param options - As of loadTFLiteModel; those about a browser change nothing.
 * @throws What loadTFLiteModel throws.
 *
 * @group explain.mjs
 */
export async function planMemory(source: ModelSource, options: MemoryPlanOptions = {}): Promise<MemoryPlan> {
  checkOptions(options, { ...MODEL_OPTIONS_SCHEMA, limits: OBJECT });
  const { limits } = options;
  const [model, wasm] = await Promise.all([
    fetchModel(source),
    withCustomOps(loadWasmModule({ ...options, numThreads: 1 }), options.customOps),
  ]);
  const onCpu = runnerOptions(resolveDevice(options));
  const load = async (provided: RunnerOptions) => new WasmRunner(await wasm.instantiate(), model, provided);
  const withoutDelegate = await load({ ...onCpu, enable_xnnpack_delegate: false });
  const delegated = [delegatedMemory('XNNPACK', await load({ ...onCpu, enable_xnnpack_delegate: true }))];
  if (limits !== undefined) {
    delegated.push(delegatedMemory('WebNN and XNNPACK', await load(onWebnn(onCpu, { limits, backend: null }, []))));
  }
  return { subgraphs: plannedSubgraphs(withoutDelegate), delegated };
}

function plannedSubgraphs(runner: WasmRunner): SubgraphMemory[] {
  const { signatures, inputs, outputs, subgraphs } = runner.description;
  const entries = new Set(signatures.map(({ subgraph }) => subgraph));
  const known = new Map<number, SubgraphEnds>(subgraphs.map((subgraph) => [subgraph.index, subgraph]));
  known.set(MAIN_SUBGRAPH, { inputs, outputs });
  const indices = Array.from({ length: runner.subgraphCount }, (_, index) => index);
  return indices
    .filter((index) => index === MAIN_SUBGRAPH || !entries.has(index) || isPrepared(runner, index))
    .map((index) => subgraphMemory(stateOf(runner, index, known.get(index))));
}

type SubgraphEnds = Pick<ModelDescription, 'inputs' | 'outputs'>;

/** Whether an entry point can be prepared; what control flow calls is allocated by it. */
function isPrepared(runner: WasmRunner, index: number): boolean {
  try {
    runner.allocateSubgraph(index);
  } catch (error) {
    // The model loads: only a run of this signature fails, or it runs in an instance of its own.
    if (error instanceof UnsupportedOpError || error instanceof InterpreterError) return false;
    throw error;
  }
  return true;
}

/** @param known - The inputs and outputs of an entry point. */
function stateOf(runner: WasmRunner, index: number, known?: SubgraphEnds): SubgraphState {
  const nodes = JSON.parse(runner.describeNodes(index)) as GraphNode[];
  const tensors = JSON.parse(runner.describeTensors(index)) as TensorState[];
  const address = (tensor: number) => runner.tensorBytes(tensor, index).byteOffset;
  return { index, nodes, tensors, ...endsOf(nodes, known), address };
}

/** The inputs and outputs of subgraphs that are no entry points are tensors without a writer or reader. */
function endsOf(nodes: readonly GraphNode[], known?: SubgraphEnds) {
  const indices = (tensors: readonly { readonly index: number }[]) => tensors.map((tensor) => tensor.index);
  if (known !== undefined) return { inputs: indices(known.inputs), outputs: indices(known.outputs) };
  const read = new Set(nodes.flatMap((node) => node.inputs));
  const written = new Set(nodes.flatMap((node) => node.outputs));
  return {
    inputs: [...read].filter((tensor) => !written.has(tensor)),
    outputs: [...written].filter((tensor) => !read.has(tensor)),
  };
}

function delegatedMemory(delegates: string, runner: WasmRunner): DelegatedMemory {
  const { plan } = runner.description;
  const planEntries = plan.reduce((sum, step) => sum + (step.kind === 'cpu' ? step.count : 1), 0);
  return {
    delegates,
    planEntries,
    arenaBytes: subgraphMemory(stateOf(runner, MAIN_SUBGRAPH, runner.description)).arenaBytes,
  };
}

const HEADER = ['offset', 'bytes', 'nodes', 'tensor'] as const;

/**
 * Writes a plan: a line for each tensor, in the order in which they come to life. The text ends with a newline.
 *
 * @param plan - What planMemory() has found.
 *
 * @group explain.mjs
 */
export function renderMemoryPlan(plan: MemoryPlan): string {
  checkArguments('renderMemoryPlan', { plan }, { plan: { subgraphs: LIST, delegated: LIST } });
  const { subgraphs, delegated } = plan;
  const blocks = [...subgraphs.map(subgraphLines), delegated.map(delegatedLine)];
  return blocks.map((lines) => lines.map((line) => `${printable(line.trimEnd())}\n`).join('')).join('\n');
}

function subgraphLines(memory: SubgraphMemory): string[] {
  const { index, nodes, tensors, arenaBytes, persistentBytes, peakBytes, peakNode, constantBytes } = memory;
  const peak =
    peakNode === null ? '' : `; at most ${bytes(peakBytes)} in use at the same time, by ${nodeText(memory, peakNode)}`;
  const later = tensors.filter(lacksOffset).length;
  return [
    `subgraph ${index}: ${count(nodes.length, 'node')}, ${count(tensors.length, 'tensor')}`,
    `  arena       ${bytes(arenaBytes)}${peak}`,
    `  persistent  ${bytes(persistentBytes)}`,
    `  constants   ${bytes(constantBytes)}, where the file has them`,
    ...(later === 0
      ? []
      : [`  later       ${count(later, 'tensor')}, whose memory is not known before the model runs`]),
    ...tensorTable(memory, 'arena-rw', 'arena'),
    ...tensorTable(memory, 'arena-rw-persistent', 'persistent'),
  ];
}

function lacksOffset({ allocationType, offset, sizeBytes }: PlannedTensor): boolean {
  return allocationType === 'dynamic' || (allocationType === 'arena-rw' && offset === null && sizeBytes > 0);
}

function nodeText({ nodes }: SubgraphMemory, position: number): string {
  return `node ${position} (${nodes[position]?.op})`;
}

function tensorTable({ tensors }: SubgraphMemory, type: PlannedTensor['allocationType'], title: string): string[] {
  const inside = tensors.filter(({ allocationType, offset }) => allocationType === type && offset !== null);
  if (inside.length === 0) return [];
  const rows = [...inside]
    .sort(byFirstNode)
    .map((tensor) => [
      bytes(Number(tensor.offset), ''),
      bytes(tensor.sizeBytes, ''),
      tensor.firstNode === null ? '?' : `${tensor.firstNode} to ${tensor.lastNode ?? 'end'}`,
      `t${tensor.index} ${tensor.dtype}[${tensor.shape}] ${tensor.name || 'of a kernel'}`,
    ]);
  const widths = HEADER.map((name, column) =>
    rows.reduce((max, row) => Math.max(max, row[column]?.length ?? 0), name.length),
  );
  const line = (cells: readonly string[]) => {
    const [offset = '', size = '', nodes = '', tensor = ''] = cells;
    const [first = 0, second = 0, third = 0] = widths;
    return `  ${offset.padStart(first)}  ${size.padStart(second)}  ${nodes.padEnd(third)}  ${tensor}`;
  };
  return ['', `  ${title}`, line(HEADER), ...rows.map(line)];
}

function byFirstNode(a: PlannedTensor, b: PlannedTensor): number {
  return Number(a.firstNode) - Number(b.firstNode) || Number(a.offset) - Number(b.offset);
}

function delegatedLine({ delegates, planEntries, arenaBytes }: DelegatedMemory): string {
  const entries = `${planEntries} ${planEntries === 1 ? 'entry' : 'entries'} in the plan`;
  return `with ${delegates}: ${entries}, arena ${bytes(arenaBytes)}`;
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`;
}

/** 1204224 as 1 204 224. */
function bytes(count: number, unit = ' bytes'): string {
  return `${String(count).replaceAll(/\B(?=(\d{3})+$)/g, ' ')}${unit}`;
}
