/** What runs the kernels of TensorFlow.js. */

import * as tf from './tf.js';

/** A backend of TensorFlow.js, registered under a name. */
export interface Backend {
  readonly name: string;
  readonly accelerated: boolean;
  /** Size of the largest tensor. */
  readonly maxTensorByteLength: number;
  /** Resolves, with the reason, when it stops to work by itself. */
  readonly lost: Promise<string>;
  /** What exchanges buffers with WebGPU, where it is that backend. */
  readonly webgpu?: tf.WebGPUBackend;
  /** Frees it. */
  close(): void;
}

/** A backend that is made the current one while something runs on it: other contexts have others. */
export class Device {
  constructor(readonly backend: Backend) {}

  /** Runs something that does not wait. */
  run<Result>(compute: () => Result): Result {
    // The backend is there already: it is current when the call returns, before its promise resolves.
    if (tf.getBackend() !== this.backend.name) void tf.setBackend(this.backend.name);
    return compute();
  }
}
