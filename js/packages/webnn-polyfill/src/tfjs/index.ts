/** Entry of polyfill_gpu.mjs: the engines on a GPU. Only a page that uses one loads it. */

import type { EngineContext } from '../engine.js';
import type { MLContextOptions } from '../generated/webnn_types.js';
import { backendOnDevice, webglBackend, webgpuBackend } from './backends.js';
import { TfjsContext } from './context.js';
import * as tf from './tf.js';

// The API layer has already checked everything.
tf.enableProdMode();
// No fallback to the CPU for small tensors: a context's numbers remain consistent, without waiting for reads.
tf.env().set('WEBGPU_CPU_FORWARD', false);
tf.env().set('WEBGL_CPU_FORWARD', false);
// A page that names the engine wants it, even if WebGL is emulated in software.
tf.env().set('SOFTWARE_WEBGL_ENABLED', true);

/** Opens a context on WebGPU; rejects without WebGPU. */
export async function openWebgpu({ powerPreference }: Required<MLContextOptions>): Promise<EngineContext> {
  return new TfjsContext(await webgpuBackend(powerPreference));
}

/** Opens a context on the page's own device. */
export async function openOnDevice(device: GPUDevice): Promise<EngineContext> {
  return new TfjsContext(backendOnDevice(device));
}

/** Opens a context on WebGL; rejects without WebGL. */
export async function openWebgl(): Promise<EngineContext> {
  return new TfjsContext(webglBackend());
}
