/** The contexts that a report compares, and what each one reports about itself. */

import type { MLContext, MLContextOptions, MLGraph, MLOpSupportLimits } from 'webnn-polyfill';
import type { Webnn } from './webnn.js';

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
 * Asks a context of certain options.
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
