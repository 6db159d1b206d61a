/** Features of the browser, by LiteRT.js's names. */

import { getWasmFeatures, OptionError } from 'tflite-webnn';
import { textOf } from './buffer_types.js';

/** What `supportsFeature()` knows. */
export type Feature = 'relaxedSimd' | 'threads' | 'jspi' | 'webnn';

interface PageNavigator {
  readonly gpu?: { requestAdapter(): Promise<GpuAdapter | null> };
  readonly ml?: object;
}

interface GpuAdapter {
  readonly info?: { readonly isFallbackAdapter?: boolean };
}

const FEATURES: Readonly<Record<Feature, () => Promise<boolean> | boolean>> = {
  relaxedSimd: async () => (await getWasmFeatures()).relaxedSimd,
  threads: async () => (await getWasmFeatures()).threads,
  jspi: () => 'Suspending' in WebAssembly,
  webnn: () => navigatorHere().ml !== undefined,
};

/**
 * Whether the browser has a feature. None is needed: without `relaxedSimd` models run slower, without `threads` on one, and
 * `jspi` is not used.
 *
 * @param feature - Its name.
 * @throws OptionError for another name.
 */
export async function supportsFeature(feature: Feature): Promise<boolean> {
  if (typeof feature === 'string' && Object.hasOwn(FEATURES, feature)) return FEATURES[feature]();
  throw new OptionError(`there is no feature "${textOf(feature)}": it is one of ${Object.keys(FEATURES).join(', ')}`);
}

/** Whether the browser has WebGPU, which is no promise of a GPU. */
export function isWebGPUSupported(): boolean {
  return Boolean(navigatorHere().gpu);
}

/** Whether WebGPU has a GPU, and not software that does its work. */
export async function hasGpu(): Promise<boolean> {
  const adapter =
    (await navigatorHere()
      .gpu?.requestAdapter()
      .catch(() => null)) ?? null;
  return adapter !== null && !(adapter.info?.isFallbackAdapter ?? false);
}

function navigatorHere(): PageNavigator {
  return (globalThis as { navigator?: PageNavigator }).navigator ?? {};
}
