/** Selects a model: one of the page's, or the visitor's own file, which never leaves the page. */

import { addressValue, keepInAddress } from './address.js';
import { type Asset, assets } from './assets.js';
import { byId } from './dom.js';
import { download } from './download.js';
import { acceptFiles, type FileHandlers } from './file_intake.js';
import type { ProgressBar } from './progress_bar.js';

/** The selected model file. */
export interface PickedModel {
  readonly name: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Whether it is the visitor's. */
  readonly isOwn: boolean;
}

/** Receives each selected model, or the error if it cannot be loaded. */
export interface PickListener {
  readonly picked: (model: PickedModel) => void | Promise<void>;
  readonly failed: (error: unknown) => void;
  /** Handlers of files that are not models. Default: none. */
  readonly handlers?: FileHandlers;
  /** What the page accepts, in a sentence. */
  readonly requested: string;
  /** Other inputs of files. */
  readonly inputs?: readonly HTMLInputElement[];
}

const FILE_SUFFIX = '.tflite';

/**
 * The picker of the template: `<select id="model">`, `<input type="file" id="model-file">` and `<div id="model-drop">`.
 * `page.html#model=NAME` preselects a model.
 */
export class ModelPicker {
  readonly #select = byId('model', HTMLSelectElement);
  readonly #progress: ProgressBar;
  readonly #listener: PickListener;
  #download: AbortController | null = null;
  #delivered: Promise<void> = Promise.resolve();

  constructor(progress: ProgressBar, listener: PickListener) {
    this.#progress = progress;
    this.#listener = listener;
    this.#select.addEventListener('change', () => void this.#choose(this.#select.value));
    const model = (file: File) => this.read(file);
    const { handlers = {}, requested, failed, inputs = [] } = listener;
    const zone = byId('model-drop', HTMLElement);
    acceptFiles(
      { handlers: { model, ...handlers }, requested, failed, zone },
      byId('model-file', HTMLInputElement),
      ...inputs,
    );
  }

  /** Accepts a file of the visitor's. */
  read(file: File): void {
    this.#select.value = '';
    keepInAddress('model', null);
    const name = file.name.endsWith(FILE_SUFFIX) ? file.name.slice(0, -FILE_SUFFIX.length) : file.name;
    this.#delivered = this.#deliver(name, async () => new Uint8Array(await file.arrayBuffer()));
  }

  /** Settles when the last model is delivered. */
  get settled(): Promise<void> {
    return this.#delivered;
  }

  /**
   * Selects the model named in the page's URL.
   *
   * @param fallback - Selected if the URL names none.
   * @returns Whether the page has it.
   */
  chooseFromAddress(fallback: string): boolean {
    const name = addressValue('model') ?? fallback;
    if (!(name in assets('models'))) return false;
    void this.#choose(name);
    return true;
  }

  async #choose(name: string): Promise<void> {
    const asset = assets('models')[name];
    if (asset === undefined) return;
    this.#select.value = name;
    keepInAddress('model', name);
    this.#delivered = this.#deliver(name, () => this.#fetch(name, asset));
    await this.#delivered;
  }

  /** Delivers only the most recently selected model. */
  async #deliver(name: string, get: () => Promise<Uint8Array<ArrayBuffer>>): Promise<void> {
    this.#download?.abort();
    const own = new AbortController();
    this.#download = own;
    try {
      const bytes = await get();
      if (this.#download === own) await this.#listener.picked({ name, bytes, isOwn: this.#select.value === '' });
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
