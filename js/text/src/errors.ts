/** Errors of text and tokenizers. */

import { type ErrorContext, TFLiteWebnnError } from 'tflite-webnn';

/** A vocabulary or tokenizer file is missing, damaged, or says something impossible. */
export class TokenizerError extends TFLiteWebnnError {
  override readonly name = 'TokenizerError';

  /** @internal */
  constructor(message: string, context: ErrorContext = {}) {
    super('TOKENIZER', message, context);
  }
}

/** The text is empty, or has nothing but white space. */
export class TextEmptyError extends TFLiteWebnnError {
  override readonly name = 'TextEmptyError';

  /** @internal */
  constructor(message: string, context: ErrorContext = {}) {
    super('TEXT_EMPTY', message, context);
  }
}

/** The text has more tokens than the model takes. */
export class TextTooLongError extends TFLiteWebnnError {
  override readonly name = 'TextTooLongError';

  /** @internal */
  constructor(message: string, context: ErrorContext = {}) {
    super('TEXT_TOO_LONG', message, context);
  }
}
