/** A progress bar with byte counts: one bar for a model and the wasm module that come at the same time. */

import { create } from './dom.js';
import { type DownloadProgress, sumOf } from './download.js';
import { formatBytes } from './format.js';
import { isModuleComing, moduleProgress, onModuleProgress } from './module_download.js';

/** Shows progress: the page's bar, or in a worker its proxy. */
export interface ProgressView {
  show(label: string, progress?: DownloadProgress): void;
  hide(): void;
}

let barCount = 0;

/** What a page shows: the module's bytes come on top. */
interface Shown {
  readonly label: string;
  readonly progress: DownloadProgress | undefined;
}

/** A labelled `<progress>`, hidden while idle. */
export class ProgressBar implements ProgressView {
  readonly #root: HTMLElement;
  readonly #label: HTMLLabelElement;
  readonly #bar: HTMLProgressElement;
  readonly #bytes: HTMLElement;
  #shown: Shown | null = null;
  /** Whether the module's bytes are a part of the sum: until all that came with it has come. */
  #hasModule = false;

  /** Appends the bar to `container`. */
  constructor(container: HTMLElement) {
    barCount += 1;
    const id = `progress-${barCount}`;
    this.#label = create('label', { for: id });
    this.#bytes = create('span', { class: 'progress-bytes' });
    this.#bar = create('progress', { id });
    this.#root = create('div', { class: 'progress', hidden: true }, this.#label, this.#bytes, this.#bar);
    container.append(this.#root);
    onModuleProgress(() => this.#draw());
  }

  /** Shows the bar; without a total it is indeterminate. */
  show(label: string, progress?: DownloadProgress): void {
    this.#shown = { label, progress };
    this.#draw();
  }

  /** Shows `done` of `all` equal steps. */
  showSteps(label: string, done: number, all: number): void {
    this.show(label);
    this.#bar.max = all;
    this.#bar.value = done;
  }

  /** Hides the bar, once the module has come. */
  hide(): void {
    this.#shown = null;
    this.#draw();
  }

  #draw(): void {
    const [shown, module] = [this.#shown, moduleProgress()];
    const isComing = isModuleComing();
    this.#hasModule = isComing || (this.#hasModule && shown?.progress !== undefined);
    this.#root.hidden = shown === null && !isComing;
    const parts = [shown?.progress, this.#hasModule ? module : null].filter((part) => part != null);
    const [own, runtime] = [shown?.label ?? '', 'Downloading the runtime'];
    this.#label.textContent = !this.#hasModule ? own : shown?.progress ? `${own} and the runtime` : runtime;
    const progress = parts.length > 0 ? sumOf(parts) : null;
    this.#bytes.textContent = progress ? bytesText(progress) : '';
    if (progress?.totalBytes) {
      this.#bar.max = progress.totalBytes;
      this.#bar.value = progress.loadedBytes;
    } else {
      this.#bar.removeAttribute('value');
    }
  }
}

function bytesText({ loadedBytes, totalBytes }: DownloadProgress): string {
  const loaded = formatBytes(loadedBytes);
  return totalBytes === null ? loaded : `${loaded} of ${formatBytes(totalBytes)}`;
}
