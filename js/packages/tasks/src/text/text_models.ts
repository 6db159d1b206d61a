/** From text to the inputs of models, and from their outputs to results, as TFLite's task library does it. */

import { checkArguments, InputError } from 'tflite-webnn';
import { FLAG, integer, NUMBERS, optional, TEXT } from 'tflite-webnn/option_schema';
import { type TextTokenizer, TokenizerError } from './tokenizer.js';

/** The three inputs: each as long as the model's. */
export interface BertInputs {
  /** Ids of `[CLS]`, the pieces and `[SEP]`, then zeros. */
  readonly ids: Int32Array;
  /** 1 where `ids` has a piece. */
  readonly mask: Int32Array;
  /** 1 where `ids` has a piece of the second text, and its `[SEP]`. */
  readonly segmentIds: Int32Array;
}

/** A question and the text with its answer. */
export interface BertQuestionInputs extends BertInputs {
  /** The words of the text: it is cut at spaces. */
  readonly words: readonly Word[];
  /** For each position in `ids`, the index of its word; -1 for others. */
  readonly wordOf: Int32Array;
}

/** A word of a text. */
export interface Word {
  /** Its letters. */
  readonly text: string;
  /** Position of its first letter in the text. */
  readonly start: number;
}

/** How text is brought to the model's length. */
export interface BertInputOptions {
  /** Length of the inputs. */
  readonly length: number;
  /** Cut a text that is too long, instead of throwing an error. Default: false. */
  readonly truncate?: boolean;
  /** Lowercase A to Z. Default: true, as TFLite's task library does. */
  readonly lowercase?: boolean;
}

/**
 * Checks that something is a tokenizer.
 *
 * @param provided - What a caller has provided.
 * @throws TokenizerError where a function or the number is missing.
 */
export function checkTokenizer(provided: Partial<TextTokenizer> | null | undefined): asserts provided is TextTokenizer {
  const { tokenize, idOf, unknownId } = provided ?? {};
  if (typeof tokenize === 'function' && typeof idOf === 'function' && typeof unknownId === 'number') return;
  throw new TokenizerError(
    'A tokenizer that is provided has the functions tokenize() and idOf(), and the number unknownId, as what openTokenizer() returns.',
  );
}

/** A question's pieces that count; the task library leaves out the others. */
const MAX_QUESTION_PIECES = 64;

/** Longer inputs have no model. */
const LENGTH = integer(0, 2 ** 24);
const OPTIONS = { length: LENGTH, truncate: optional(FLAG), lowercase: optional(FLAG) };

const CLASSIFICATION = '[CLS]';
const SEPARATOR = '[SEP]';

/**
 * Fills the inputs of a classifier.
 *
 * @param tokenizer - Of a vocabulary with `[CLS]` and `[SEP]`.
 * @param text - The text.
 * @param options - Length of the inputs, and whether a longer text is cut, which it is not by default.
 * @returns Three arrays of int32, as long as the inputs.
 * @throws TokenizerError; OptionError; InputError where the text has more pieces than the model accepts.
 */
export function bertInputs(tokenizer: TextTokenizer, text: string, options: BertInputOptions): BertInputs {
  checkTokenizer(tokenizer);
  checkArguments('bertInputs', { text, options }, { text: TEXT, options: OPTIONS });
  const pieces = tokenizer.tokenize(inCase(text, options));
  const kept = fitting(pieces, options.length - 2, options, 'text');
  return filled(tokenizer, [[CLASSIFICATION, ...kept, SEPARATOR]], options.length);
}

/**
 * Fills the inputs of a model that answers questions about a text.
 *
 * @param tokenizer - Of a vocabulary with `[CLS]` and `[SEP]`.
 * @param question - The question, at most 64 pieces.
 * @param context - The text with the answer.
 * @param options - Length of the inputs, and whether longer texts are cut, which they are not by default.
 * @returns Three arrays of int32, as long as the inputs, and the words that they are of.
 * @throws TokenizerError; OptionError; InputError where both together have more pieces than the model accepts, or the
 *   question more than 64.
 */
export function bertQuestionInputs(
  tokenizer: TextTokenizer,
  question: string,
  context: string,
  options: BertInputOptions,
): BertQuestionInputs {
  checkTokenizer(tokenizer);
  const kinds = { question: TEXT, context: TEXT, options: OPTIONS };
  checkArguments('bertQuestionInputs', { question, context, options }, kinds);
  const words = wordsOf(context);
  const questionPieces = tokenizer.tokenize(inCase(question, options));
  const pieces = words.map(({ text }) => tokenizer.tokenize(inCase(text, options)));
  const all = pieces.flat();
  const query = fitting(questionPieces, MAX_QUESTION_PIECES, options, 'question');
  const kept = fitting(all, options.length - query.length - 3, options, 'text with the question');
  const first = query.length + 2;
  const wordOf = new Int32Array(options.length).fill(-1);
  const wordIndices = pieces.flatMap((row, index) => row.map(() => index)).slice(0, kept.length);
  wordOf.set(wordIndices, first);
  const parts = [
    [CLASSIFICATION, ...query, SEPARATOR],
    [...kept, SEPARATOR],
  ];
  return { ...filled(tokenizer, parts, options.length), words, wordOf };
}

function inCase(text: string, { lowercase = true }: BertInputOptions): string {
  return lowercase ? text.replace(/[A-Z]+/gu, (letters) => letters.toLowerCase()) : text;
}

function wordsOf(text: string): Word[] {
  return Array.from(text.matchAll(/[^ ]+/gu), ({ index, 0: word }) => ({ text: word, start: index }));
}

