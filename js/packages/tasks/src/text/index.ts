/**
 * From text to the inputs of models.
 *
 * @module tflite-webnn/text
 */

export { openTokenizer, type TextMetadata, tokenizerOf } from './open_tokenizer.js';
export {
  type AnswerSpan,
  type BertInputOptions,
  type BertInputs,
  type BertQuestionInputs,
  bertInputs,
  bertQuestionInputs,
  bestAnswers,
  checkTokenizer,
  type Word,
  type WordInputOptions,
  wordInputs,
} from './text_models.js';
export {
  type BertSource,
  type JsonSource,
  type RegexSource,
  type SentencePieceSource,
  type TextTokenizer,
  TokenizerError,
  type TokenizerSource,
} from './tokenizer.js';

// Not for users: other entries of the package share it.

/** @internal */
export { bertOrder, startsOutput } from './text_models.js';
/** @internal */
export { byteLetters } from './tokenizers/byte_letters.js';
