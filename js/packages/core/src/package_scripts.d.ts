/** What is used of the package's scripts that are loaded when they are needed. */

/** Made of webnn/gpu_faults.ts. */
declare module '*/gpu_faults.mjs' {
  export const GpuFaults: { load(): Promise<import('./webnn/context_losses.js').FaultRecord> };
}

/** Made of js/packages/webnn-polyfill. */
declare module '*/polyfill.mjs' {
  /** An engine; only the polyfill looks into it. */
  type Engine = object;

  /** TensorFlow Lite in wasm, from this folder. */
  export function tfliteEngine(options: { readonly wasmPath?: string | undefined }): Engine;

  /** WebNN as an engine computes it, without installing it. */
  export function webnnOf(engine: string | Engine): import('./webnn/webnn_context.js').WebnnScope;
}
