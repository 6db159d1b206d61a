/** Several downloads in one progress bar: the sum of their bytes. */

import type { DownloadProgress } from './download.js';
import type { ProgressView } from './progress_bar.js';

/** Adds up the bytes of parts. */
export class SumProgress {
  readonly #label: string;
  readonly #view: ProgressView;
  readonly #parts = new Map<string, DownloadProgress>();

  constructor(label: string, view: ProgressView) {
    this.#label = label;
    this.#view = view;
  }

  /** How far a part is. */
  set(name: string, progress: DownloadProgress): void {
    this.#parts.set(name, progress);
    const parts = [...this.#parts.values()];
    this.#view.show(this.#label, {
      loadedBytes: parts.reduce((sum, { loadedBytes }) => sum + loadedBytes, 0),
      totalBytes: parts.reduce((sum, { loadedBytes, totalBytes }) => sum + (totalBytes ?? loadedBytes), 0),
    });
  }

  /** A part as a view of its own. */
  part(name: string): ProgressView {
    return { show: (_, progress) => progress && this.set(name, progress), hide: () => {} };
  }
}
