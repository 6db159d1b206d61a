/** Runs the kernels of TensorFlow.js. */

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
