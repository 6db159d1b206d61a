/** Errors that only Python sees. Python finds its class for each by its `name`. */

import { TFLiteWebnnError } from 'tflite-webnn/errors';

/** An unknown option of the delegate, or an invalid value. */
export class DelegateOptionError extends TFLiteWebnnError {
  override readonly name = 'DelegateOptionError';
  override readonly code = 'DELEGATE_OPTION';
}
