/** The engines by their names. The code of those on a GPU is large: the first context loads it. */

import type { Engine } from './engine.js';
import { tfliteEngine } from './tflite/engine/tflite_engine.js';

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
function webgpuEngine(scope = globalThis as unknown as GpuGlobals): Engine {
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
function webglEngine(scope = globalThis as unknown as GpuGlobals): Engine {
  return {
    name: 'webgl',
    open: async () => {
      checkThere(scope.WebGLRenderingContext !== undefined, 'WebGL');
      return await (await loaded()).openWebgl();
    },
  };
}

const ENGINES = {
  tflite: (): Engine => tfliteEngine(),
  webgpu: (): Engine => webgpuEngine(),
  webgl: (): Engine => webglEngine(),
};

/**
 * Name of an engine.
 *
 * @group polyfill.mjs
 */
export type EngineName = keyof typeof ENGINES;

/** The engine of a page that does not choose one. */
export const DEFAULT_ENGINE: EngineName = 'tflite';

/** Names of all engines. */
export const ENGINE_NAMES = Object.keys(ENGINES) as readonly EngineName[];

/** The engine of a name, or the page's own. Loads nothing yet. */
export function engineOf(engine: EngineName | Engine): Engine {
  return typeof engine === 'string' ? ENGINES[engine]() : engine;
}
