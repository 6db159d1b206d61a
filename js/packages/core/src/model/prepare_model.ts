/** From a model's file to something that runs: one try, without recovery. */

import type { HelperWebnn, WebnnBackend } from '../blocking/blocking_webnn.js';
import { WebnnHost } from '../blocking/webnn_host.js';
import type { ModelDescription } from '../description.js';
import { type LoadMonitor, nextTask } from '../support/tasks.js';
import { HeapFile, isShared, type ModelFile, shareInstance } from '../wasm/wasm_memory.js';
import type { WasmInstance, WasmModule } from '../wasm/wasm_module.js';
import { type RunnerOptions, WasmRunner } from '../wasm/wasm_runner.js';
import type { ContextLosses } from '../webnn/context_losses.js';
import { type ExcludedNode, WebnnBuildError } from '../webnn/excluded_nodes.js';
import type { HeapReader } from '../webnn/graph_nodes.js';
import { closeWebnn, type PageWebnn, type WebnnUnavailable } from '../webnn/webnn_context.js';
import { PreparedModel } from './prepared_model.js';
import { decided, onWebnn } from './runner_options.js';
import { makeSchedule, whyNothing } from './schedule.js';
import { ModelVariables } from './state_tensor.js';
import { WebnnSession } from './webnn_session.js';

/** What a model is created from. */
export interface ModelParts {
  readonly wasm: WasmModule;
  readonly model: ModelFile;
  /** See runnerOptions(). */
  readonly options: RunnerOptions;
  /** Who waits for the loading; null once the model is loaded. */
  readonly monitor?: LoadMonitor | null;
}

/** One try. */
export interface Attempt {
  /** Where to run: a context, or the CPU, and why. Null where WebNN was not requested. */
  readonly webnn: WebnnBackend | WebnnUnavailable | null;
  /** Nodes that the browser has rejected. */
  readonly excludedNodes: readonly ExcludedNode[];
  /** Whether the graphs are to be searched for a node first, and where the outcome goes. */
  readonly losses: ContextLosses;
  /** Used again where the new context is like the old one: what the model remembers between runs is in it. */
  readonly previous: WasmRunner | null;
  /** The variables of an earlier preparation, with their values. */
  readonly variables?: ModelVariables | null;
}

/**
 * Prepares a model for running.
 *
 * @returns The model, which owns the context, or has closed it where WebNN gets no node.
 * @throws WebnnBuildError where the browser rejects a node or tensor; what WasmRunner throws; the reason of the abort.
 */
export async function prepareModel(parts: ModelParts, attempt: Attempt): Promise<PreparedModel> {
  const { webnn, excludedNodes, losses, previous } = attempt;
  if (webnn?.context && webnn.Builder === null) {
    const instance = await instanceFor(parts, false);
    return orEnd(instance, async () => prepareHosted(parts, webnn, excludedNodes, instance, attempt.variables));
  }
  const page = webnn?.context ? webnn : null;
  const options = page === null ? parts.options : onWebnn(parts.options, page, excludedNodes);
  const start = performance.now();
  const runner = isCreatedWith(previous, options)
    ? previous
    : await openRunner(parts, attempt.variables ? decided(options) : options);
  const { description } = runner;
  const schedule = makeSchedule(description);
  const initMs = performance.now() - start;
  const variables = attempt.variables ?? ModelVariables.of(runner);
  const found = { runner, schedule, variables, excludedNodes, initMs };
  if (page === null) return new PreparedModel({ ...found, webnnReason: webnn?.context === null ? webnn.reason : null });
  if (schedule.mode === 'cpu') return new PreparedModel({ ...found, webnnReason: closeUnused(page, description) });
  await nextStep(parts);
  const heap = (address: number, byteLength: number) => runner.constant(address, byteLength);
  const onBuilt = buildProgress(description, parts.monitor);
  const session = await orClose(runner, previous, async () => {
    if (losses.isSearchDue) await search(description, page, heap, losses);
    return WebnnSession.create({ webnn: page, description, schedule, heap, onBuilt });
  });
  heap(0, 0); // frees the constant that was read last
  return new PreparedModel({ ...found, webnn: page, session, buildMs: performance.now() - start - initMs });
}

/**
 * Prepares a model that TFLite itself runs: its WebNN steps wait for the helper worker, which builds the graphs
 * meanwhile.
 *
 * @throws WebnnBuildError where the browser rejects a node, see excludeAndRetry().
 */
