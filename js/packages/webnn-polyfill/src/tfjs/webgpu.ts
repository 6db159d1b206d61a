/** WebGPU: on a separate device for each context, or on the page's. */

import type { MLPowerPreference } from '../generated/webnn_types.js';
import { register, unregister } from './backends.js';
import type { Backend } from './device.js';
import * as tf from './tf.js';

/** Limits that kernels profit from, requested at the adapter's maximum. */
const REQUESTED_LIMITS = [
  'maxBufferSize',
  'maxComputeInvocationsPerWorkgroup',
  'maxComputeWorkgroupSizeX',
  'maxComputeWorkgroupStorageSize',
  'maxComputeWorkgroupsPerDimension',
  'maxStorageBufferBindingSize',
] as const;

/** Opens a device. */
export async function webgpuBackend(preference: MLPowerPreference): Promise<Backend> {
  const adapter = await navigator.gpu.requestAdapter(preference === 'default' ? {} : { powerPreference: preference });
  if (adapter === null) throw new Error('WebGPU has no adapter on this machine.');
  const requiredLimits = Object.fromEntries(REQUESTED_LIMITS.map((name) => [name, adapter.limits[name]]));
  const device = await adapter.requestDevice({ requiredLimits });
  const lost = Promise.race([lostReason(device), firstError(device)]);
  return backendOf(device, adapter.info, lost, () => device.destroy());
}

/** Uses the page's device, which remains the page's. */
export function backendOnDevice(device: GPUDevice): Backend {
  return backendOf(device, device.adapterInfo, lostReason(device), () => {});
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

async function lostReason(device: GPUDevice): Promise<string> {
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
