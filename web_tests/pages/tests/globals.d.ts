/** The globals of classic scripts: the package's, and polyfill_run.js. */

declare const tfliteWebnn: typeof import('tflite-webnn') & typeof import('tflite-webnn/worker');
declare const webnnPolyfill: typeof import('tflite-webnn/polyfill') & { readonly ready: Promise<boolean> };
declare function runOnWebnn(): Promise<{ readonly values: readonly number[] }>;
declare function importScripts(...addresses: string[]): void;
