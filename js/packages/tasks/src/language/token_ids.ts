/** From text to the ids of a language model, and from integers to its inputs. */

import { type OwnKinds, TEXT_TASK_OPTIONS, type TextTaskOptions } from '@tflite-webnn/tasks';
import type { TextTokenizer } from '@tflite-webnn/tasks/text';
import { InputError, type TypedArray } from 'tflite-webnn';

/** First and last piece of a text: of BERT, of RoBERTa, of Gemma, of T5, which has no first one. */
const ENDS = [
  ['[CLS]', '[SEP]'],
  ['<s>', '</s>'],
  ['<bos>', '<eos>'],
  [undefined, '</s>'],
] as const;

/** What options of all tasks on text have to be that have no labels. */
export function ofText(): OwnKinds<Omit<TextTaskOptions, 'labels' | 'locale'>> {
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

/** Numbers as an array for an input of `dtype`, which has place for `length` of them. */
export function valuesFor(dtype: string, numbers: readonly number[], length = numbers.length): TypedArray {
  const values = dtype === 'float32' ? new Float32Array(length) : new Int32Array(length);
  values.set(numbers);
  return dtype === 'int64' ? BigInt64Array.from(values, BigInt) : values;
}

/** The error of a text that has more tokens than the model takes. */
export function tooLong(what: string, tokens: number, most: number, hint: string): InputError {
  const message = `The ${what} has ${tokens} tokens, and the model takes ${most}: ${hint}.`;
  return new InputError('TEXT_TOO_LONG', message, { details: { tokens, most } });
}
