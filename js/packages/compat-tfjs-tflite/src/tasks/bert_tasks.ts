/** The class of a text, and answers to questions about it: tfjs-tflite's BertNLClassifier and BertQuestionAnswerer. */

import {
  type BertName,
  bertInputs,
  bertOrder,
  bertQuestionInputs,
  bestAnswers,
  startsOutput,
} from '@tflite-webnn/tasks/text/text_models';
import type { TextTokenizer } from '@tflite-webnn/tasks/text/tokenizer';
import type { TensorInfo } from 'tflite-webnn';
import { bytesOf } from 'tflite-webnn/dtypes';
import { TaskError } from './task_options.js';
import { type CppCategory, categoriesOf, namesOf, type TextModel } from './text_model.js';

/** Inputs of a model for text. */
interface BertTensors {
  readonly tokenizer: TextTokenizer;
  /** What each input of the model accepts, in its order. */
  readonly order: readonly BertName[];
  /** Of each input. */
  readonly length: number;
}

/** @throws TaskError where the model does not accept the output of the tokenizer. */
function bertTensors(model: TextModel): BertTensors {
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

/** Returns the scores of all classes for a text. */
export class BertNLClassifier {
  readonly #model: TextModel;
  readonly #tensors: BertTensors;

  /** @throws TaskError where the model does not do. */
  constructor(model: TextModel) {
    this.#model = model;
    this.#tensors = bertTensors(model);
  }

  classify(text: string): CppCategory[] {
    const { outputs, metadata } = this.#model;
    if (outputs.length !== 1) {
      const found = `BertNLClassifier models are expected to have only 1 output, found ${outputs.length}`;
      throw new TaskError('outputCount', found);
    }
    const { tokenizer, order, length } = this.#tensors;
    const inputs = bertInputs(tokenizer, text, { length, truncate: true });
    this.#model.run(order.map((name) => bytesOf(inputs[name])));
    return categoriesOf(this.#model, outputs[0] as TensorInfo, namesOf(metadata?.outputs[0]));
  }

  delete(): void {
    this.#model.delete();
  }
}

/** As embind shows the C++ struct. */
export interface CppAnswer {
  readonly text: string;
  /** Positions in the model's inputs. */
  readonly pos: { readonly start: number; readonly end: number; readonly logit: number };
}

/** Answers questions about a text. */
export class BertQuestionAnswerer {
  readonly #model: TextModel;
  readonly #tensors: BertTensors;
  readonly #start: TensorInfo;
  readonly #end: TensorInfo;

  /** @throws TaskError where the model does not do. */
  constructor(model: TextModel) {
    this.#model = model;
    if (!model.metadata?.inputProcessing.tokenizer)
      throw new TaskError('tokenizer', 'No input process unit found from metadata.');
    this.#tensors = bertTensors(model);
    if (model.outputs.length !== 2)
      throw new TaskError('outputCount', `Models that answer questions have 2 outputs, found ${model.outputs.length}`);
    const starts = startsOutput(model.metadata.outputs);
    this.#start = model.outputs[starts] as TensorInfo;
    this.#end = model.outputs[1 - starts] as TensorInfo;
  }

  answer(context: string, question: string): CppAnswer[] {
    const { tokenizer, order, length } = this.#tensors;
    const inputs = bertQuestionInputs(tokenizer, question, context, { length, truncate: true });
    this.#model.run(order.map((name) => bytesOf(inputs[name])));
    const [starts, ends] = [this.#model.values(this.#start), this.#model.values(this.#end)];
    const wordAt = (index: number) => inputs.wordOf[index] as number;
    return bestAnswers(starts, ends, inputs.wordOf).map(({ start, end, logit }) => {
      const words = inputs.words.slice(wordAt(start), wordAt(end) + 1);
      return { text: words.map(({ text }) => text).join(' '), pos: { start, end, logit } };
    });
  }

  delete(): void {
    this.#model.delete();
  }
}
