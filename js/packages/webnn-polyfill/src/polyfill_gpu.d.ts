/** The package's polyfill_gpu.mjs, bundled from tfjs/index.ts. */
declare module '*/polyfill_gpu.mjs' {
  type EngineContext = import('./engine.js').EngineContext;

  export function openWebgpu(
    options: Required<import('./generated/webnn_types.js').MLContextOptions>,
  ): Promise<EngineContext>;
  export function openOnDevice(device: GPUDevice): Promise<EngineContext>;
  export function openWebgl(): Promise<EngineContext>;
}
