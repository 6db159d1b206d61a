/** Continues texts, token by token. */

import {
  type OpenModel,
  type OwnSchema,
  openTask,
  openTextTokenizer,
  Task,
  type TaskCallOptions,
  type TaskModel,
  type TextTaskOptions,
} from '@tflite-webnn/tasks';
import type { TextTokenizer } from '@tflite-webnn/tasks/text';
import { checkArguments, InputError, type ModelSource, StateError } from 'tflite-webnn';
import { FLAG, integer, type Kind, listOf, type OptionSchema, SIGNAL, TEXT } from 'tflite-webnn/option_schema';
import { CachedDecoder, type LanguageModel } from './cached_decoder.js';
import { type SamplingOptions, sampler } from './sampling.js';
import { idsOf, ofText, TokenText } from './tokens.js';

export type { LanguageModel };

/** How a generator loads its model and cuts text. */
export interface TextGeneratorOptions extends Omit<TextTaskOptions, 'labels' | 'locale' | 'truncate'> {
  /** Tokens that the cache holds. Default: found in the model. */
  readonly contextLength?: number;
  /** Pieces before each prompt. Default: `<bos>`, `<s>` or `<|begin_of_text|>`, if the vocabulary has one. */
  readonly before?: readonly string[];
  /** Pieces that end a text. Default: those that models have for it, such as `<eos>`, `</s>` and `<|im_end|>`. */
  readonly eos?: readonly string[];
}

/** How a text goes on, and where it ends. */
export interface GenerationOptions extends SamplingOptions, TaskCallOptions {
  /** Tokens to write at most. Default: until the cache is full. */
  readonly maxTokens?: number;
  /** A text, or texts, before which the generated one ends. */
  readonly stop?: string | readonly string[];
  /** Go on after the last prompt and what was generated, which remain in the cache: a conversation. Default: false. */
  readonly append?: boolean;
}

/** Tokens and times of the last text. */
export interface GenerationUsage {
  /** Tokens of the prompt. */
  readonly promptTokens: number;
  /** Tokens written, with the one that ended the text. */
  readonly generatedTokens: number;
  /** Milliseconds until the prompt was read. */
  readonly promptMs: number;
  /** Milliseconds since then, without the time that the caller took. */
  readonly generatedMs: number;
  /** Why the text ended: a piece that ends texts, a stop text, `maxTokens` or a full cache. Null before that. */
  readonly finish: 'eos' | 'stop' | 'length' | null;
}

const BEFORE = ['<bos>', '<s>', '<|begin_of_text|>'];
const EOS = [
  '<eos>',
  '</s>',
  '<|endoftext|>',
  '<|end_of_text|>',
  '<|eot_id|>',
  '<|im_end|>',
  '<|end|>',
  '<end_of_turn>',
];

const known = (): OwnSchema<TextGeneratorOptions> => {
  const { truncate: _, ...options } = ofText();
  return { ...options, contextLength: integer(1, 2 ** 24), before: listOf(TEXT), eos: listOf(TEXT) };
};
const STOPS: Kind = [
  'a string, or an array of strings, none of them empty',
  (value) => [value].flat().every((stop) => typeof stop === 'string' && stop !== ''),
];
const ofCall = (): OptionSchema<GenerationOptions> => ({
  signal: SIGNAL,
  maxTokens: integer(0, 2 ** 24),
  temperature: within(0, 100),
  topK: integer(1, 1000),
  topP: within(0, 1),
  seed: integer(0, 2 ** 32 - 1),
  stop: STOPS,
  append: FLAG,
});
const UNUSED: GenerationUsage = { promptTokens: 0, generatedTokens: 0, promptMs: 0, generatedMs: 0, finish: null };

/** Continues texts by a language model with a cache. */
export class TextGenerator extends Task<TextGeneratorOptions> {
  readonly #decoder: CachedDecoder;
  readonly #tokenizer: TextTokenizer;
  readonly #before: readonly number[];
  readonly #eos: ReadonlySet<number>;
  #usage = UNUSED;
  /** The last token, which the model has not read. */
  #last: readonly number[] = [];
  /** Counts calls: a later one uses the cache. */
  #calls = 0;

  private constructor(
    opened: OpenModel,
    options: TextGeneratorOptions,
    decoder: CachedDecoder,
    tokenizer: TextTokenizer,
  ) {
    super(opened, options);
    new TokenText(tokenizer, []); // throws where it cannot write
    this.#decoder = decoder;
    this.#tokenizer = tokenizer;
    const isKnown = (piece: string) => tokenizer.idOf(piece) !== undefined;
    this.#before = idsOf(tokenizer, options.before ?? BEFORE.filter(isKnown).slice(0, 1));
    this.#eos = new Set(idsOf(tokenizer, options.eos ?? EOS.filter(isKnown)));
  }

