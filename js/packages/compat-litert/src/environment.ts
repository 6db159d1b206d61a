/** What models and tensors of LiteRT.js share: a device of WebGPU. */

import { LiteRtNotLoadedError } from './errors.js';
import type { WebGpuDevice } from './webgpu_types.js';

/** Options of an {@link Environment}. */
export interface EnvironmentOptions {
  /** The page's device. Nothing is computed on it. Default: null; LiteRT.js makes one. */
  webGpuDevice?: WebGpuDevice | null;
}

/** LiteRT.js's environment. Here it only remembers a device. */
export class Environment implements EnvironmentOptions {
  /** What it was made of. */
  readonly options: Required<EnvironmentOptions>;

  /**
   * Makes an environment.
   *
   * @param options - Its device, or null.
   */
  constructor(options: Required<EnvironmentOptions>) {
    this.options = { webGpuDevice: options?.webGpuDevice ?? null };
  }

  /**
   * Makes an environment. No device is made, unlike in LiteRT.js.
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
 * The environment of tensors and models that were given none.
 *
 * @throws LiteRtNotLoadedError
 */
export function getDefaultEnvironment(): Environment {
  if (source === null) throw new LiteRtNotLoadedError();
  return source();
}
