/**
 * From text to the inputs of models.
 *
 * @module tflite-webnn/text
 */

export { openTokenizer, type TextMetadata, tokenizerOf } from './open_tokenizer.js';
/** @internal */
export {
  type AnswerSpan,
  type BertInputOptions,
  type BertInputs,
  type BertName,
  type BertQuestionInputs,
  bertInputs,
  bertOrder,
  bertQuestionInputs,
  bestAnswers,
  startsOutput,
  type Word,
  type WordInputOptions,
  wordInputs,
} from './text_models.js';
export {
  type BertSource,
  checkTokenizer,
  type JsonSource,
  type RegexSource,
  type SentencePieceSource,
  type TextTokenizer,
  TokenizerError,
  type TokenizerSource,
} from './tokenizer.js';
