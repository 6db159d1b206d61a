/**
 * From a model's bytes to something that runs. WebNN is tried first where asked; every failure of it ends on the CPU,
 * with the reason in words, never in an error and never in wrong numbers.
 */

import type { HelperWebnn, WebnnBackend } from '../blocking/blocking_webnn.js';
import { WebnnHost } from '../blocking/webnn_host.js';
import type { ModelDescription } from '../description.js';
import { messageOf, WebnnBuildError } from '../errors.js';
import type { TFLiteModelOptions } from '../options.js';
import type { LoadWatch } from '../support/load_watch.js';
import { nextTask } from '../support/turns.js';
import { HeapFile, type ModelFile } from '../wasm/model_file.js';
import { cpuRunnerOptions, type RunnerOptions, webnnRunnerOptions } from '../wasm/runner_options.js';
import type { WasmInstance, WasmModule } from '../wasm/wasm_module.js';
import { WasmRunner } from '../wasm/wasm_runner.js';
import { ContextLosses, lossOf } from '../webnn/context_losses.js';
import { type DeniedNode, denyAndRetry, isWebnnFailure } from '../webnn/denied_nodes.js';
import type { HeapReader } from '../webnn/graph_executor.js';
import { opSupportLimitsText } from '../webnn/op_support_limits.js';
import { closeWebnn, openAgain, type PageWebnn, type WebnnUnavailable } from '../webnn/webnn_context.js';
import { Executor } from './executor.js';
import { type OpenRunner, PreparedModel } from './prepared_model.js';
import { makeSchedule } from './schedule.js';
import { WebnnSession } from './webnn_session.js';

/** What a model is made from. */
export interface ModelParts {
  readonly wasm: WasmModule;
  readonly model: ModelFile;
  readonly options: TFLiteModelOptions;
  /** Null where WebNN was not asked for. The prepared model owns it, or has closed it. */
  readonly webnn: WebnnBackend | WebnnUnavailable | null;
  /** Who waits for the loading; null once the model is loaded. */
  readonly watch?: LoadWatch | null;
  /** Opens another context where one was lost. */
  reopenWebnn(): Promise<WebnnBackend | WebnnUnavailable>;
}

/** What is left of a model whose context was lost. */
export interface LostModel {
  readonly deniedNodes: readonly DeniedNode[];
  /** Used again where the new context is like the old one: what the model remembers between runs is in it. */
  readonly runner: OpenRunner | null;
}

/**
 * Prepares a model for running.
 *
 * @param losses - Counts the contexts that were lost; after too many in a row the model goes to the CPU.
 * @param lost - The model before, where this is not its first preparation.
 */
export async function prepareModel(
  parts: ModelParts,
  losses = new ContextLosses(),
  lost: LostModel | null = null,
): Promise<PreparedModel> {
  const deniedNodes = [...(lost?.deniedNodes ?? [])];
  let webnn = lost === null ? parts.webnn : await anotherContext(parts, losses);
  for (;;) {
    if (webnn === null || webnn.context === null) return prepareOnCpu(parts, webnn?.reason ?? null, deniedNodes);
    const backend: WebnnBackend = webnn;
    const attempt = () =>
      backend.Builder === null
        ? prepareBlocking(parts, backend, deniedNodes)
        : prepareOnWebnn(parts, backend, deniedNodes, lost?.runner ?? null, losses);
    try {
      return await denyAndRetry(deniedNodes, () => attempt().catch((error: unknown) => failWithLoss(error, backend)));
    } catch (error) {
      webnn = await contextOfNextTry(error, backend, parts, losses);
    }
  }
}

/** @throws LostWhilePreparingError where the context was lost, of which no node need be the cause; else `error`. */
async function failWithLoss(error: unknown, webnn: WebnnBackend): Promise<never> {
  const reason = isWebnnFailure(error) ? await lossOf(webnn) : null;
  throw reason === null ? error : new LostWhilePreparingError(reason, error);
}

/** Another context where one was lost; none where the CPU is next. */
async function contextOfNextTry(
  error: unknown,
  webnn: WebnnBackend,
  parts: ModelParts,
  losses: ContextLosses,
): Promise<WebnnBackend | WebnnUnavailable> {
  closeWebnn(webnn);
  if (!isWebnnFailure(error)) throw error;
  if (!(error instanceof LostWhilePreparingError)) return { context: null, reason: messageOf(error) };
  if (webnn.Builder === null) losses.addAll(webnn.context.losses);
  else losses.add(error.reason, webnn.guard !== null && !(error.cause instanceof LostInSearchError));
  return anotherContext(parts, losses);
}

