/** What is used of the package's scripts that are loaded when they are needed. */

/** Made of webnn/gpu_faults.ts. */
declare module '*/gpu_faults.mjs' {
  export const GpuFaults: { load(): Promise<import('./webnn/gpu_fault.js').FaultRecord> };
}

/** Made of metadata.ts. */
declare module '*/metadata.mjs' {
  export const copyOf: typeof import('./metadata/metadata_parts.js').copyOf;
  export const findMetadata: typeof import('./metadata/metadata_parts.js').findMetadata;
  export const openTaskBundle: typeof import('./load/open_task_bundle.js').openTaskBundle;
  export const readModelMetadata: typeof import('./load/read_model_metadata.js').readModelMetadata;
  export const openMetadata: typeof import('./metadata/open_metadata.js').openMetadata;
}

/** Made of js/webnn-polyfill. */
declare module '*/polyfill.mjs' {
  /** An engine; only the polyfill looks into it. */
  type Engine = object;

  /** TensorFlow Lite in wasm, from this folder. */
  export function tfliteEngine(options: { readonly wasmPath?: string | undefined }): Engine;

  /** WebNN as an engine computes it, without installing it. */
  export function webnnOf(engine: string | Engine): import('./webnn/webnn_polyfill.js').WebnnScope;
}
