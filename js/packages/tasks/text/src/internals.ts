/** What the drop-in for tfjs-tflite takes: its calls cannot wait for a library to be loaded. */

export { bertInputs, bertQuestionInputs } from './bert_inputs.js';
export { type BertName, bertOrder } from './bert_order.js';
export { bestAnswers } from './best_answers.js';
export { sourceOfEntry } from './open_tokenizer.js';
export type { TextTokenizer } from './tokenizer.js';
export { bertTokenizer } from './tokenizers/bert.js';
export { regexTokenizer } from './tokenizers/regex.js';
export { sentencePieceTokenizer } from './tokenizers/sentence_piece.js';
export { wordInputs } from './word_inputs.js';
