/**
 * From a model's bytes to something that runs. WebNN is tried first where asked; every failure of it ends on the CPU,
 * with the reason in words, never in an error and never in wrong numbers.
 */

import type { ModelDescription } from './description.js';
import { InterpreterError, messageOf, WasmTrapError, WebnnBuildError } from './errors.js';
import { Executor } from './execution/executor.js';
import { makeSchedule, type Schedule } from './execution/schedule.js';
import { WebnnSession } from './execution/webnn_session.js';
import { cpuRunnerOptions, type TFLiteModelOptions, webnnRunnerOptions } from './options.js';
import type { WasmModule } from './wasm_module.js';
import { type RunnerOptions, WasmRunner } from './wasm_runner.js';
import type { WebnnBackend, WebnnUnavailable } from './webnn_context.js';

/** A node that was taken back from WebNN because the browser refused it. */
export interface DeniedNode {
  readonly node: number;
  readonly reason: string;
}

/** A model that is ready to run. */
export interface PreparedModel {
  readonly description: ModelDescription;
  readonly schedule: Schedule;
  readonly executor: Executor;
  /** Why WebNN is not used though it was asked for; null where it is used or was not asked for. */
  readonly webnnReason: string | null;
  readonly deniedNodes: readonly DeniedNode[];
  readonly initMs: number;
  readonly buildMs: number;
}

/** What a model is made from. */
export interface ModelParts {
  readonly wasm: WasmModule;
  readonly model: Uint8Array;
  readonly options: TFLiteModelOptions;
  /** Null where WebNN was not asked for. */
  readonly webnn: WebnnBackend | WebnnUnavailable | null;
}

/** Each refusal costs a new partitioning; a browser that refuses more nodes than this is not worth it. */
const MAX_DENIED_NODES = 8;

/** Prepares a model for running. */
export async function prepareModel(parts: ModelParts): Promise<PreparedModel> {
  const { webnn } = parts;
  if (webnn === null) return prepareOnCpu(parts, null, []);
  if (webnn.context === null) return prepareOnCpu(parts, webnn.reason, []);
  const deniedNodes: DeniedNode[] = [];
  for (;;) {
    try {
      return await prepareOnWebnn(parts, webnn, deniedNodes);
    } catch (error) {
      if (!isWebnnFailure(error)) throw error;
      const node = webnn.lostReason() === null ? nodeToDeny(error, deniedNodes) : null;
      if (node === null) return prepareOnCpu(parts, messageOf(error), deniedNodes);
      deniedNodes.push({ node, reason: error.message });
    }
  }
}

/** The node without which another try may succeed, or null where there is none. */
function nodeToDeny(error: Error, deniedNodes: readonly DeniedNode[]): number | null {
  if (!(error instanceof WebnnBuildError) || deniedNodes.length === MAX_DENIED_NODES) return null;
  return deniedNodes.some(({ node }) => node === error.node) ? null : error.node;
}

/** Whether the CPU may do better. A bad file or a bad option is just as bad there. */
function isWebnnFailure(error: unknown): error is Error {
  if (error instanceof WebnnBuildError || error instanceof WasmTrapError) return true;
  return error instanceof InterpreterError && error.code !== 'INVALID_OPTION';
}

async function prepareOnWebnn(
  parts: ModelParts,
  { context, Builder, limitsText }: WebnnBackend,
  deniedNodes: readonly DeniedNode[],
): Promise<PreparedModel> {
  const denied = deniedNodes.map(({ node }) => node);
  const { runner, initMs } = await openRunner(parts, webnnRunnerOptions(parts.options, limitsText, denied));
  const { description } = runner;
  const schedule = makeSchedule(description);
  if (schedule.mode === 'cpu') {
    const reason =
      description.delegate.error ?? 'WebNN can take no node of this model; the report tells why, node by node';
    return { ...onCpu(runner, initMs, reason), deniedNodes };
  }
  const start = performance.now();
  const heap = (address: number, byteLength: number) => runner.heapBytes(address, byteLength);
  const session = await WebnnSession.create(context, Builder, description, schedule, heap);
  const buildMs = performance.now() - start;
  // WebNN has its own copy of the weights: without the runner the whole wasm instance goes.
  const executor = new Executor(schedule, description.outputs, schedule.usesHeap ? runner : null, session);
  return { description, schedule, executor, webnnReason: null, deniedNodes, initMs, buildMs };
}

async function prepareOnCpu(
  parts: ModelParts,
  reason: string | null,
  deniedNodes: readonly DeniedNode[],
): Promise<PreparedModel> {
  const { runner, initMs } = await openRunner(parts, cpuRunnerOptions(parts.options));
  return { ...onCpu(runner, initMs, reason), deniedNodes };
}

function onCpu(runner: WasmRunner, initMs: number, webnnReason: string | null): Omit<PreparedModel, 'deniedNodes'> {
  const { description } = runner;
  const schedule = makeSchedule(description);
  const executor = new Executor(schedule, description.outputs, runner, null);
  return { description, schedule, executor, webnnReason, initMs, buildMs: 0 };
}

async function openRunner({ wasm, model }: ModelParts, options: RunnerOptions) {
  const start = performance.now();
  const runner = new WasmRunner(await wasm.instantiate(), model, options);
  return { runner, initMs: performance.now() - start };
}
