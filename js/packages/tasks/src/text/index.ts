/**
 * From text to the inputs of models.
 *
 * @module tflite-webnn/text
 */

export {
  type BertInputOptions,
  type BertInputs,
  type BertQuestionInputs,
  bertInputs,
  bertQuestionInputs,
  type Word,
} from './bert_inputs.js';
export { type AnswerSpan, bestAnswers } from './best_answers.js';
export * from './errors.js';
export { openTokenizer, type TextMetadata, tokenizerOf } from './open_tokenizer.js';
export {
  type BertSource,
  checkTokenizer,
  type JsonSource,
  type RegexSource,
  type SentencePieceSource,
  type TextTokenizer,
  type TokenizerSource,
} from './tokenizer.js';
export { type WordInputOptions, wordInputs } from './word_inputs.js';
