/** Entry of polyfill_gpu.mjs: the engines on a GPU. Only a page that asks for one loads it. */

import type { EngineContext } from '../engine.js';
import type { MLContextOptions } from '../generated/webnn_types.js';
import { TfjsContext } from './context.js';
import * as tf from './tf.js';
import { webglBackend } from './webgl.js';
import { backendOnDevice, webgpuBackend } from './webgpu.js';

// No checks of what the API layer has checked.
tf.enableProdMode();
// No way back to the CPU for small tensors: a context gives the same numbers for them, and waits for no read-back.
tf.env().set('WEBGPU_CPU_FORWARD', false);
tf.env().set('WEBGL_CPU_FORWARD', false);
// Whoever names the engine wants it, even where WebGL is done in software.
tf.env().set('SOFTWARE_WEBGL_ENABLED', true);

/** Opens a context on WebGPU; rejects where there is none. */
export async function openWebgpu({ powerPreference }: Required<MLContextOptions>): Promise<EngineContext> {
  return new TfjsContext(await webgpuBackend(powerPreference));
}

/** Opens a context on the page's own device. */
export async function openOnDevice(device: GPUDevice): Promise<EngineContext> {
  return new TfjsContext(backendOnDevice(device));
}

/** Opens a context on WebGL; rejects where there is none. */
export async function openWebgl(): Promise<EngineContext> {
  return new TfjsContext(webglBackend());
}
