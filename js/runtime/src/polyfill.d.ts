/** The package's polyfill.mjs, made of js/webnn-polyfill, which this one knows by what WebNN is and no more. */
declare module '*/polyfill.mjs' {
  /** WebNN as an engine of the polyfill computes it, without installing it. */
  export function openPolyfill(
    engine: import('./options.js').PolyfillEngine,
    options: { readonly wasmPath?: string | undefined },
  ): Promise<import('./webnn_polyfill.js').PolyfillWebnn>;
}
