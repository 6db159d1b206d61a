/** Shows how far the load of a model is. */

import type { LoadProgress } from 'tflite-webnn';
import type { ProgressView } from './progress_bar.js';

/**
 * Shows how far a load is.
 *
 * @param sizeBytes - Of the file that is downloaded: a server may not send its size.
 */
export function showLoading(view: ProgressView, progress: LoadProgress, sizeBytes: number | null = null): void {
  // The module can be there before the model.
  if (progress.phase === 'compile' && progress.loadedBytes > 0) return;
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
