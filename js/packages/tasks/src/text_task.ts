/** What the tasks on text have in common: a tokenizer, and inputs of type int32. */

import type { TextTokenizer } from '@tflite-webnn/tasks/text';
import { InputError, type TensorInfo } from 'tflite-webnn';
import { FLAG, TEXT } from 'tflite-webnn/option_schema';
import {
  checkArguments,
  described,
  type OpenModel,
  type OwnSchema,
  TASK_OPTIONS,
  TaskModelError,
  type TaskOptions,
} from './task.js';

/** How a task on text loads its model and cuts text. */
export interface TextTaskOptions extends TaskOptions {
  /** Cuts text. Default: what the model's metadata names, or a tokenizer.json that is packed into the model. */
  readonly tokenizer?: TextTokenizer;
  /** Cut a text that is too long, instead of throwing an error. Default: false. */
  readonly truncate?: boolean;
}

/** @internal */
export const TEXT_TASK_OPTIONS: OwnSchema<TextTaskOptions> = {
  ...TASK_OPTIONS,
  // checkTokenizer() looks at its members, with the part that is loaded then.
  tokenizer: ['what openTokenizer() returns', (value) => value !== null],
  truncate: FLAG,
};

/** A model and its tokenizer. */
export interface OpenBert {
  readonly opened: OpenModel;
  readonly tokenizer: TextTokenizer;
  /** What each input of the model accepts, in its order. */
  readonly order: readonly ('ids' | 'mask' | 'segmentIds')[];
  /** Pieces that the model accepts. */
  readonly length: number;
}

/** What cuts text. It is loaded with the first model that needs it: tasks on images do not. */
export const textPart = () => import('@tflite-webnn/tasks/text');

const BERT_INPUTS = 3;
const SPECIAL_PIECES = ['[CLS]', '[SEP]'];

/** @throws TaskModelError, TokenizerError */
export async function openBert(opened: OpenModel, options: TextTaskOptions): Promise<OpenBert> {
  const { inputs } = opened.model;
  const lengths = new Set(inputs.map(lengthOf));
  const [length = 0] = lengths;
  if (inputs.length !== BERT_INPUTS || lengths.size !== 1 || length < SPECIAL_PIECES.length + 1) {
    throw new TaskModelError(
      `The model has the inputs ${described(inputs)}: it must have three of type int32 and of one shape, [1, length].`,
    );
  }
  const tokenizer = await openTextTokenizer(opened, options, SPECIAL_PIECES);
  const { bertOrder } = await textPart();
  return { opened, tokenizer, order: bertOrder(opened.metadata?.inputs ?? []), length };
}

/**
 * @internal The tokenizer of a model, checked for the pieces that the task itself adds.
 *
 * @throws TokenizerError
 */
export async function openTextTokenizer(
  { metadata }: OpenModel,
  options: TextTaskOptions,
  pieces: readonly string[],
): Promise<TextTokenizer> {
  const { tokenizerOf, TokenizerError, ...text } = await textPart();
  const tokenizer: TextTokenizer = options.tokenizer ?? (await tokenizerOf(metadata));
  const checkTokenizer: typeof text.checkTokenizer = text.checkTokenizer;
  checkTokenizer(tokenizer);
  const missing = pieces.filter((piece) => tokenizer.idOf(piece) === undefined);
  if (missing.length === 0) return tokenizer;
  throw new TokenizerError(`The vocabulary lacks ${missing.join(' and ')}: it is another model's.`);
}

/** @internal @throws InputError */
export async function checkText(text: string, what: string): Promise<void> {
  checkArguments('classify', { [what]: text }, { [what]: TEXT });
  if (text.trim() !== '') return;
  throw new InputError('TEXT_EMPTY', `The ${what} is empty: there is nothing to say of it.`);
}

/** Length of an input of type int32 and shape [1, length]; 0 of others. */
export function lengthOf({ dtype, shape }: TensorInfo): number {
  return dtype === 'int32' && shape.length === 2 && shape[0] === 1 ? (shape[1] as number) : 0;
}
