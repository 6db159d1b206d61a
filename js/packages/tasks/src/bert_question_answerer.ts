/** Finds the answer to a question in a text. */

import { type Result, realValues } from '@tflite-webnn/media/results';
import type { Word } from '@tflite-webnn/tasks/text';
import type { ModelSource } from 'tflite-webnn';
import { FLAG } from 'tflite-webnn/option_schema';
import {
  described,
  type OwnSchema,
  openTask,
  Task,
  type TaskCallOptions,
  type TaskModel,
  TaskModelError,
} from './task.js';
import { checkText, type OpenBert, openBert, TEXT_TASK_OPTIONS, type TextTaskOptions, textPart } from './text_task.js';

/** Options of a {@link BertQuestionAnswerer}. */
export interface BertQuestionAnswererOptions extends Omit<TextTaskOptions, 'labels' | 'locale'> {
  /** Lowercase A to Z. Default: true, as TFLite's task library does. */
  readonly lowercase?: boolean;
}

/** An answer: some words of the text. */
export interface Answer {
  /** The words. */
  readonly text: string;
  /** Position of their first letter in the text. */
  readonly start: number;
  /** Position behind their last letter. */
  readonly end: number;
  /** Higher is better: the sum of two logits. */
  readonly logit: number;
}

const OUTPUT_COUNT = 2;

const KNOWN: OwnSchema<BertQuestionAnswererOptions> = { ...TEXT_TASK_OPTIONS, lowercase: FLAG };

/** Answers questions about a text. */
export class BertQuestionAnswerer extends Task<BertQuestionAnswererOptions> {
  readonly #bert: OpenBert;
  /** Position of the output with the logits of starts. */
  readonly #starts: number;

  private constructor(bert: OpenBert, options: BertQuestionAnswererOptions, starts: number) {
    super(bert.opened, options);
    const { outputs } = this.model;
    if (outputs.length !== OUTPUT_COUNT || outputs.some(({ shape }) => shape.at(-1) !== bert.length)) {
      throw new TaskModelError(
        `The model has the outputs ${described(outputs)}: it must have two with the logits of ${bert.length} ` +
          'positions.',
      );
    }
    this.#bert = bert;
    this.#starts = starts;
  }

  /**
   * Creates a question answerer.
   *
   * @param model - The model file, as `loadTFLiteModel()` accepts it, or a loaded model of a page or worker.
   * @param options - Tokenizer, if the file has no metadata.
   * @throws TaskModelError where the model has not BERT's three inputs and two outputs; TokenizerError; what
   *   loadTFLiteModel() throws.
   *
   * @example
   * const answerer = await BertQuestionAnswerer.create('mobilebert_qa.tflite');
   * const [best] = await answerer.answer('Who made it?', 'TensorFlow Lite was made by Google.');
   */
  static create(
    model: ModelSource | TaskModel,
    options: BertQuestionAnswererOptions = {},
  ): Promise<BertQuestionAnswerer> {
    return openTask(model, options, KNOWN, async (opened) => {
      const { startsOutput } = await textPart();
      const starts = startsOutput(opened.metadata?.outputs ?? []);
      return new BertQuestionAnswerer(await openBert(opened, options), options, starts);
    });
  }

  /**
   * Answers a question.
   *
   * @param question - The question: its first 64 pieces count, with the option truncate.
   * @param text - The text with the answer.
   * @param options - A signal.
   * @returns At most five answers, best first; none where the model finds none.
   * @throws InputError; what run() throws.
   */
  answer(question: string, text: string, options: TaskCallOptions = {}): Promise<Answer[]> {
    return this.inTurn(options, async () => {
      await checkText(question, 'question');
      await checkText(text, 'text');
      const { tokenizer, order, length } = this.#bert;
      const { truncate = false, lowercase = true } = this.options;
      const { bertQuestionInputs, bestAnswers } = await textPart();
      const inputs = bertQuestionInputs(tokenizer, question, text, { truncate, lowercase, length });
      const results = await this.model.run(
        order.map((name) => ({ data: inputs[name], shape: [1, length] })),
        options,
      );
      const [starts, ends] = [results[this.#starts], results[1 - this.#starts]] as [Result, Result];
      const wordAt = (index: number) => inputs.words[inputs.wordOf[index] as number] as Word;
      return bestAnswers(realValues(starts), realValues(ends), inputs.wordOf).map((span) => {
        const [first, last] = [wordAt(span.start), wordAt(span.end)];
        const end = last.start + last.text.length;
        return { text: text.slice(first.start, end), start: first.start, end, logit: span.logit };
      });
    });
  }
}
