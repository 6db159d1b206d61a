/** What the options of a model become for the runner in wasm. */

import type { InputShapes } from '../description.js';
import { BROWSER_BUGS } from '../generated/browser_bugs.js';
import { DELEGATE_OPTIONS, type DelegateOptions } from '../generated/delegate_options.js';
import type { TFLiteModelOptions, WebnnDelegateOptions } from '../options.js';
import type { RunnerOptions } from '../wasm/wasm_runner.js';
import { opSupportLimitsText, workaroundsFor } from '../webnn/delegate_context.js';
import type { ExcludedNode } from '../webnn/excluded_nodes.js';
import { preferencesOf, type WebnnContext } from '../webnn/webnn_context.js';

/** Runner options of a model on the CPU. Those of the delegate are checked, and without effect until onWebnn(). */
export function runnerOptions(options: TFLiteModelOptions): RunnerOptions {
  const { enableXnnpackDelegate = true, enableProfiling, maxProfilingBufferEntries, inputShapes } = options;
  return {
    enable_xnnpack_delegate: enableXnnpackDelegate,
    ...(enableProfiling && { enable_profiling: true }),
    ...(maxProfilingBufferEntries !== undefined && { max_profiling_buffer_entries: maxProfilingBufferEntries }),
    ...(inputShapes && withShapes(inputShapes)),
    ...delegateRunnerOptions(options.webnnDelegateOptions ?? {}),
  };
}

/** The option that sets other shapes of the inputs than the file. */
export function withShapes(inputShapes: InputShapes): RunnerOptions {
  return { input_shapes: inputShapes.map((shape) => shape.join(',')).join(';') };
}

/**
 * The same options for a model whose inputs and outputs are those of another subgraph, in the shapes of the file.
 *
 * @param isSpare - Whether another wasm instance runs the subgraph if WebNN does not.
 */
export function ofSubgraph(
  { input_shapes: _, ...options }: RunnerOptions,
  subgraph: number,
  isSpare = false,
): RunnerOptions {
  return { ...options, main_subgraph: subgraph, ...(isSpare && { xnnpack_only_with_webnn: true }) };
}

/**
 * The same options for a model on WebNN.
 *
 * @param webnn - What the context supports, and what is behind it.
 * @param excludedNodes - Nodes that the browser has rejected.
 */
export function onWebnn(
  options: RunnerOptions,
  { limits, backend }: Pick<WebnnContext, 'limits' | 'backend'>,
  excludedNodes: readonly ExcludedNode[],
): RunnerOptions {
  return {
    webnn_workarounds: workaroundsFor(backend, BROWSER_BUGS),
    ...options,
    enable_webnn_delegate: true,
    webnn_op_support_limits: opSupportLimitsText(limits),
    ...(excludedNodes.length > 0 && { webnn_excluded_nodes: excludedNodes.map(({ node }) => node).join(',') }),
  };
}

/**
 * The same options, and whether a model that is faster on the CPU may stay there although WebNN can run all of it:
 * unless the caller named a device, an engine or a context.
 */
export function costed(options: RunnerOptions, delegate: WebnnDelegateOptions = {}): RunnerOptions {
  const { context, polyfill = 'auto' } = delegate;
  const { devicePreference, powerPreference } = preferencesOf(delegate);
  const isNamed = context !== undefined || devicePreference !== 'default' || powerPreference !== 'default';
  const isEngine = polyfill !== 'auto' && polyfill !== 'never';
  return isNamed || isEngine ? options : { ...options, webnn_estimate_model_cost: 'true' };
}

/** The same options for a model that is never on WebNN: XNNPACK may reorder its weights in the file. */
export function onCpu(options: RunnerOptions): RunnerOptions {
  return { ...options, reorder_weights: true };
}

/** The same options for a model whose variables are the runtime's to keep: in MLTensors, where WebNN uses them. */
export function withOwnVariables(options: RunnerOptions): RunnerOptions {
  return { ...options, external_variables: true };
}

/** The same options for a model that is prepared again: its variables cannot go back to TFLite. */
export function decided({ webnn_estimate_model_cost: _, ...options }: RunnerOptions): RunnerOptions {
  return options;
}

/** What the delegate reads of its options, by their names in wasm. */
function delegateRunnerOptions(provided: DelegateOptions): RunnerOptions {
  const read = Object.entries(DELEGATE_OPTIONS).flatMap(([name, { key, scope }]) => {
    const value = provided[name as keyof DelegateOptions];
    return scope === 'delegate' && value !== undefined ? [[`webnn_${key}`, String(value)] as const] : [];
  });
  return Object.fromEntries(read);
}