  /**
   * Creates a generator. The model has the signatures of litert-torch's exports: `decode`, and perhaps
   * `prefill_<tokens>`, with `tokens`, `input_pos`, perhaps `mask`, and caches (`kv_cache_*`), which are resident where
   * the model computes.
   *
   * @param model - The model file, as `loadTFLiteModel()` accepts it, or a loaded model of a page or worker.
   * @param options - Tokenizer, if none is packed into the file.
   * @throws TaskModelError where the model has other signatures; TokenizerError; what loadTFLiteModel() throws.
   *
   * @example
   * const tokenizer = await openTokenizer({ kind: 'tokenizer.json', json });
   * const generator = await TextGenerator.create('gemma.tflite', { tokenizer, device: 'webnn' });
   * for await (const piece of generator.generate('Once upon a time', { maxTokens: 100 })) output.append(piece);
   */
  static create(model: ModelSource | LanguageModel, options: TextGeneratorOptions = {}): Promise<TextGenerator> {
    return openTask(model as ModelSource | TaskModel, options, known(), async (opened) => {
      const decoder = await CachedDecoder.of(opened.model as unknown as LanguageModel, options.contextLength);
      try {
        return new TextGenerator(opened, options, decoder, await openTextTokenizer(opened, options, []));
      } catch (error) {
        await decoder.dispose();
        throw error;
      }
    });
  }

  /** Tokens that the cache holds: prompt and generated text together. */
  get contextLength(): number {
    void this.model; // throws once the task has ended
    return this.#decoder.contextLength;
  }

  /** Tokens and times of the last generate() so far. */
  get usage(): GenerationUsage {
    void this.model;
    return this.#usage;
  }

  /**
   * Continues a prompt. A call ends those before it: their iterators reject.
   *
   * @param prompt - The text, with the marks of turns that the model expects.
   * @param options - How tokens are chosen, where the text ends, a signal.
   * @yields Pieces of the text, each of complete characters.
   * @throws OptionError; InputError where the prompt has no tokens, or more than the cache holds; StateError where a
   *   later call has begun; the signal's reason; ModelDisposedError; what runSignature() throws.
   */
  async *generate(prompt: string, options: GenerationOptions = {}): AsyncGenerator<string, void, undefined> {
    let call = 0;
    let token = await this.inTurn(
      options,
      async () => {
        checkArguments('generate', { prompt }, { prompt: TEXT });
        call = ++this.#calls;
        return this.#begin(prompt, options);
      },
      ofCall(),
    );
    const { signal, maxTokens = Number.POSITIVE_INFINITY } = options;
    const choose = sampler(options);
    const text = new TokenText(this.#tokenizer, [options.stop ?? []].flat());
    for (let count = 0; count < maxTokens && this.#decoder.space > 0 && this.#usage.finish === null; count++) {
      token = await this.inTurn({ signal }, () => this.#step(call, token, choose));
      const piece = this.#eos.has(token) ? text.end() : text.add(token);
      if (this.#eos.has(token)) this.#finish('eos');
      else if (text.isStopped) this.#finish('stop');
      if (piece !== '') yield piece;
    }
    this.#checkCurrent(call);
    if (this.#usage.finish === null) this.#finish('length');
    const rest = text.end();
    if (rest !== '') yield rest;
  }

  /**
   * Ends the task: what is in flight, and later calls, reject. Frees the cache, and the model, if the task has loaded
   * it.
   */
  override async dispose(): Promise<void> {
    await Promise.all([this.#decoder.dispose(), super.dispose()]); // the task has ended before the first await
  }

  /** Reads a prompt but for its last token. */
  async #begin(prompt: string, { append = false, signal }: GenerationOptions): Promise<number> {
    const started = performance.now();
    const before = append ? this.#last : this.#before;
    const ids = [...before, ...idsOf(this.#tokenizer, this.#tokenizer.tokenize(prompt))];
    if (ids.length === 0) throw new InputError('TEXT_EMPTY', 'The prompt has no tokens: there is nothing to continue.');
    if (!append) {
      await this.#decoder.reset();
      this.#last = [];
    }
    this.#usage = { ...UNUSED, promptTokens: ids.length };
    const { space } = this.#decoder;
    try {
      await this.#decoder.read(ids.slice(0, -1), signal);
      this.#last = ids.slice(-1);
    } catch (error) {
      if (this.#decoder.space < space) this.#last = []; // it was read
      throw error;
    }
    this.#usage = { ...this.#usage, promptMs: performance.now() - started };
    return ids.at(-1) as number;
  }

  async #step(call: number, token: number, choose: (logits: ArrayLike<number>) => number): Promise<number> {
    this.#checkCurrent(call);
    const started = performance.now();
    const next = choose(await this.#decoder.next(token));
    const { generatedTokens, generatedMs } = this.#usage;
    this.#last = [next];
    this.#usage = {
      ...this.#usage,
      generatedTokens: generatedTokens + 1,
      generatedMs: generatedMs + performance.now() - started,
    };
    return next;
  }

  #finish(finish: GenerationUsage['finish']): void {
    this.#usage = { ...this.#usage, finish };
  }

  #checkCurrent(call: number): void {
    if (call === this.#calls) return;
    throw new StateError('A later generate() has begun, and the cache holds its text: end one loop before the next.');
  }
}

function within(min: number, max: number): Kind {
  const accepts = (value: unknown) => typeof value === 'number' && value >= min && value <= max;
  return [`a number from ${min} to ${max}`, accepts];
}
