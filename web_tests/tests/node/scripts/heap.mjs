// @ts-check

/** The heap of a model's wasm instance, for programs.py. */

import { library } from './package.mjs';

const ARRAYS = { float32: Float32Array, int32: Int32Array };

/**
 * Loads a model, and runs signatures on zeros. -> the size of its heap in bytes
 *
 * @param {string} file
 * @param {Record<string, Record<string, [dtype: keyof typeof ARRAYS, size: number]>>} signatures with their inputs
 */
export async function heapBytes(file, signatures) {
  /** @type {WebAssembly.Memory | undefined} */
  let heap;
  const { instantiate } = WebAssembly;
  WebAssembly.instantiate = async (/** @type {any[]} */ ...all) => {
    const instance = await /** @type {any} */ (instantiate)(...all);
    heap = /** @type {any[]} */ (Object.values(instance.exports)).find((value) => value instanceof WebAssembly.Memory);
    return instance;
  };
  const model = await library.loadTFLiteModel(file, { variant: 'simd' });
  for (const [key, inputs] of Object.entries(signatures)) {
    const zeros = Object.entries(inputs).map(([name, [dtype, size]]) => [name, new ARRAYS[dtype](size)]);
    await model.runSignature(key, Object.fromEntries(zeros));
  }
  return heap?.buffer.byteLength;
}
