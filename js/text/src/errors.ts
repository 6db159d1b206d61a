/** Errors of text and tokenizers. */

import { CodedError } from 'tflite-webnn';

/**
 * A vocabulary or tokenizer file is missing, damaged, or says something impossible; or a text is empty, or has more tokens than
 * the model takes.
 */
export class TextError extends CodedError<'TOKENIZER' | 'TEXT_EMPTY' | 'TEXT_TOO_LONG'> {
  override readonly name = 'TextError';
}
