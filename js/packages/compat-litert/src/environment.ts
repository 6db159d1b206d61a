/** What models and tensors of LiteRT.js share: a device of WebGPU, and features of the browser. */

import { getWasmFeatures, OptionError } from 'tflite-webnn';
import { LiteRtNotLoadedError } from './errors.js';
import { textOf, type WebGpuDevice } from './tensor_types.js';

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
 * Whether the browser has a feature. None is needed: without `relaxedSimd` models run slower, without `threads` on one,
 * and `jspi` is not used.
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

/** Options of an {@link Environment}. */
export interface EnvironmentOptions {
  /** The page's device. Nothing is computed on it. Default: null; LiteRT.js creates one. */
  webGpuDevice?: WebGpuDevice | null;
}

/** LiteRT.js's environment. Here it only remembers a device. */
export class Environment implements EnvironmentOptions {
  /** The options that it was created with. */
  readonly options: Required<EnvironmentOptions>;

  /**
   * Creates an environment.
   *
   * @param options - Its device, or null.
   */
  constructor(options: Required<EnvironmentOptions>) {
    this.options = { webGpuDevice: options?.webGpuDevice ?? null };
  }

  /**
   * Creates an environment. No device is created, unlike in LiteRT.js.
   *
   * @param options - Its device, if there is one.
   */
  static async create(options: EnvironmentOptions = {}): Promise<Environment> {
    return new Environment(options as Required<EnvironmentOptions>);
  }

  /** The device, or null. */
  get webGpuDevice(): WebGpuDevice | null {
    return this.options.webGpuDevice;
  }

  /** Frees nothing: the device is the page's. */
  delete(): void {}
}

let source: (() => Environment) | null = null;

/** Says where the default environment is from now on; null: LiteRT is not loaded. */
export function setDefaultEnvironmentSource(environment: (() => Environment) | null): void {
  source = environment;
}

/**
 * The environment of tensors and models that had none.
 *
 * @throws LiteRtNotLoadedError
 */
export function getDefaultEnvironment(): Environment {
  if (source === null) throw new LiteRtNotLoadedError();
  return source();
}
