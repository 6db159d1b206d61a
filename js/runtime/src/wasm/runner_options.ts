/** What the options of a model become for the runner in wasm. */

import { DELEGATE_OPTIONS, type DelegateOptions } from '../generated/delegate_options.js';
import type { TFLiteModelOptions } from '../options.js';

/** Options of the runner by key, see wasm/runner. */
export type RunnerOptions = Readonly<Record<string, string | number | boolean>>;

/** Runner options of a model that stays on the CPU. */
export function cpuRunnerOptions(options: TFLiteModelOptions): RunnerOptions {
  const { enableXnnpackDelegate = true, enableProfiling, maxProfilingBufferEntries, inputShapes } = options;
  return {
    enable_xnnpack_delegate: enableXnnpackDelegate,
    ...(enableProfiling && { enable_profiling: true }),
    ...(maxProfilingBufferEntries !== undefined && { max_profiling_buffer_entries: maxProfilingBufferEntries }),
    ...(inputShapes && { input_shapes: inputShapes.map((shape) => shape.join(',')).join(';') }),
  };
}

/**
 * Runner options of a model for WebNN.
 *
 * @param limitsText - The context's limits, see op_support_limits.ts.
 * @param deniedNodes - Nodes that the browser has refused.
 */
export function webnnRunnerOptions(
  options: TFLiteModelOptions,
  limitsText: string,
  deniedNodes: readonly number[],
): RunnerOptions {
  return {
    ...cpuRunnerOptions(options),
    enable_webnn_delegate: true,
    webnn_op_support_limits: limitsText,
    ...(deniedNodes.length > 0 && { webnn_denied_nodes: deniedNodes.join(',') }),
    ...delegateRunnerOptions(options.webnnDelegateOptions ?? {}),
  };
}

/** What the delegate reads of its options, by their names in wasm. */
function delegateRunnerOptions(given: DelegateOptions): RunnerOptions {
  const read = Object.entries(DELEGATE_OPTIONS).flatMap(([name, { key, scope }]) => {
    const value = given[name as keyof DelegateOptions];
    return scope === 'delegate' && value !== undefined ? [[`webnn_${key}`, String(value)] as const] : [];
  });
  return Object.fromEntries(read);
}
