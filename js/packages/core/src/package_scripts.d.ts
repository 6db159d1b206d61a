/** What is used of a package's script that is loaded when it is needed: built of webnn/gpu_bugs.ts. */
declare module '*/gpu_bugs.mjs' {
  export const GpuBugs: { load(): Promise<import('./webnn/excluded_nodes.js').BugRecord> };
}

/** Built of wasm/custom_ops.ts. */
declare module '*/custom_ops.mjs' {
  export const openCustomOps: typeof import('./wasm/custom_ops.js').openCustomOps;
}
