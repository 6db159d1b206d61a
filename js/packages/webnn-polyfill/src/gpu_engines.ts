/** The engines on a GPU. Their code is large: the first context loads it. */

import type { Engine } from './engine.js';

/** Globals of browsers with a GPU. */
interface GpuGlobals {
  readonly navigator?: { readonly gpu?: GPU };
  readonly WebGLRenderingContext?: unknown;
}

function loaded() {
  return import('./polyfill_gpu.mjs');
}

function checkThere(isThere: boolean, what: string): void {
  if (!isThere) throw new Error(`${what} is not there: the browser has none, or keeps it from this page`);
}

/** TensorFlow.js on WebGPU. */
export function webgpuEngine(scope = globalThis as unknown as GpuGlobals): Engine {
  return {
    name: 'webgpu',
    open: async (options) => {
      checkThere(scope.navigator?.gpu !== undefined, 'WebGPU');
      return await (await loaded()).openWebgpu(options);
    },
    openOnDevice: async (device) => (await loaded()).openOnDevice(device),
  };
}

/** TensorFlow.js on WebGL. */
export function webglEngine(scope = globalThis as unknown as GpuGlobals): Engine {
  return {
    name: 'webgl',
    open: async () => {
      checkThere(scope.WebGLRenderingContext !== undefined, 'WebGL');
      return await (await loaded()).openWebgl();
    },
  };
}
