/** The class of a text, by its words. */

import { type Category, type Result, TOP_K_SCHEMA, type TopKOptions } from '@tflite-webnn/media/results';
import type { TextTokenizer } from '@tflite-webnn/tasks/text';
import type { ModelSource, ShapedValues } from 'tflite-webnn';
import { COUNT, pick } from 'tflite-webnn/option_schema';
import { bestCategories, CATEGORY_KINDS } from './categories.js';
import {
  described,
  type OpenModel,
  type OwnSchema,
  openTask,
  Task,
  type TaskCallOptions,
  type TaskModel,
  TaskModelError,
} from './task.js';
import {
  checkText,
  lengthOf,
  openTextTokenizer,
  TEXT_TASK_OPTIONS,
  type TextTaskOptions,
  textPart,
} from './text_task.js';

/** Which classes a classifier returns, and how it cuts text. */
export interface NLClassifierOptions extends TextTaskOptions, TopKOptions {
  /** Position of the output with the scores. Default: 0. */
  readonly output?: number;
}

// Ids of words, or the text itself.
const UNKNOWN = '<UNKNOWN>';

const KNOWN: OwnSchema<NLClassifierOptions> = { ...TEXT_TASK_OPTIONS, ...TOP_K_SCHEMA, output: COUNT };

/** Finds the class of a text with a model that accepts ids of words, or the text as a string. */
export class NLClassifier extends Task<NLClassifierOptions> {
  readonly #tokenizer: TextTokenizer | null;

  private constructor(opened: OpenModel, options: NLClassifierOptions, tokenizer: TextTokenizer | null) {
    super(opened, options);
    this.#tokenizer = tokenizer;
  }

  /**
   * Creates a classifier.
   *
   * @param model - The model file, as `loadTFLiteModel()` accepts it, or a loaded model of a page or worker.
   * @param options - Tokenizer and labels, if the file has no metadata; limits of the results.
   * @throws TaskModelError where the model accepts no text; TokenizerError; what loadTFLiteModel() throws.
   *
   * @example
   * const classifier = await NLClassifier.create('movie_review.tflite');
   * const [{ label, score }] = await classifier.classify('What a great film!');
   */
  static create(model: ModelSource | TaskModel, options: NLClassifierOptions = {}): Promise<NLClassifier> {
    return openTask(model, options, KNOWN, async (opened) => {
      const [input] = opened.model.inputs;
      if (opened.model.inputs.length === 1 && input?.dtype === 'string') return new NLClassifier(opened, options, null);
      if (opened.model.inputs.length === 1 && input && lengthOf(input) > 0) {
        return new NLClassifier(opened, options, await openTextTokenizer(opened, options, [UNKNOWN]));
      }
      throw new TaskModelError(
        `The model has the inputs ${described(opened.model.inputs)}: it must have one, int32[1, words] or a string.`,
      );
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
      const { output = 0 } = this.options;
      const results = await this.model.run(await this.#input(text), options);
      return bestCategories(results[output] as Result, output, this.metadata, pick(this.options, CATEGORY_KINDS));
    });
  }

  async #input(text: string): Promise<ShapedValues> {
    const { shape } = this.model.inputs[0] as TaskModel['inputs'][number];
    if (this.#tokenizer === null) return { data: [text], shape };
    const { truncate = false } = this.options;
    const { wordInputs } = await textPart();
    return { data: wordInputs(this.#tokenizer, text, { length: shape[1] as number, truncate }), shape };
  }
}
