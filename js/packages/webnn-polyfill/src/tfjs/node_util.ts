/** What TensorFlow.js imports of Node's `util`: its packages omit that module for browsers, yet Node loads the same. */

const is = (type: new () => unknown) => (value: unknown) => value instanceof type;

export const { TextDecoder, TextEncoder } = globalThis;
export const types = {
  isFloat32Array: is(Float32Array),
  isInt32Array: is(Int32Array),
  isUint8Array: is(Uint8Array),
  isUint8ClampedArray: is(Uint8ClampedArray),
};
