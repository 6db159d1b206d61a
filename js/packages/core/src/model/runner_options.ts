/** What the options of a model and its context become for the runner in wasm. */

import type { InputShapes } from '../description.js';
import { BROWSER_BUGS, type BrowserBug } from '../generated/browser_bugs.js';
import { DELEGATE_OPTIONS, type DelegateOptions } from '../generated/delegate_options.js';
import type { TFLiteModelOptions, WebnnDelegateOptions } from '../options.js';
import type { RunnerOptions } from '../wasm/wasm_runner.js';
import type { DeniedNode } from '../webnn/denied_nodes.js';
import { preferencesOf, type WebnnContext } from '../webnn/webnn_context.js';
import type { MLOpSupportLimits, MLTensorLimits } from '../webnn_types.js';

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

/** The option that gives the inputs other shapes than the file. */
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
 * @param deniedNodes - Nodes that the browser has rejected.
 */
export function onWebnn(
  options: RunnerOptions,
  { limits, backend }: Pick<WebnnContext, 'limits' | 'backend'>,
  deniedNodes: readonly DeniedNode[],
): RunnerOptions {
  return {
    webnn_workarounds: workaroundsFor(backend, BROWSER_BUGS),
    ...options,
    enable_webnn_delegate: true,
    webnn_op_support_limits: opSupportLimitsText(limits),
    ...(deniedNodes.length > 0 && { webnn_denied_nodes: deniedNodes.map(({ node }) => node).join(',') }),
  };
}

/**
 * The same options, and whether a model that is faster on the CPU may stay there although WebNN can take all of it: unless
 * the caller named a device, an engine or a context.
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
function delegateRunnerOptions(given: DelegateOptions): RunnerOptions {
  const read = Object.entries(DELEGATE_OPTIONS).flatMap(([name, { key, scope }]) => {
    const value = given[name as keyof DelegateOptions];
    return scope === 'delegate' && value !== undefined ? [[`webnn_${key}`, String(value)] as const] : [];
  });
  return Object.fromEntries(read);
}

/** A browser without rank ranges allows every rank that WebNN has. */
const ALL_RANKS = { min: 0, max: 8 };

/** The scalars that the delegate reads; it takes every other line for an operand's. */
const SCALARS: readonly string[] = ['maxTensorByteLength', 'preferredInputLayout'];

/** What stands for an operand for which a context allows no type at all. */
const NO_TYPES = '-';

/**
 * Writes the answer of `context.opSupportLimits()` as one line per operand:
 * `<op>.<operand> <type>,<type>,... <minRank> <maxRank>`. Rows for graph inputs, constants and outputs have no dot;
 * scalars are `<name> <value>`. What only a newer browser has is passed on or left out, never an error.
 */
export function opSupportLimitsText(limits: MLOpSupportLimits): string {
  const lines: string[] = [];
  for (const [name, value] of Object.entries(limits)) {
    if (SCALARS.includes(name)) lines.push(`${name} ${String(value)}`);
    else if (isTensorLimits(value)) lines.push(tensorLine(name, value));
    else if (isDictionary(value)) lines.push(...operatorLines(name, value));
  }
  return lines.map((line) => `${line}\n`).join('');
}

function operatorLines(op: string, operands: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(operands).flatMap(([operand, limits]) =>
    isTensorLimits(limits) ? [tensorLine(`${op}.${operand}`, limits)] : [],
  );
}

function tensorLine(name: string, { dataTypes, rankRange = ALL_RANKS }: MLTensorLimits): string {
  const types = dataTypes.length === 0 ? NO_TYPES : dataTypes.join(',');
  return `${name} ${types} ${rankRange.min} ${rankRange.max}`;
}

function isTensorLimits(value: unknown): value is MLTensorLimits {
  return isDictionary(value) && Array.isArray(value.dataTypes);
}

function isDictionary(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

/** The version behind a name in the user agent; those of other engines may name Safari, too. */
const ENGINES: readonly (readonly [engine: string, version: RegExp])[] = [
  ['Chromium', /Chrome\/(\d+)/],
  ['Firefox', /Firefox\/(\d+)/],
  ['Safari', /Version\/(\d+)/],
];

/**
 * The delegate's option: ids with commas in between, or `all` where the browser is not known.
 *
 * @param backend - What is behind the context if it is the polyfill, which has no such bugs; null for the browser's own.
 * @param bugs - BROWSER_BUGS.
 */
export function workaroundsFor(
  backend: string | null,
  bugs: readonly BrowserBug[],
  userAgent = globalThis.navigator?.userAgent ?? '',
): string {
  if (backend !== null) return '';
  for (const [engine, version] of ENGINES) {
    const major = Number(version.exec(userAgent)?.[1]);
    if (!Number.isNaN(major))
      return bugs
        .filter((bug) => bug.engine === engine && isIn(bug, major))
        .map(idOf)
        .join();
  }
  return 'all';
}

function isIn({ from = 0, to = Number.POSITIVE_INFINITY }: BrowserBug, major: number): boolean {
  return from <= major && major <= to;
}

function idOf({ id }: BrowserBug): string {
  return id;
}
