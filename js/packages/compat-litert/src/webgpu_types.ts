/** Types of WebGPU, where the reader's TypeScript library has them: this package declares none. */

/** A GPUDevice. */
export type WebGpuDevice = typeof globalThis extends { GPUDevice: { prototype: infer Device } } ? Device : object;

/** A GPUBuffer. */
export type WebGpuBuffer = typeof globalThis extends { GPUBuffer: { prototype: infer Values } } ? Values : object;
