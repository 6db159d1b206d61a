// @ts-check

/** Runs models one after the other, for programs.py. */

import { readFileSync } from 'node:fs';
import { library } from './package.mjs';

/** @typedef {{ dtype: keyof typeof ARRAYS, data: string }} Input `data` is base64 */
/** @typedef {{ model: string, options: import('tflite-webnn').TFLiteModelOptions, inputs: Input[] }} Trial */

const ARRAYS = {
  float32: Float32Array,
  int64: BigInt64Array,
  uint64: BigUint64Array,
  int32: Int32Array,
  uint32: Uint32Array,
  int16: Int16Array,
  uint16: Uint16Array,
  int8: Int8Array,
  uint8: Uint8Array,
  bool: Uint8Array,
};

/** @param {string} text */
const bytesOf = (text) => new Uint8Array(Buffer.from(text, 'base64'));

/** Runs the trials of a JSON file. -> of each its outputs, or "CODE: message" @param {string} file */
export async function runModels(file) {
  const results = [];
  for (const trial of JSON.parse(readFileSync(file, 'utf8'))) {
    results.push(await runOne(trial).catch((error) => `${error.code ?? error.name}: ${error.message}`));
  }
  return results;
}

/** @param {Trial} trial */
async function runOne({ model, options, inputs }) {
  const loaded = await library.loadTFLiteModel(bytesOf(model), { numThreads: 1, ...options });
  const outputs = await loaded.run(inputs.map(({ dtype, data }) => new ARRAYS[dtype](bytesOf(data).buffer)));
  await loaded.dispose();
  return outputs.map(({ dtype, shape, data }) => {
    if (Array.isArray(data)) throw new TypeError(`${dtype} cannot be base64`);
    const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
    return { dtype, shape: [...shape], data: bytes.toString('base64') };
  });
}
