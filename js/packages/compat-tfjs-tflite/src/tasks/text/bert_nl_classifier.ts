/** What a text is about: tfjs-tflite's BertNLClassifier. */

import { bertInputs } from '@tflite-webnn/tasks/text/bert_inputs';
import type { TensorInfo } from 'tflite-webnn/description';
import { bytesOf } from 'tflite-webnn/dtypes';
import { TaskError } from '../task_error.js';
import { type BertTensors, bertTensors } from './bert_tensors.js';
import { type CppCategory, categoriesOf, namesOf } from './categories.js';
import type { TextModel } from './text_model.js';

/** Answers text with the scores of all classes. */
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
