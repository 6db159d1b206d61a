/** From text to the input of classifiers with a vocabulary of words, as TFLite's task library fills it. */

import { checkArguments } from 'tflite-webnn';
import { FLAG, optional, TEXT } from 'tflite-webnn/argument_kinds';
import { type BertInputOptions, fitting, LENGTH } from './bert_inputs.js';
import { checkTokenizer, type TextTokenizer } from './tokenizer.js';

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
 * @throws TokenizerError; OptionError; InputError where the text has more words than the model takes.
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
