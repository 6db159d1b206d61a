/** The engines on a GPU. What computes there is large: it is loaded with the first context. */

import type { Engine } from './engine.js';

function loaded() {
  return import('./polyfill_gpu.mjs');
}

/** TensorFlow.js on WebGPU. */
export function webgpuEngine(): Engine {
  return {
    name: 'webgpu',
    open: async (options) => (await loaded()).openWebgpu(options),
    openOnDevice: async (device) => (await loaded()).openOnDevice(device),
  };
}

/** TensorFlow.js on WebGL. */
export function webglEngine(): Engine {
  return { name: 'webgl', open: async () => (await loaded()).openWebgl() };
}
