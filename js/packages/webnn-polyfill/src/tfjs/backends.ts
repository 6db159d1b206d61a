/** Backends of TensorFlow.js as devices of contexts: WebGPU and WebGL. */

import type { MLPowerPreference } from '../generated/webnn_types.js';
import * as tf from './tf.js';

/** A backend of TensorFlow.js, registered under a name. */
export interface Backend {
  readonly name: string;
  readonly accelerated: boolean;
  /** Size of the largest tensor. */
  readonly maxTensorByteLength: number;
  /** Resolves, with the reason, when the device is lost. */
  readonly lost: Promise<string>;
  /** The WebGPU backend, which exchanges buffers with WebGPU. */
  readonly webgpu?: tf.WebGPUBackend;
  close(): void;
}

/** A backend, made current while it runs something: other contexts have others. */
export class Device {
  constructor(readonly backend: Backend) {}

  /** Runs a synchronous function. */
  run<Result>(compute: () => Result): Result {
    // The backend already exists: it is current when the call returns, before its promise resolves.
    if (tf.getBackend() !== this.backend.name) void tf.setBackend(this.backend.name);
    return compute();
  }
}

let count = 0;

/** Registers a backend, with the kernels of its kind, under a unique name. */
export function register(kind: string, backend: tf.KernelBackend): string {
  const name = `webnn-${kind}-${count++}`;
  tf.copyRegisteredKernels(kind, name);
  tf.registerBackend(name, () => backend, 0);
  return name;
}

/** Frees a backend and removes its registration. */
export function unregister(name: string): void {
  tf.removeBackend(name);
  for (const { kernelName } of tf.getKernelsForBackend(name)) tf.unregisterKernel(kernelName, name);
}

/** Limits that kernels profit from, requested at the adapter's maximum. */
const REQUESTED_LIMITS = [
  'maxBufferSize',
  'maxComputeInvocationsPerWorkgroup',
  'maxComputeWorkgroupSizeX',
  'maxComputeWorkgroupStorageSize',
  'maxComputeWorkgroupsPerDimension',
  'maxStorageBufferBindingSize',
] as const;

/** WebGPU on a separate device. */
export async function webgpuBackend(preference: MLPowerPreference): Promise<Backend> {
  const adapter = await navigator.gpu.requestAdapter(preference === 'default' ? {} : { powerPreference: preference });
  if (adapter === null) throw new Error('WebGPU has no adapter on this machine.');
  const requiredLimits = Object.fromEntries(REQUESTED_LIMITS.map((name) => [name, adapter.limits[name]]));
  const device = await adapter.requestDevice({ requiredLimits });
  const lost = Promise.race([deviceLoss(device), firstError(device)]);
  return backendOf(device, adapter.info, lost, () => device.destroy());
}

/** WebGPU on the page's device, which remains the page's. */
export function backendOnDevice(device: GPUDevice): Backend {
  return backendOf(device, device.adapterInfo, deviceLoss(device), () => {});
}

function backendOf(device: GPUDevice, info: GPUAdapterInfo, lost: Promise<string>, free: () => void): Backend {
  const webgpu = new tf.WebGPUBackend(device, info);
  const name = register('webgpu', webgpu);
  let isClosed = false;
  return {
    name,
    webgpu,
    accelerated: true,
    maxTensorByteLength: Math.min(device.limits.maxStorageBufferBindingSize, device.limits.maxBufferSize),
    lost: lost.then((reason) => (isClosed ? new Promise<string>(() => {}) : reason)),
    close: () => {
      isClosed = true;
      unregister(name);
      free();
    },
  };
}

async function deviceLoss(device: GPUDevice): Promise<string> {
  const { reason, message } = await device.lost;
  return `The GPUDevice was lost (${reason}): ${message}`;
}

/** After an uncaptured error, numbers are wrong: memory was unavailable, or a kernel did not compile. */
function firstError(device: GPUDevice): Promise<string> {
  return new Promise((resolve) => {
    device.addEventListener(
      'uncapturederror',
      ({ error }) => resolve(`WebGPU has reported an error: ${error.message}`),
      { once: true },
    );
  });
}

/** Bytes of a texel of float32. */
const TEXEL_BYTES = 4;

/** One context for the entire page, because browsers allow only a few. */
let shared: Backend | null = null;

/** Opens WebGL, or returns the open backend. */
export function webglBackend(): Backend {
  shared ??= openWebgl();
  return shared;
}

function openWebgl(): Backend {
  const env = tf.env();
  if (!env.getBool('HAS_WEBGL')) throw new Error('WebGL has no context on this machine.');
  if (!env.getBool('WEBGL_RENDER_FLOAT32_ENABLED')) {
    throw new Error('WebGL does not compute in float32 on this machine.');
  }
  const backend = new tf.MathBackendWebGL();
  const name = register('webgl', backend);
  return {
    name,
    accelerated: true,
    maxTensorByteLength: env.getNumber('WEBGL_MAX_TEXTURE_SIZE') ** 2 * TEXEL_BYTES,
    lost: contextLoss(backend).then((reason) => {
      shared = null;
      unregister(name);
      return reason;
    }),
    // The next context needs it again.
    close: () => {},
  };
}

function contextLoss({ gpgpu }: tf.MathBackendWebGL): Promise<string> {
  return new Promise((resolve) => {
    gpgpu.gl.canvas.addEventListener('webglcontextlost', () => resolve('The WebGL context was lost.'), { once: true });
  });
}
