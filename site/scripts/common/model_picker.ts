/** Selects a model: one of the page's, or the visitor's own file, which never leaves the page. */

import { addressValue, keepInAddress } from './address.js';
import { type Asset, assets } from './assets.js';
import { byId } from './dom.js';
import { download } from './download.js';
import { formatBytes } from './format.js';
import type { ProgressBar } from './progress_bar.js';

/** The selected model file. */
export interface PickedModel {
  readonly name: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Receives each selected model, or the error if it cannot be loaded. */
export interface PickListener {
  readonly picked: (model: PickedModel) => void | Promise<void>;
  readonly failed: (error: unknown) => void;
  /** Receives images and sounds that are dropped. Default: they are rejected as models. */
  readonly other?: (file: File) => void;
}

const FILE_SUFFIX = '.tflite';
// The module has at most 4 GB of memory, and the page holds the file as well.
const MAX_FILE_BYTES = 2 ** 31;

/**
 * The picker of the template: `<select id="model">`, `<input type="file" id="model-file">` and `<div id="model-drop">`.
 * `page.html#model=NAME` preselects a model.
 */
export class ModelPicker {
  readonly #select = byId('model', HTMLSelectElement);
  readonly #file = byId('model-file', HTMLInputElement);
  readonly #drop = byId('model-drop', HTMLElement);
  readonly #progress: ProgressBar;
  readonly #listener: PickListener;
  #download: AbortController | null = null;

  constructor(progress: ProgressBar, listener: PickListener) {
    this.#progress = progress;
    this.#listener = listener;
    this.#select.addEventListener('change', () => void this.#take(this.#select.value));
    this.#file.addEventListener('change', () => this.#read(this.#file.files?.[0]));
    // Anywhere on the page: else the browser navigates to a file that misses the zone.
    document.addEventListener('dragover', (event) => this.#over(event, true));
    document.addEventListener('dragleave', (event) => this.#over(event, event.relatedTarget !== null));
    document.addEventListener('drop', (event) => {
      this.#over(event, false);
      const file = event.dataTransfer?.files[0];
      if (file && listener.other && /^(image|audio)\//.test(file.type)) listener.other(file);
      else this.#read(file);
    });
  }

  /**
   * Selects the model named in the page's URL.
   *
   * @param fallback - Selected if the URL names none.
   * @returns Whether the page has it.
   */
  takeFromAddress(fallback: string): boolean {
    const name = addressValue('model') ?? fallback;
    if (!(name in assets('models'))) return false;
    void this.#take(name);
    return true;
  }

  #over(event: DragEvent, isOver: boolean): void {
    event.preventDefault();
    this.#drop.classList.toggle('over', isOver);
  }

  async #take(name: string): Promise<void> {
    const asset = assets('models')[name];
    if (asset === undefined) return;
    this.#select.value = name;
    keepInAddress('model', name);
    await this.#deliver(name, () => this.#fetch(name, asset));
  }

  #read(file: File | undefined): void {
    if (file === undefined) return;
    this.#select.value = '';
    keepInAddress('model', null);
    const name = file.name.endsWith(FILE_SUFFIX) ? file.name.slice(0, -FILE_SUFFIX.length) : file.name;
    void this.#deliver(name, async () => {
      checkSize(file);
      return new Uint8Array(await file.arrayBuffer());
    });
    this.#file.value = ''; // else choosing the same file again fires no event
  }

  /** Delivers only the most recently selected model. */
  async #deliver(name: string, get: () => Promise<Uint8Array<ArrayBuffer>>): Promise<void> {
    this.#download?.abort();
    const own = new AbortController();
    this.#download = own;
    try {
      const bytes = await get();
      if (this.#download === own) await this.#listener.picked({ name, bytes });
    } catch (error) {
      if (this.#download === own) this.#listener.failed(error);
    }
  }

  async #fetch(name: string, asset: Asset): Promise<Uint8Array<ArrayBuffer>> {
    const signal = this.#download?.signal;
    const onProgress = (progress: { loadedBytes: number; totalBytes: number | null }) =>
      this.#progress.show(`Downloading ${name}`, progress);
    try {
      return await download(asset, { ...(signal && { signal }), onProgress });
    } finally {
      if (!signal?.aborted) this.#progress.hide();
    }
  }
}

function checkSize({ name, size }: File): void {
  if (size <= MAX_FILE_BYTES) return;
  const limit = formatBytes(MAX_FILE_BYTES);
  throw new Error(
    `${name} has ${formatBytes(size)}: a page can hold models of at most ${limit}. Quantize it, or split it.`,
  );
}
