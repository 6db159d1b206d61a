/**
 * A polyfill of WebNN (https://www.w3.org/TR/webnn/): `await install()`, and `navigator.ml` is there.
 *
 * @packageDocumentation
 */

import { tfliteEngine, webnnOf } from './polyfill.js';

export type * from './generated/webnn_types.js';
export * from './polyfill.js';

// Models find the polyfill there: in a bundle, its script is not a file next to them.
Object.assign(globalThis, { [Symbol.for('tflite-webnn.polyfill')]: { tfliteEngine, webnnOf } });
