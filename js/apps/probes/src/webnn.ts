/** The WebNN under test, the contexts that a report compares, and what each one reports about itself. */

import type { ML, MLContext, MLContextOptions, MLGraph, MLGraphBuilder, MLOpSupportLimits } from 'webnn-polyfill';

/** The part of a global scope that WebNN is. */
export interface WebnnScope {
  readonly navigator?: { readonly ml?: ML };
  readonly MLGraphBuilder?: new (context: MLContext) => MLGraphBuilder;
}

/** A scope that has WebNN. */
export interface Webnn {
  readonly ml: ML;
  readonly MLGraphBuilder: new (context: MLContext) => MLGraphBuilder;
}

/**
 * Reads WebNN from a scope.
 *
 * @throws Error if there is none.
 */
export function webnnIn(scope: object = globalThis): Webnn {
  const { navigator, MLGraphBuilder } = scope as WebnnScope;
  if (!navigator?.ml || !MLGraphBuilder) throw new Error('this browser has no WebNN: navigator.ml is missing');
  return { ml: navigator.ml, MLGraphBuilder };
}

/** Pauses before further attempts to create a context: the GPU process starts again. */
const RETRY_MS = [0, 100, 400, 1000];

/** Creates a context; null if the browser creates none any more. */
export async function openContext({ ml }: Webnn, options: MLContextOptions): Promise<MLContext | null> {
  for (const delayMs of RETRY_MS) {
    await pause(delayMs);
    const context = await ml.createContext(options).catch(() => null);
    if (context !== null) return context;
  }
  return null;
}

/** Waits. */
export function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** `deviceType` is the former option that browsers still read; `accelerated` and `powerPreference` are today's. */
export type ContextOptions = MLContextOptions & { readonly deviceType?: 'cpu' | 'gpu' | 'npu' };

/** Options by name. */
export const CONTEXTS: Readonly<Record<string, ContextOptions>> = {
  default: {},
  cpu: { deviceType: 'cpu', accelerated: false },
  gpu: { deviceType: 'gpu', accelerated: true },
  npu: { deviceType: 'npu', accelerated: true, powerPreference: 'low-power' },
  'high-performance': { powerPreference: 'high-performance' },
  'low-power': { powerPreference: 'low-power' },
};

/** What a context says. */
export interface ContextInfo {
  readonly limits: MLOpSupportLimits;
  readonly devices: readonly string[] | null;
  readonly accelerated: boolean | null;
}

/**
 * Queries a context with these options.
 *
 * @throws the browser's error if it creates none.
 */
export async function infoOf(webnn: Webnn, options: ContextOptions): Promise<ContextInfo> {
  const context = await webnn.ml.createContext(options);
  try {
    const { accelerated = null } = context as { accelerated?: boolean | null };
    return { limits: context.opSupportLimits(), devices: await devicesOf(webnn, context), accelerated };
  } finally {
    context.destroy?.();
  }
}

async function devicesOf({ MLGraphBuilder }: Webnn, context: MLContext): Promise<readonly string[] | null> {
  const builder = new MLGraphBuilder(context);
  const x = builder.input('x', { dataType: 'float32', shape: [1] });
  const graph = (await builder.build({ y: builder.relu(x) })) as MLGraph & { devices?: Iterable<string> };
  const devices = graph.devices ? [...graph.devices].map(String) : null;
  graph.destroy?.();
  return devices;
}

/** Whether the results of one context hold for the other: the same limits on the same devices. */
export function isSame(one: ContextInfo, other: ContextInfo): boolean {
  return (
    one.devices !== null &&
    JSON.stringify(one.devices) === JSON.stringify(other.devices) &&
    one.accelerated === other.accelerated &&
    JSON.stringify(one.limits) === JSON.stringify(other.limits)
  );
}
