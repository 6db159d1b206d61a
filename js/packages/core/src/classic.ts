/** The classic script tflite_webnn.js: its global has the exports of index.mjs and of worker.mjs. */

export * from './index.js';
export * from './tflite_worker.js';
