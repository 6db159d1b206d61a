/** The package's worker of models, which fetches the wasm module while the page fetches a model, and reports how far. */

import { relaxedSimd } from 'wasm-feature-detect';
import { fetchAhead } from './common/watch_module.js';
import 'tflite-webnn/model_worker.mjs';

// The variant that the package chooses: threads are half of the processor's.
const MIN_CORES = 4;

async function startDownload(): Promise<void> {
  const threads = crossOriginIsolated && navigator.hardwareConcurrency >= MIN_CORES ? '-threads' : '';
  const variant = `${(await relaxedSimd()) ? 'relaxed-simd' : 'simd'}${threads}`;
  fetchAhead(new URL(`../package/${variant}/tflite_webnn.wasm`, import.meta.url));
}

void startDownload();
