/**
 * What `index.mjs` exports and, in the sections that are named after them, `explain.mjs` and `polyfill.mjs`; the types of
 * WebNN itself, which `polyfill.mjs` exports, too, are those of its [IDL](https://www.w3.org/TR/webnn/#idl-index). The
 * classic scripts `tflite_webnn.js` and `webnn_polyfill.js` have all of `index.mjs` and of `polyfill.mjs` in their globals
 * `tfliteWebnn` and `webnnPolyfill`.
 *
 * @packageDocumentation
 */

export * from '../../runtime/src/explain.js';
export * from '../../runtime/src/index.js';
export * from '../../webnn-polyfill/src/polyfill.js';
