/** `tflite-webnn` for the tests (vitest.config.ts): the package, with a loader that a test can replace. */

import { loadTFLiteModel as load } from '../../runtime/src/index.js';

export * from '../../runtime/src/index.js';

/** What loadTFLiteModel() calls. */
export const loader = { load };

export const loadTFLiteModel: typeof load = (source, options) => loader.load(source, options);
