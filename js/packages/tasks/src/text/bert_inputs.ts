/** From text to the inputs of BERT and of its relatives, as TFLite's task library fills them. */

import { checkArguments, InputError } from 'tflite-webnn';
import { FLAG, integer, optional, TEXT } from 'tflite-webnn/argument_kinds';
import { checkTokenizer, type TextTokenizer } from './tokenizer.js';

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
  /** For each place in `ids`, which word it is of; -1 for others. */
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
  /** Leave out what is too much of the text, instead of throwing an error. Default: false. */
  readonly truncate?: boolean;
  /** Make letters from A to Z small. Default: true, as TFLite's task library does. */
  readonly lowercase?: boolean;
}

/** A question's pieces that count; the task library leaves out the others. */
const MAX_QUESTION_PIECES = 64;

/** @internal Longer inputs have no model. */
export const LENGTH = integer(0, 2 ** 24);
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
 * @throws TokenizerError; OptionError; InputError where the text has more pieces than the model takes.
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
 * @throws TokenizerError; OptionError; InputError where both together have more pieces than the model takes, or the question more than 64.
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
  const asked = tokenizer.tokenize(inCase(question, options));
  const pieces = words.map(({ text }) => tokenizer.tokenize(inCase(text, options)));
  const all = pieces.flat();
  const query = fitting(asked, MAX_QUESTION_PIECES, options, 'question');
  const kept = fitting(all, options.length - query.length - 3, options, 'text with the question');
  const first = query.length + 2;
  const wordOf = new Int32Array(options.length).fill(-1);
  const places = pieces.flatMap((row, index) => row.map(() => index)).slice(0, kept.length);
  wordOf.set(places, first);
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

/** @internal The pieces that the model takes. */
export function fitting(
  pieces: readonly string[],
  most: number,
  { truncate = false }: Pick<BertInputOptions, 'truncate'>,
  what: string,
): readonly string[] {
  if (pieces.length <= most) return pieces;
  if (truncate) return pieces.slice(0, Math.max(0, most));
  throw new InputError(
    'TEXT_TOO_LONG',
    `The ${what} has ${pieces.length} pieces, and the model takes ${Math.max(0, most)}: cut it, or give the option ` +
      'truncate to leave out what does not fit.',
    { details: { pieces: pieces.length, most } },
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
