/** Backends of TensorFlow.js as devices of contexts. */

import * as tf from './tf.js';

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
