/** What a text is about, by BERT and its relatives. */

import { type Category, type Result, TOP_K_SCHEMA, type TopKOptions } from '@tflite-webnn/media/results';
import type { ModelSource } from 'tflite-webnn';
import { FLAG, pick } from 'tflite-webnn/option_schema';
import { bestCategories, CATEGORY_KINDS } from './categories.js';
import { type OwnSchema, openTask, Task, type TaskCallOptions, type TaskModel } from './task.js';
import { checkText, type OpenBert, openBert, TEXT_TASK_OPTIONS, type TextTaskOptions, textPart } from './text_task.js';

/** Which classes a classifier returns, and how it cuts text. */
export interface BertNLClassifierOptions extends TextTaskOptions, TopKOptions {
  /** Lowercase A to Z. Default: true, as TFLite's task library does. */
  readonly lowercase?: boolean;
}

const KNOWN: OwnSchema<BertNLClassifierOptions> = {
  ...TEXT_TASK_OPTIONS,
  ...TOP_K_SCHEMA,
  lowercase: FLAG,
};

/** Finds the class of a text. */
export class BertNLClassifier extends Task<BertNLClassifierOptions> {
  readonly #bert: OpenBert;

  private constructor(bert: OpenBert, options: BertNLClassifierOptions) {
    super(bert.opened, options);
    this.#bert = bert;
  }

  /**
   * Creates a classifier.
   *
   * @param model - The model file, as `loadTFLiteModel()` accepts it, or a loaded model of a page or worker.
   * @param options - Tokenizer and labels, if the file has no metadata; limits of the results.
   * @throws TaskModelError where the model has not BERT's three inputs; TokenizerError; what loadTFLiteModel() throws.
   *
   * @example
   * const classifier = await BertNLClassifier.create('mobilebert.tflite', { truncate: true });
   * const [{ label, score }] = await classifier.classify('What a great film!');
   */
  static create(model: ModelSource | TaskModel, options: BertNLClassifierOptions = {}): Promise<BertNLClassifier> {
    return openTask(model, options, KNOWN, async (opened) => {
      return new BertNLClassifier(await openBert(opened, options), options);
    });
  }

  /**
   * Classifies a text.
   *
   * @param text - The text.
   * @param options - A signal.
   * @returns The best classes, best first.
   * @throws InputError; what run() and topK() throw.
   */
  classify(text: string, options: TaskCallOptions = {}): Promise<Category[]> {
    return this.inTurn(options, async () => {
      await checkText(text, 'text');
      const { tokenizer, order, length } = this.#bert;
      const { truncate = false, lowercase = true } = this.options;
      const { bertInputs } = await textPart();
      const inputs = bertInputs(tokenizer, text, { truncate, lowercase, length });
      const [scores] = await this.model.run(
        order.map((name) => ({ data: inputs[name], shape: [1, length] })),
        options,
      );
      return bestCategories(scores as Result, 0, this.metadata, pick(this.options, CATEGORY_KINDS));
    });
  }
}
