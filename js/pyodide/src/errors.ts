/** Errors of what only Python uses. Python finds its own class for each by its `name`. */

import { TFLiteWebnnError } from '../../runtime/src/internals.js';

/** An option of the delegate that is not there, or a value that it cannot have. */
export class DelegateOptionError extends TFLiteWebnnError {
  override readonly name = 'DelegateOptionError';

  constructor(message: string) {
    super('DELEGATE_OPTION', message);
  }
}
