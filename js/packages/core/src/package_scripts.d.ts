/** What is used of a package's script that is loaded when it is needed: made of webnn/gpu_faults.ts. */
declare module '*/gpu_faults.mjs' {
  export const GpuFaults: { load(): Promise<import('./webnn/denied_nodes.js').FaultRecord> };
}

/** Made of wasm/custom_ops.ts. */
declare module '*/custom_ops.mjs' {
  export const openCustomOps: typeof import('./wasm/custom_ops.js').openCustomOps;
}
