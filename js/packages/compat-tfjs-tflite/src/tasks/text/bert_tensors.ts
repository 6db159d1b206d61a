/** The three inputs of BERT and of its relatives. */

import { type BertName, bertOrder } from '@tflite-webnn/tasks/text/bert_order';
import type { TextTokenizer } from '@tflite-webnn/tasks/text/tokenizer';
import { TaskError } from '../task_error.js';
import type { TextModel } from './text_model.js';

/** How a model takes text. */
export interface BertTensors {
  readonly tokenizer: TextTokenizer;
  /** What each input of the model takes, in its order. */
  readonly order: readonly BertName[];
  /** Of each input. */
  readonly length: number;
}

/** @throws TaskError where the model does not take what the tokenizer makes. */
export function bertTensors(model: TextModel): BertTensors {
  const count = model.inputs.length;
  if (count < 3) {
    throw new TaskError('error', `Expected at least 3 input tensors (ids, mask, segment ids), found ${count}.`);
  }
  const entry = model.metadata?.inputProcessing.tokenizer;
  if (!entry) throw new TaskError('tokenizer', 'No metadata or input process unit found.');
  const named = model.metadata?.inputs ?? [];
  const order = bertOrder(named.length === count ? named : []);
  return { tokenizer: model.tokenizer(entry), order, length: lengthOf(model) };
}

function lengthOf({ inputs }: TextModel): number {
  const what = 'The three input tensors in Bert models are expected to have';
  const found = (numbers: readonly (number | undefined)[]) => {
    const [ids, mask, segmentIds] = numbers;
    return `but got ids_tensor (${ids}), mask_tensor (${mask}), segment_ids_tensor (${segmentIds}).`;
  };
  const ranks = inputs.map(({ shape }) => shape.length);
  if (ranks.some((rank) => rank !== 2)) throw new TaskError('inputRank', `${what} dim 2, ${found(ranks)}`);
  const batches = inputs.map(({ shape }) => shape[0]);
  if (batches.some((size) => size !== 1))
    throw new TaskError('inputSize', `${what} same batch size 1, ${found(batches)}`);
  const lengths = inputs.map(({ shape }) => shape[1] as number);
  const [length = 0] = lengths;
  if (lengths.some((other) => other !== length))
    throw new TaskError('inputSize', `${what} same length, ${found(lengths)}`);
  if (length < 2) throw new TaskError('inputSize', `bert_max_seq_len_ should be at least 2, got: (${length}).`);
  return length;
}
