/** Errors of tokenizers. */

import { TFLiteWebnnError } from 'tflite-webnn';

/** A vocabulary or tokenizer file is missing, damaged, or says something impossible. */
export class TokenizerError extends TFLiteWebnnError {
  override readonly name = 'TokenizerError';
  override readonly code = 'TOKENIZER';
}
