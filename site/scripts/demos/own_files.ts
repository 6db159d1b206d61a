/** The visitor's own model and tokenizer, in place of the page's. */

import type { TokenizerSource } from 'tflite-webnn/text';
import { type Asset, asset } from '../common/assets.js';
import { byId } from '../common/dom.js';
import { download } from '../common/download.js';
import { readLabels } from '../common/labels.js';

const SAMPLE_TOKENIZER = 'word_tokenizer';

/** A model that the visitor may choose, with the names of its classes. */
export class OwnModel {
  readonly #name = byId('model-name', HTMLElement);
  readonly #labelsName = document.getElementById('labels-name');
  readonly #reset = byId('sample-model', HTMLButtonElement);
  readonly #sampleName = this.#name.textContent ?? '';
  readonly #onChange: () => void;
  #file: File | null = null;
  #labels: { readonly file: string; readonly key: string; readonly names: readonly string[] } | null = null;

  /** @param onChange - Called when the visitor has chosen, or goes back to the page's model. */
  constructor(onChange: () => void) {
    this.#onChange = onChange;
    this.#reset.addEventListener('click', () => {
      this.clear();
      onChange();
    });
  }

  /** The visitor's file; null for the page's. */
  get file(): File | null {
    return this.#file;
  }

  /** Of a file of the visitor's; undefined for the labels in the model. */
  get labels(): readonly string[] | undefined {
    return this.#labels?.names;
  }

  /** What makes the model another one. */
  get key(): string {
    return [this.#file && keyOf(this.#file), this.#labels?.key].join();
  }

  /** Accepts a model, whose labels may follow. */
  choose(file: File): void {
    this.#show(file);
    this.#onChange();
  }

  /** Accepts the labels of the model. */
  async chooseLabels(file: File): Promise<void> {
    this.#labels = { file: file.name, key: keyOf(file), names: await readLabels(file) };
    if (this.#labelsName) this.#labelsName.textContent = `, labels: ${file.name}`;
    this.#reset.hidden = false;
    this.#onChange();
  }

  /** Drops labels that do not fit the model, so that the next image runs; returns what to say of an error. */
  explain(error: unknown): unknown {
    if (!this.#labels || !(error instanceof Error && 'code' in error && error.code === 'LABEL_COUNT')) return error;
    const name = this.#labels.file;
    this.#show(this.#file);
    return new Error(`${name} has no labels for this model. Choose an image, or the labels of the model.`, {
      cause: error,
    });
  }

  /** Goes back to the page's model. */
  clear(): void {
    this.#show(null);
  }

  #show(file: File | null): void {
    this.#file = file;
    this.#labels = null;
    this.#name.textContent = file?.name ?? this.#sampleName;
    if (this.#labelsName) this.#labelsName.textContent = '';
    this.#reset.hidden = file === null;
  }
}

function keyOf({ name, lastModified, size }: File): string {
  return [name, lastModified, size].join();
}

/** What a page of texts runs. */
export class OwnFiles {
  readonly #sample: string;
  readonly #model: OwnModel;
  readonly #tokenizerName = byId('tokenizer-name', HTMLElement);
  #tokenizer: File | null = null;

  /** @param sample - The page's model, by its name in pages.toml. */
  constructor(sample: string, onChange: () => void) {
    this.#sample = sample;
    this.#model = new OwnModel(onChange);
  }

  /** Whether the model is the visitor's. */
  get areOwn(): boolean {
    return this.#model.file !== null;
  }

  /** Whether the visitor has provided a tokenizer. */
  get hasTokenizer(): boolean {
    return this.#tokenizer !== null;
  }

  /** The model's name. */
  get name(): string {
    return this.#model.file?.name ?? this.#sample;
  }

  /** What makes the model another one. */
  get key(): string {
    return this.#model.key;
  }

  /** Accepts a model. */
  chooseModel(file: File): void {
    this.#model.choose(file);
  }

  /** Goes back to the sample. */
  clear(): void {
    this.#model.clear();
  }

  /** Accepts a tokenizer. */
  chooseTokenizer(file: File): void {
    this.#tokenizer = file;
    this.#showTokenizer();
  }

  /** The visitor's model, or the sample. */
  get model(): File | Asset {
    return this.#model.file ?? asset('models', this.#sample);
  }

  /**
   * The tokenizer's file: of the sample, or the visitor's; null if the visitor provides a model without one.
   *
   * @throws DownloadError
   */
  async tokenizer(signal: AbortSignal): Promise<TokenizerSource | null> {
    const file = this.areOwn ? this.#tokenizer : null;
    if (!file && this.areOwn) return null;
    const bytes = file ? await file.arrayBuffer() : await download(asset('files', SAMPLE_TOKENIZER), { signal });
    if (file?.name.endsWith('.model')) return { kind: 'sentencePiece', model: new Uint8Array(bytes) };
    const text = new TextDecoder().decode(bytes);
    return text.trimStart().startsWith('{')
      ? { kind: 'tokenizer.json', json: text }
      : { kind: 'bert', vocabulary: text };
  }

  #showTokenizer(): void {
    this.#tokenizerName.textContent = this.#tokenizer?.name ?? 'none yet';
  }
}