export function prepareHosted(
  { model, options, monitor }: Omit<ModelParts, 'wasm'>,
  webnn: HelperWebnn,
  excludedNodes: readonly ExcludedNode[],
  instance: WasmInstance,
  earlier: ModelVariables | null = null,
): PreparedModel {
  const start = performance.now();
  const host = new WebnnHost(webnn.context);
  host.attach(instance.bindings);
  const runner = new WasmRunner(instance, model, {
    ...onWebnn(options, webnn, excludedNodes),
    webnn_host_context: webnn.context.number,
  });
  const { description } = runner;
  monitor?.report('init', model.byteLength, model.byteLength);
  const schedule = makeSchedule(description, true);
  const hosted = host.infoOf(description.graphs);
  const buildMs = hosted.reduce((sum, graph) => sum + graph.buildMs, 0);
  const variables = earlier ?? ModelVariables.of(runner);
  const found = { runner, schedule, variables, excludedNodes, initMs: performance.now() - start - buildMs };
  if (schedule.mode === 'cpu') return new PreparedModel({ ...found, webnnReason: closeUnused(webnn, description) });
  return new PreparedModel({ ...found, webnn, hosted, buildMs });
}

/** Closes a context that gets no node. */
function closeUnused(webnn: WebnnBackend, description: ModelDescription): string {
  closeWebnn(webnn);
  return whyNothing(description);
}

/**
 * Searches the graphs for the node on which the browser's GPU process crashes.
 *
 * @throws LostInSearchError where the context was lost over it; WebnnBuildError where there cannot be a search.
 */
async function search(
  { graphs }: ModelDescription,
  webnn: PageWebnn,
  heap: HeapReader,
  losses: ContextLosses,
): Promise<void> {
  if (webnn.guard === null) return;
  losses.searched(await webnn.guard.search(graphs, webnn, heap));
  if (webnn.lostReason !== null) throw new LostInSearchError();
  if (losses.tooMany) throw new WebnnBuildError(losses.text, null);
}

/** The context was lost over the search for a bug, and not over the model. */
export class LostInSearchError extends WebnnBuildError {
  constructor() {
    super('the WebNN context was lost while the nodes of the model ran one by one', null);
  }
}

/**
 * Opens the model in several tasks: each takes milliseconds, also because browsers compile functions as they are
 * called.
 */
async function openRunner(parts: ModelParts, options: RunnerOptions): Promise<WasmRunner> {
  const instance = await instanceFor(parts);
  const runner = await orEnd(instance, async () => {
    await nextStep(parts);
    return new WasmRunner(instance, parts.model, { ...options, ...DEFERRED });
  });
  return orClose(runner, null, async () => {
    await nextStep(parts);
    runner.allocateSubgraph(runner.mainSubgraph); // the delegates replace their nodes; XNNPACK packs its weights
    await nextStep(parts);
    parts.monitor?.report('init', parts.model.byteLength, parts.model.byteLength);
    return runner;
  });
}

/** Does what a runner is for. Where that fails, nothing is left of it, unless it was there `previous`ly. */
async function orClose<T>(runner: WasmRunner, previous: WasmRunner | null, use: () => Promise<T>): Promise<T> {
  try {
    return await use();
  } catch (error) {
    if (runner !== previous) runner.close();
    throw error;
  }
}

const DEFERRED: RunnerOptions = { defer_allocation: true };

function isCreatedWith(previous: WasmRunner | null, options: RunnerOptions): previous is WasmRunner {
  return previous !== null && JSON.stringify(previous.options) === JSON.stringify({ ...options, ...DEFERRED });
}

async function nextStep({ monitor }: ModelParts): Promise<void> {
  await nextTask();
  monitor?.throwIfAborted();
}

/** The instance that a download went to, where it is free, else a shared or a fresh one. */
async function instanceFor({ wasm, model, monitor }: ModelParts, mayShare = true): Promise<WasmInstance> {
  monitor?.report('init', 0, model.byteLength);
  const own = model instanceof HeapFile ? model.takeInstance() : null;
  const shares = mayShare && isShared(wasm, model.byteLength);
  const instance = own ?? (await (shares ? shareInstance(wasm) : wasm.instantiate()));
  return orEnd(instance, async () => {
    monitor?.throwIfAborted();
    return instance;
  });
}

/** Does what an instance is for. Where that fails, its threads end, unless they are another model's. */
async function orEnd<T>(instance: WasmInstance, use: () => Promise<T>): Promise<T> {
  try {
    return await use();
  } catch (error) {
    if (instance.host === undefined) instance.close();
    throw error;
  }
}

/** Reports each graph that is built, and ends the building after an abort. */
function buildProgress({ graphs }: ModelDescription, monitor: LoadMonitor | null | undefined): (graph: number) => void {
  const sizes = graphs.map(({ constants }) => constants.reduce((sum, { byteLength }) => sum + byteLength, 0));
  const total = sizes.reduce((sum, size) => sum + size, 0);
  let built = 0;
  monitor?.report('build', 0, total);
  return (graph) => {
    monitor?.throwIfAborted();
    built += sizes[graph] ?? 0;
    monitor?.report('build', built, total);
  };
}
