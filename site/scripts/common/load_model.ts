/** Loads models in a worker, so that the page remains responsive. */

import { TFLiteWorker, type WorkerModel } from 'tflite-webnn/worker';
import type { Asset } from './assets.js';
import { type Execution, executionOptions } from './execution_switch.js';
import { isolated } from './isolation.js';
import { showLoading } from './loading_view.js';
import { workerUrl } from './module_download.js';
import { keepAlso } from './offline.js';
import type { ProgressView } from './progress_bar.js';

let worker: TFLiteWorker | undefined;

/** The page's worker; all its models share it. It fetches the wasm module as soon as it starts. */
export function modelWorker(): TFLiteWorker {
  if (worker === undefined) {
    worker = new TFLiteWorker({ url: workerUrl('model_worker') });
    keepAlso(async () => [new URL('../package/model_worker.mjs', import.meta.url).href]); // which it imports
  }
  return worker;
}

/**
 * Loads a model and shows the progress.
 *
 * @param source - An asset of this page, or a visitor's file or its bytes.
 * @throws What loadTFLiteModel() throws; its messages can be shown to visitors.
 */
export async function loadModel(
  source: Asset | Blob | Uint8Array<ArrayBuffer>,
  execution: Execution,
  view: ProgressView,
  signal?: AbortSignal,
): Promise<WorkerModel> {
  await isolated();
  const isFile = !('url' in source);
  const url = isFile ? '' : new URL(source.url, document.baseURI).href;
  if (url) keepAlso(async () => [url]);
  try {
    return await modelWorker().loadTFLiteModel(isFile ? source : url, {
      ...executionOptions(execution),
      onProgress: (progress) => showLoading(view, progress, isFile ? null : source.sizeBytes),
      ...(signal && { signal }),
    });
  } finally {
    view.hide();
  }
}
