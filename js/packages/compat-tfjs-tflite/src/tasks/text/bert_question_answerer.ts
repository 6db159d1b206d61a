/** Where in a text the answer to a question is: tfjs-tflite's BertQuestionAnswerer. */

import { bertQuestionInputs } from '@tflite-webnn/tasks/text/bert_inputs';
import { bestAnswers } from '@tflite-webnn/tasks/text/best_answers';
import type { TensorInfo } from 'tflite-webnn/description';
import { bytesOf } from 'tflite-webnn/dtypes';
import { TaskError } from '../task_error.js';
import { type BertTensors, bertTensors } from './bert_tensors.js';
import type { TextModel } from './text_model.js';

/** As embind shows the C++ struct. */
export interface CppAnswer {
  readonly text: string;
  /** Places in the model's inputs. */
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
    const [end, start] = orderOf(model);
    this.#end = end;
    this.#start = start;
  }

  answer(context: string, question: string): CppAnswer[] {
    const { tokenizer, order, length } = this.#tensors;
    const inputs = bertQuestionInputs(tokenizer, question, context, { length, truncate: true });
    this.#model.run(order.map((name) => bytesOf(inputs[name])));
    const [starts, ends] = [this.#model.values(this.#start), this.#model.values(this.#end)];
    const wordAt = (place: number) => inputs.wordOf[place] as number;
    return bestAnswers(starts, ends, inputs.wordOf).map(({ start, end, logit }) => {
      const words = inputs.words.slice(wordAt(start), wordAt(end) + 1);
      return { text: words.map(({ text }) => text).join(' '), pos: { start, end, logit } };
    });
  }

  delete(): void {
    this.#model.delete();
  }
}

/** By their names in metadata; else the ends come first. */
function orderOf({ outputs, metadata }: TextModel): [end: TensorInfo, start: TensorInfo] {
  const position = metadata?.outputs.findIndex(({ name }) => name === 'end_logits') ?? 0;
  return (position === 1 ? outputs.toReversed() : outputs) as [TensorInfo, TensorInfo];
}
