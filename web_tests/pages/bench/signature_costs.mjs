// The page's half of benchmarks/backends/memory.py: what preparing and running the signatures of one model costs.

import { loadTFLiteModel } from '/package/index.mjs';
import { ARRAY_OF } from '../called.mjs';

// Smaller constants are not weights.
const MIN_WEIGHTS = 1 << 14;
let held;

/**
 * Loads a model, which the page then holds, and runs each signature on zeros; its caches are in a state.
 *
 * @param options - Of loadTFLiteModel().
 * @param signatures - [dtype, number of elements] of each input by name, of each signature.
 * @param rounds - Runs after the first one of each signature.
 * @param hasHalfWeights - WebNN gets the weights as float16 constants, each behind a cast.
 * @returns Milliseconds: of the load, and of each signature's first run, which prepares it, and its fastest run after
 *   that; and where each ran.
 */
export async function measure({ url, options, signatures: infos, rounds, hasHalfWeights }) {
  if (hasHalfWeights) halveWeights();
  const start = performance.now();
  const model = await loadTFLiteModel(url, options);
  held = model;
  const loadMs = performance.now() - start;
  const state = await stateOf(model);
  const signatures = [];
  for (const [key, inputs] of Object.entries(infos)) {
    const zeros = Object.fromEntries(
      Object.entries(inputs)
        .filter(([name]) => !state?.tensors.some((tensor) => tensor.name === name))
        .map(([name, [dtype, length]]) => [name, new ARRAY_OF[dtype](length)]),
    );
    const times = [];
    for (let round = 0; round <= rounds; round++) {
      const begin = performance.now();
      await model.runSignature(key, zeros, state ? { state } : {});
      times.push(performance.now() - begin);
    }
    signatures.push({ key, firstMs: times[0], ms: Math.min(...times.slice(1)) });
  }
  const report = await model.report();
  const modes = new Map(report.subgraphs.flatMap((part) => part.signatures.map((key) => [key, part.executionMode])));
  return {
    loadMs,
    signatures: signatures.map((row) => ({ ...row, mode: modes.get(row.key) ?? report.executionMode })),
  };
}

/** A state of the model's caches; null where it has none. */
async function stateOf(model) {
  try {
    return await model.createState();
  } catch (error) {
    if (error.name !== 'StateError') throw error;
    return null;
  }
}

function halveWeights() {
  const { constant } = MLGraphBuilder.prototype;
  MLGraphBuilder.prototype.constant = function (descriptor, data) {
    if (descriptor.dataType !== 'float32' || data.byteLength < 4 * MIN_WEIGHTS) {
      return constant.call(this, descriptor, data);
    }
    const bytes = ArrayBuffer.isView(data) ? data : new Uint8Array(data);
    const halves = Float16Array.from(new Float32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4));
    return this.cast(constant.call(this, { ...descriptor, dataType: 'float16' }, halves), 'float32');
  };
}
