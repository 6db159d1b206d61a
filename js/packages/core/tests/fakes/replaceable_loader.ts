/** `tflite-webnn` for the tests (vitest.config.ts): the package, with a loader that a test can replace. */

import { loadTFLiteModel as load, preloadTFLite as preload } from '../../src/index.js';

export * from '../../src/index.js';

/** What loadTFLiteModel() and preloadTFLite() call. */
export const loader = { load, preload };

export const loadTFLiteModel: typeof load = (source, options) => loader.load(source, options);

export const preloadTFLite: typeof preload = (options) => loader.preload(options);
