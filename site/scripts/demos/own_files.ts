/** The visitor's own model and tokenizer, in place of the page's. */

import type { TokenizerSource } from 'tflite-webnn/text';
import { asset } from '../common/assets.js';
import { byId } from '../common/dom.js';
import { download } from '../common/download.js';
import { downloadOnce } from '../common/model_files.js';
import type { ProgressBar } from '../common/progress_bar.js';

const SAMPLE_TOKENIZER = 'word_tokenizer';

/** A model that the visitor may choose. */
export class OwnModel {
  readonly #name = byId('model-name', HTMLElement);
  readonly #reset = byId('sample-model', HTMLButtonElement);
  readonly #sampleName = this.#name.textContent ?? '';
  readonly #onChange: () => void;
  #file: File | null = null;

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

  /** What makes the model another one. */
  get key(): string {
    return this.#file ? [this.#file.name, this.#file.lastModified, this.#file.size].join() : '';
  }

  /** Takes a file. */
  choose(file: File): void {
    this.#show(file);
    this.#onChange();
  }

  /** Goes back to the page's model. */
  clear(): void {
    this.#show(null);
  }

  #show(file: File | null): void {
    this.#file = file;
    this.#name.textContent = file?.name ?? this.#sampleName;
    this.#reset.hidden = file === null;
  }
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

  /** Whether the visitor has given a tokenizer. */
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

  /** Takes a model. */
  chooseModel(file: File): void {
    this.#model.choose(file);
  }

  /** Goes back to the sample. */
  clear(): void {
    this.#model.clear();
  }

  /** Takes a tokenizer. */
  chooseTokenizer(file: File): void {
    this.#tokenizer = file;
    this.#showTokenizer();
  }

  /** The model's file. */
  async model(progressBar: ProgressBar, signal: AbortSignal): Promise<Blob | Uint8Array<ArrayBuffer>> {
    return this.#model.file ?? (await downloadOnce(this.#sample, asset('models', this.#sample), progressBar, signal));
  }

  /**
   * The tokenizer's file: of the sample, or the visitor's; null if the visitor gives a model without one.
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
