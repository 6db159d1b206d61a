/**
 * A polyfill of WebNN (https://www.w3.org/TR/webnn/): `await install()`, and `navigator.ml` is there.
 *
 * @packageDocumentation
 */

export type * from './generated/webnn_types.js';
export * from './polyfill.js';