/** The pieces that the model accepts. */
function fitting(
  pieces: readonly string[],
  maxPieces: number,
  { truncate = false }: Pick<BertInputOptions, 'truncate'>,
  what: string,
): readonly string[] {
  if (pieces.length <= maxPieces) return pieces;
  if (truncate) return pieces.slice(0, Math.max(0, maxPieces));
  throw new InputError(
    'TEXT_TOO_LONG',
    `The ${what} has ${pieces.length} pieces, and the model accepts ${Math.max(0, maxPieces)}: cut it, or set the ` +
      'option truncate to leave out what does not fit.',
    { details: { pieces: pieces.length, most: maxPieces } },
  );
}

function filled(tokenizer: TextTokenizer, parts: readonly (readonly string[])[], length: number): BertInputs {
  const [ids, mask, segmentIds] = [new Int32Array(length), new Int32Array(length), new Int32Array(length)];
  let at = 0;
  parts.forEach((part, segment) => {
    for (const piece of part) {
      ids[at] = tokenizer.idOf(piece) ?? tokenizer.unknownId;
      mask[at] = 1;
      segmentIds[at] = segment;
      at++;
    }
  });
  return { ids, mask, segmentIds };
}

/** An input. */
export type BertName = 'ids' | 'mask' | 'segmentIds';

/** The order of models whose metadata names none. */
const BERT_ORDER: readonly BertName[] = ['ids', 'mask', 'segmentIds'];

const NAMES: Readonly<Record<string, BertName>> = { ids: 'ids', mask: 'mask', segment_ids: 'segmentIds' };

/**
 * What each input accepts: by the names in metadata where it has all three.
 *
 * @param inputs - Those of the metadata.
 */
export function bertOrder(inputs: readonly { readonly name?: string | null }[]): readonly BertName[] {
  const named = inputs.map(({ name }) => NAMES[name ?? '']);
  const isNamed = named.length === BERT_ORDER.length && BERT_ORDER.every((name) => named.includes(name));
  return isNamed ? (named as BertName[]) : BERT_ORDER;
}

/** How text is brought to the model's length. */
export type WordInputOptions = Pick<BertInputOptions, 'length' | 'truncate'>;

const START = '<START>';
const PADDING = '<PAD>';

/**
 * Ids of the words of a text: after that of `<START>`, if the vocabulary has it, and before that of `<PAD>`.
 *
 * @param tokenizer - Of words.
 * @param text - The text.
 * @param options - Length of the input, and whether a longer text is cut, which it is not by default.
 * @returns As many int32 numbers as the input has.
 * @throws TokenizerError; OptionError; InputError where the text has more words than the model accepts.
 */
export function wordInputs(tokenizer: TextTokenizer, text: string, options: WordInputOptions): Int32Array {
  checkTokenizer(tokenizer);
  const kinds = { text: TEXT, options: { length: LENGTH, truncate: optional(FLAG) } };
  checkArguments('wordInputs', { text, options }, kinds);
  const words = tokenizer.tokenize(text);
  const start = tokenizer.idOf(START);
  const before = start === undefined ? [] : [start];
  const kept = fitting(words, options.length - before.length, options, 'text');
  const ids = new Int32Array(options.length).fill(tokenizer.idOf(PADDING) ?? 0);
  ids.set([...before, ...kept.map((word) => tokenizer.idOf(word) ?? tokenizer.unknownId)]);
  return ids;
}

/** The range of an answer in the model's inputs. */
export interface AnswerSpan {
  /** Index of the first piece. */
  readonly start: number;
  /** Index of the last piece. */
  readonly end: number;
  /** Sum of both logits, as float32. */
  readonly logit: number;
}

const CANDIDATES = 5;
const MAX_PIECES = 32;

/**
 * @internal Position of the output with the logits of starts: by the names in metadata, else the second of the two.
 *
 * @param outputs - Those of the metadata.
 */
export function startsOutput([first, second]: readonly { readonly name?: string | null }[]): number {
  return first?.name === 'start_logits' || second?.name === 'end_logits' ? 0 : 1;
}

/**
 * The best answers, best first, at most five: of the five best starts and ends those that are in the text and have at
 * most 32 pieces, as TFLite's task library chooses them.
 *
 * @param startLogits - For each position in the inputs.
 * @param endLogits - For each position in the inputs.
 * @param wordOf - Of bertQuestionInputs().
 * @throws OptionError
 */
export function bestAnswers(
  startLogits: ArrayLike<number>,
  endLogits: ArrayLike<number>,
  wordOf: ArrayLike<number>,
): AnswerSpan[] {
  const kinds = { startLogits: NUMBERS, endLogits: NUMBERS, wordOf: NUMBERS };
  checkArguments('bestAnswers', { startLogits, endLogits, wordOf }, kinds);
  const isInText = (index: number) => (wordOf[index] ?? -1) >= 0;
  const ends = best(endLogits).filter(isInText);
  const spans = best(startLogits)
    .filter(isInText)
    .flatMap((start) => ends.map((end) => ({ start, end })))
    .filter(({ start, end }) => end >= start && end - start < MAX_PIECES)
    .map(({ start, end }) => {
      return { start, end, logit: Math.fround((startLogits[start] as number) + (endLogits[end] as number)) };
    });
  return spans.sort((a, b) => b.logit - a.logit).slice(0, CANDIDATES);
}

function best(logits: ArrayLike<number>): number[] {
  const indices = Array.from(logits, (_, index) => index);
  return indices.sort((a, b) => (logits[b] as number) - (logits[a] as number)).slice(0, CANDIDATES);
}
