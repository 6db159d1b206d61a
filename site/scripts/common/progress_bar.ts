/** A progress bar with byte counts. */

import { create } from './dom.js';
import type { DownloadProgress } from './download.js';
import { formatBytes } from './format.js';

/** Shows progress: the page's bar, or in a worker its proxy. */
export interface ProgressView {
  show(label: string, progress?: DownloadProgress): void;
  hide(): void;
}

let barCount = 0;

/** A labelled `<progress>`, hidden while idle. */
export class ProgressBar implements ProgressView {
  readonly #root: HTMLElement;
  readonly #label: HTMLLabelElement;
  readonly #bar: HTMLProgressElement;
  readonly #bytes: HTMLElement;

  /** Appends the bar to `container`. */
  constructor(container: HTMLElement) {
    barCount += 1;
    const id = `progress-${barCount}`;
    this.#label = create('label', { for: id });
    this.#bytes = create('span', { class: 'progress-bytes' });
    this.#bar = create('progress', { id });
    this.#root = create('div', { class: 'progress', hidden: true }, this.#label, this.#bytes, this.#bar);
    container.append(this.#root);
  }

  /** Shows the bar; without a total it is indeterminate. */
  show(label: string, progress?: DownloadProgress): void {
    this.#root.hidden = false;
    this.#label.textContent = label;
    if (progress?.totalBytes) {
      this.#bar.max = progress.totalBytes;
      this.#bar.value = progress.loadedBytes;
    } else {
      this.#bar.removeAttribute('value');
    }
    this.#bytes.textContent = progress ? bytesText(progress) : '';
  }

  /** Shows `done` of `all` equal steps. */
  showSteps(label: string, done: number, all: number): void {
    this.show(label);
    this.#bar.max = all;
    this.#bar.value = done;
  }

  /** Hides the bar. */
  hide(): void {
    this.#root.hidden = true;
  }
}

function bytesText({ loadedBytes, totalBytes }: DownloadProgress): string {
  const loaded = formatBytes(loadedBytes);
  return totalBytes === null ? loaded : `${loaded} of ${formatBytes(totalBytes)}`;
}
