/** From text to the tokens of a language model, and back. */

import { type OwnSchema, TEXT_TASK_OPTIONS, type TextTaskOptions } from '@tflite-webnn/tasks';
import { byteLetters, type TextTokenizer, TokenizerError } from '@tflite-webnn/tasks/text';
import { InputError, type TypedArray } from 'tflite-webnn';

/** First and last piece of a text: of BERT, of RoBERTa, of Gemma, of T5, which has no first one. */
const ENDS = [
  ['[CLS]', '[SEP]'],
  ['<s>', '</s>'],
  ['<bos>', '<eos>'],
  [undefined, '</s>'],
] as const;

/** What options of all tasks on text have to be that have no labels. */
export function ofText(): OwnSchema<Omit<TextTaskOptions, 'labels' | 'locale'>> {
  const { labels: _, locale: __, ...options } = TEXT_TASK_OPTIONS;
  return options;
}

/** The pieces around a text that the vocabulary has. */
export function endsOf(tokenizer: TextTokenizer): readonly [before: readonly string[], after: readonly string[]] {
  const isKnown = (piece: string | undefined) => piece === undefined || tokenizer.idOf(piece) !== undefined;
  const [before, after] = ENDS.find((pair) => pair.every(isKnown)) ?? [];
  return [before === undefined ? [] : [before], after === undefined ? [] : [after]];
}

/** Ids of pieces. */
export function idsOf(tokenizer: TextTokenizer, pieces: readonly string[]): number[] {
  return pieces.map((piece) => tokenizer.idOf(piece) ?? tokenizer.unknownId);
}

/** Numbers as an array for an input of `dtype` with `length` elements. */
export function valuesFor(dtype: string, numbers: readonly number[], length = numbers.length): TypedArray {
  const values = dtype === 'float32' ? new Float32Array(length) : new Int32Array(length);
  values.set(numbers);
  return dtype === 'int64' ? BigInt64Array.from(values, BigInt) : values;
}

/** The error of a text that has more tokens than the model accepts. */
export function tooLong(what: string, tokens: number, maxTokens: number, hint: string): InputError {
  const message = `The ${what} has ${tokens} tokens, and the model accepts ${maxTokens}: ${hint}.`;
  return new InputError('TEXT_TOO_LONG', message, { details: { tokens, most: maxTokens } });
}

/** SentencePiece's space. */
const SPACE = '\u2581';
/** GPT-2's, in vocabularies whose letters are bytes. */
const SPACE_OF_BYTES = '\u0120';
const BYTE = /^<0x([0-9A-F]{2})>$/;

/** The text of one generation: complete characters, up to a stop text. */
export class TokenText {
  readonly #tokenizer: Required<TextTokenizer>;
  readonly #letters: ReadonlyMap<string, number> | null;
  readonly #stops: readonly string[];
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  #held = '';
  #isStopped = false;

  /** @throws TokenizerError where the tokenizer cannot write. */
  constructor(tokenizer: TextTokenizer, stops: readonly string[]) {
    if (typeof tokenizer.pieceOf !== 'function') {
      throw new TokenizerError(
        'The tokenizer has no pieceOf(), so that tokens cannot become text: open a tokenizer.json or a SentencePiece model.',
      );
    }
    this.#tokenizer = tokenizer as Required<TextTokenizer>;
    const hasBytes = tokenizer.idOf(SPACE_OF_BYTES) !== undefined && tokenizer.idOf(SPACE) === undefined;
    this.#letters = hasBytes ? new Map(byteLetters().map((letter, byte) => [letter, byte])) : null;
    this.#stops = stops;
  }

  /** Whether a stop text was written. */
  get isStopped(): boolean {
    return this.#isStopped;
  }

  /** Adds a token; returns what is certain of the text now. */
  add(token: number): string {
    return this.#append(this.#decoder.decode(this.#bytesOf(token), { stream: true }), false);
  }

  /** What is left of the text. */
  end(): string {
    return this.#append(this.#decoder.decode(), true);
  }

  #append(text: string, isEnd: boolean): string {
    if (this.#isStopped) return '';
    this.#held += text;
    const found = this.#stops.map((stop) => this.#held.indexOf(stop)).filter((position) => position >= 0);
    this.#isStopped = found.length > 0;
    const end = this.#isStopped ? Math.min(...found) : this.#held.length - (isEnd ? 0 : this.#begunStop());
    const certain = this.#held.slice(0, end);
    this.#held = this.#held.slice(end);
    return certain;
  }

  /** Length of the end of the text that may be the begin of a stop text. */
  #begunStop(): number {
    const lengths = this.#stops.flatMap((stop) => {
      return Array.from({ length: stop.length }, (_, index) => index).filter((length) =>
        this.#held.endsWith(stop.slice(0, length)),
      );
    });
    return Math.max(0, ...lengths);
  }

  #bytesOf(token: number): Uint8Array {
    const piece = this.#tokenizer.pieceOf(token) ?? '';
    const [, hex] = BYTE.exec(piece) ?? [];
    if (hex !== undefined) return Uint8Array.of(Number.parseInt(hex, 16));
    const bytes = Array.from(piece, (letter) => this.#letters?.get(letter));
    if (this.#letters && !bytes.includes(undefined)) return Uint8Array.from(bytes as number[]);
    return new TextEncoder().encode(this.#letters ? piece : piece.replaceAll(SPACE, ' '));
  }
}
