/** Errors of text and tokenizers. */

import { TFLiteWebnnError } from 'tflite-webnn';

/** A vocabulary or tokenizer file is missing, damaged, or says something impossible. */
export class TokenizerError extends TFLiteWebnnError {
  override readonly name = 'TokenizerError';
  override readonly code = 'TOKENIZER';
}

/** The text is empty, or has nothing but white space. */
export class TextEmptyError extends TFLiteWebnnError {
  override readonly name = 'TextEmptyError';
  override readonly code = 'TEXT_EMPTY';
}

/** The text has more tokens than the model takes. */
export class TextTooLongError extends TFLiteWebnnError {
  override readonly name = 'TextTooLongError';
  override readonly code = 'TEXT_TOO_LONG';
}
