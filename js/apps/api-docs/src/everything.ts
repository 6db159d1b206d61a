/**
 * The exports of `index.mjs` and, in sections named after them, of `cpu.mjs`, `metadata.mjs`, `image.mjs`, `results.mjs`,
 * `sound.mjs`, `text.mjs`,
 * `tasks.mjs`, `language.mjs`, `explain.mjs` and `polyfill.mjs`. The types of
 * WebNN itself, which `polyfill.mjs` exports, too, are those of its [IDL](https://www.w3.org/TR/webnn/#idl-index). The
 * classic scripts `tflite_webnn.js`, `tflite_cpu.js` and `webnn_polyfill.js` have the exports of `index.mjs`, `cpu.mjs` and
 * `polyfill.mjs` in the globals `tfliteWebnn`, `tfliteCpu` and `webnnPolyfill`.
 *
 * @packageDocumentation
 */

export * from '../../../packages/core/src/explain.js';
export * from '../../../packages/core/src/index.js';
export * from '../../../packages/core/src/metadata.js';
export * from '../../../packages/cpu/src/index.js';
export * from '../../../packages/media/images/src/index.js';
export * from '../../../packages/media/results/src/index.js';
export * from '../../../packages/media/sound/src/index.js';
export * from '../../../packages/tasks/tasks/src/index.js';
export * from '../../../packages/tasks/tasks/src/language.js';
export * from '../../../packages/tasks/text/src/index.js';
export * from '../../../packages/webnn-polyfill/src/polyfill.js';
