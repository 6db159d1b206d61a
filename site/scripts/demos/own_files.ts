/** The visitor's own model and tokenizer, in place of the page's. */

import type { TokenizerSource } from 'tflite-webnn/text';
import { asset } from '../common/assets.js';
import { byId } from '../common/dom.js';
import { download } from '../common/download.js';
import { downloadOnce } from '../common/model_files.js';
import type { ProgressBar } from '../common/progress_bar.js';

const SAMPLE_TOKENIZER = 'word_tokenizer';

/** What a page of texts runs. */
export class OwnFiles {
  readonly #sample: string;
  readonly #modelInput = byId('model-file', HTMLInputElement);
  readonly #tokenizerInput = byId('tokenizer-file', HTMLInputElement);

  /** @param sample - The page's model, by its name in pages.toml. */
  constructor(sample: string, onChange: () => void) {
    this.#sample = sample;
    const sampleButton = byId('sample-model', HTMLButtonElement);
    const changed = () => {
      byId('model-name', HTMLElement).textContent = this.#model?.name ?? 'the sample';
      byId('tokenizer-name', HTMLElement).textContent = this.#tokenizer?.name ?? this.#withoutTokenizer;
      sampleButton.hidden = this.#model === undefined;
      onChange();
    };
    for (const input of [this.#modelInput, this.#tokenizerInput]) input.addEventListener('change', changed);
    sampleButton.addEventListener('click', () => {
      this.#modelInput.value = '';
      this.#tokenizerInput.value = '';
      changed();
    });
  }

  /** Whether the model is the visitor's. */
  get areOwn(): boolean {
    return this.#model !== undefined;
  }

  /** The model's name. */
  get name(): string {
    return this.#model?.name ?? this.#sample;
  }

  /** What makes the model another one. */
  get key(): string {
    const { name, lastModified, size } = this.#model ?? { name: this.#sample, lastModified: 0, size: 0 };
    return [name, lastModified, size].join();
  }

  /** The model's file. */
  async model(progressBar: ProgressBar, signal: AbortSignal): Promise<Blob | Uint8Array<ArrayBuffer>> {
    return this.#model ?? (await downloadOnce(this.#sample, asset('models', this.#sample), progressBar, signal));
  }

  /**
   * The tokenizer's file: of the sample, or the visitor's; null if the visitor gives a model without one.
   *
   * @throws DownloadError
   */
  async tokenizer(signal: AbortSignal): Promise<TokenizerSource | null> {
    const file = this.#tokenizer;
    if (!file && this.areOwn) return null;
    const bytes = file ? await file.arrayBuffer() : await download(asset('files', SAMPLE_TOKENIZER), { signal });
    if (file?.name.endsWith('.model')) return { kind: 'sentencePiece', model: new Uint8Array(bytes) };
    const text = new TextDecoder().decode(bytes);
    return text.trimStart().startsWith('{')
      ? { kind: 'tokenizer.json', json: text }
      : { kind: 'bert', vocabulary: text };
  }

  get #model(): File | undefined {
    return this.#modelInput.files?.[0];
  }

  get #tokenizer(): File | undefined {
    return this.#tokenizerInput.files?.[0];
  }

  get #withoutTokenizer(): string {
    return this.areOwn ? 'none yet' : 'that of the sample';
  }
}
