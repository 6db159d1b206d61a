/**
 * What `index.mjs` exports and, in the section that is named after it, `explain.mjs`. The classic script `tflite_webnn.js`
 * has all of `index.mjs` in its global `tfliteWebnn`.
 *
 * @packageDocumentation
 */

export * from '../../runtime/src/explain.js';
export * from '../../runtime/src/index.js';
