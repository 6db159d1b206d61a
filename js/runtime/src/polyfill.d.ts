/** What is used of the package's polyfill.mjs, which is made of js/webnn-polyfill. */
declare module '*/polyfill.mjs' {
  /** An engine; only the polyfill looks into it. */
  type Engine = object;

  /** TensorFlow Lite in wasm, from this folder. */
  export function tfliteEngine(options: { readonly wasmPath?: string | undefined }): Engine;

  /** Puts WebNN, as an engine computes it, on an object: `navigator.ml` and the interfaces. */
  export function install(
    options: { readonly engine: string | Engine; readonly force: true },
    scope: Partial<import('./webnn_polyfill.js').WebnnScope>,
  ): Promise<boolean>;
}
