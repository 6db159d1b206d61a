/** Loads models in a worker, so that the page stays responsive. */

import type { LoadProgress } from 'tflite-webnn';
import { TFLiteWorker, type WorkerModel } from 'tflite-webnn/worker';
import type { Asset } from './assets.js';
import { type Execution, executionOptions } from './execution_switch.js';
import { isolated } from './isolation.js';
import type { ProgressView } from './progress_bar.js';

let worker: TFLiteWorker | undefined;

/** The page's worker; all its models share it. */
function modelWorker(): TFLiteWorker {
  worker ??= new TFLiteWorker();
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
  try {
    return await modelWorker().loadTFLiteModel(isFile ? source : new URL(source.url, document.baseURI).href, {
      ...executionOptions(execution),
      onProgress: (progress) => showLoading(view, progress, isFile ? null : source.sizeBytes),
      ...(signal && { signal }),
    });
  } finally {
    view.hide();
  }
}

/**
 * Shows how far a load is.
 *
 * @param sizeBytes - Of the file that is downloaded: a server may not send its size.
 */
export function showLoading(view: ProgressView, progress: LoadProgress, sizeBytes: number | null = null): void {
  view.show(PHASES[progress.phase], inBytes(progress, sizeBytes));
}

const PHASES: Readonly<Record<LoadProgress['phase'], string>> = {
  download: 'Downloading the model',
  compile: 'Compiling TensorFlow Lite',
  init: 'Preparing the model',
  build: 'Building the WebNN graph',
};

/** Byte counts for the phases that have them; undefined shows an indeterminate bar. */
function inBytes({ phase, loadedBytes, totalBytes }: LoadProgress, sizeBytes: number | null) {
  if (phase !== 'download' && phase !== 'build') return undefined;
  return { loadedBytes, totalBytes: phase === 'download' ? (sizeBytes ?? totalBytes) : totalBytes };
}