/** The context was lost: the model is prepared on another one. */
class LostWhilePreparingError extends WebnnBuildError {
  constructor(
    readonly reason: string,
    cause: unknown,
  ) {
    super(`the WebNN context was lost while the model was prepared (${reason})`, null, { cause });
  }
}

/** A context in place of a lost one, or why there is none. */
async function anotherContext(parts: ModelParts, losses: ContextLosses): Promise<WebnnBackend | WebnnUnavailable> {
  if (losses.tooMany) return { context: null, reason: losses.text };
  const webnn = await openAgain(() => parts.reopenWebnn());
  if (webnn.context !== null) return webnn;
  return { context: null, reason: `${losses.text} and gave no other: ${webnn.reason}` };
}

async function prepareOnWebnn(
  parts: ModelParts,
  webnn: PageWebnn,
  deniedNodes: readonly DeniedNode[],
  previous: OpenRunner | null,
  losses: ContextLosses,
): Promise<PreparedModel> {
  const denied = deniedNodes.map(({ node }) => node);
  const options = webnnRunnerOptions(parts.options, opSupportLimitsText(webnn.limits), denied);
  const start = performance.now();
  const opened = isMadeWith(previous, options) ? previous : await openRunner(parts, options);
  const { description } = opened.runner;
  const schedule = makeSchedule(description);
  const initMs = performance.now() - start;
  if (schedule.mode === 'cpu') {
    closeWebnn(webnn);
    return onCpu(opened, initMs, whyNothing(description), deniedNodes);
  }
  await nextStep(parts);
  const heap = (address: number, byteLength: number) => opened.runner.heapBytes(address, byteLength);
  if (losses.isSearchDue) await search(description, webnn, heap, losses);
  const { context, Builder, guard } = webnn;
  const onBuilt = buildProgress(description, parts.watch);
  const session = await WebnnSession.create(context, Builder, description, schedule, heap, onBuilt, guard);
  const buildMs = performance.now() - start - initMs;
  // WebNN has its own copy of the weights: without the runner the wasm instance goes, or is kept for the file alone.
  const kept = schedule.usesHeap || description.subgraphs.length > 0 ? opened : null;
  if (kept === null) opened.runner.close();
  const isProfiled = parts.options.enableProfiling ?? false;
  const executor = new Executor(schedule, description.outputs, kept?.runner ?? null, session, isProfiled);
  const found = { description, schedule, webnn, webnnReason: null, deniedNodes };
  return new PreparedModel({ ...found, executor, opened: kept, initMs, buildMs });
}

/**
 * Searches the graphs for the node of which the browser's GPU process dies.
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
  if (webnn.lostReason() !== null) throw new LostInSearchError();
  if (losses.tooMany) throw new WebnnBuildError(losses.text, null);
}

/** The context was lost over the search for a fault, and not over the model. */
class LostInSearchError extends WebnnBuildError {
  constructor() {
    super('the WebNN context was lost while the nodes of the model ran one by one', null);
  }
}

async function prepareBlocking(
  parts: ModelParts,
  webnn: HelperWebnn,
  deniedNodes: readonly DeniedNode[],
): Promise<PreparedModel> {
  return prepareHosted(parts, webnn, deniedNodes, await instanceFor(parts));
}

/**
 * Prepares a model that TFLite itself runs: its WebNN steps wait for the helper worker, which builds the graphs meanwhile.
 *
 * @throws WebnnBuildError where the browser refuses a node, see denyAndRetry().
 */
