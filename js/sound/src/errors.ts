/** Errors of sound. */

import { type ErrorContext, TFLiteWebnnError } from 'tflite-webnn';

/** A sound cannot be decoded, is empty or too long. */
export class SoundError extends TFLiteWebnnError {
  override readonly name = 'SoundError';

  /** @internal */
  constructor(message: string, context: ErrorContext = {}) {
    super('SOUND', message, context);
  }
}

/** An option is out of its range. */
export class SoundOptionError extends TFLiteWebnnError {
  override readonly name = 'SoundOptionError';

  /** @internal */
  constructor(message: string, context: ErrorContext = {}) {
    super('SOUND_OPTION', message, context);
  }
}