export function prepareHosted(
  parts: Omit<ModelParts, 'wasm' | 'webnn' | 'reopenWebnn'>,
  webnn: HelperWebnn,
  deniedNodes: readonly DeniedNode[],
  instance: WasmInstance,
): PreparedModel {
  const denied = deniedNodes.map(({ node }) => node);
  const options = webnnRunnerOptions(parts.options, opSupportLimitsText(webnn.limits), denied);
  const start = performance.now();
  const host = new WebnnHost(webnn.context);
  host.attach(instance.bindings);
  const opened = runnerIn(instance, parts, { ...options, webnn_host_context: webnn.context.number });
  const { description } = opened.runner;
  parts.watch?.report('init', parts.model.byteLength, parts.model.byteLength);
  const schedule = makeSchedule(description, true);
  const graphs = host.infoOf(description.graphs);
  const buildMs = graphs.reduce((sum, graph) => sum + graph.buildMs, 0);
  const initMs = performance.now() - start - buildMs;
  if (schedule.mode === 'cpu') {
    closeWebnn(webnn);
    return onCpu(opened, initMs, whyNothing(description), deniedNodes);
  }
  const isProfiled = parts.options.enableProfiling ?? false;
  const executor = new Executor(schedule, description.outputs, opened.runner, null, isProfiled, graphs);
  const found = { description, schedule, webnn, webnnReason: null, deniedNodes };
  return new PreparedModel({ ...found, executor, opened, initMs, buildMs });
}

/** Why the delegate, though it was asked, has left WebNN nothing to do. */
export function whyNothing({ delegate }: ModelDescription): string {
  return delegate.error ?? 'WebNN gets no node of this model; the report tells why, node by node';
}

async function prepareOnCpu(
  parts: ModelParts,
  reason: string | null,
  deniedNodes: readonly DeniedNode[],
): Promise<PreparedModel> {
  const start = performance.now();
  const opened = await openRunner(parts, cpuRunnerOptions(parts.options));
  return onCpu(opened, performance.now() - start, reason, deniedNodes);
}

function onCpu(
  opened: OpenRunner,
  initMs: number,
  webnnReason: string | null,
  deniedNodes: readonly DeniedNode[],
): PreparedModel {
  const { description } = opened.runner;
  const schedule = makeSchedule(description);
  const isProfiled = opened.options.enable_profiling === true;
  const executor = new Executor(schedule, description.outputs, opened.runner, null, isProfiled);
  const found = { description, schedule, webnn: null, webnnReason, deniedNodes };
  return new PreparedModel({ ...found, executor, opened, initMs, buildMs: 0 });
}

/** Opens the model in several tasks: each takes milliseconds, also because browsers compile functions as they are called. */
async function openRunner(parts: ModelParts, options: RunnerOptions): Promise<OpenRunner> {
  const instance = await instanceFor(parts);
  await nextStep(parts);
  const opened = runnerIn(instance, parts, options, { defer_allocation: true });
  await nextStep(parts);
  opened.runner.allocateSubgraph(0); // the delegates take their nodes; XNNPACK packs its weights
  await nextStep(parts);
  parts.watch?.report('init', parts.model.byteLength, parts.model.byteLength);
  return opened;
}

async function nextStep({ watch }: ModelParts): Promise<void> {
  await nextTask();
  watch?.throwIfAborted();
}

/** The instance that a download went to, where it is free, else a fresh one. */
async function instanceFor({ wasm, model, watch }: ModelParts): Promise<WasmInstance> {
  watch?.report('init', 0, model.byteLength);
  const own = model instanceof HeapFile ? model.takeInstance() : null;
  const instance = own ?? (await wasm.instantiate());
  watch?.throwIfAborted();
  return instance;
}

function runnerIn(
  instance: WasmInstance,
  { model }: Pick<ModelParts, 'model'>,
  options: RunnerOptions,
  more: RunnerOptions = {},
): OpenRunner {
  const threads = instance.threads > 1 && { num_threads: instance.threads };
  const runner = new WasmRunner(instance, model, { ...options, ...threads, ...more });
  return { runner, options };
}

/** Tells of each graph that is built, and ends the building after an abort. */
function buildProgress({ graphs }: ModelDescription, watch: LoadWatch | null | undefined): (graph: number) => void {
  const sizes = graphs.map(({ constants }) => constants.reduce((sum, { byteLength }) => sum + byteLength, 0));
  const total = sizes.reduce((sum, size) => sum + size, 0);
  let built = 0;
  watch?.report('build', 0, total);
  return (graph) => {
    watch?.throwIfAborted();
    built += sizes[graph] ?? 0;
    watch?.report('build', built, total);
  };
}

function isMadeWith(previous: OpenRunner | null, options: RunnerOptions): previous is OpenRunner {
  return previous !== null && JSON.stringify(previous.options) === JSON.stringify(options);
}
