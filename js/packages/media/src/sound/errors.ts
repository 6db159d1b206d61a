/** Errors of sound. */

import { TFLiteWebnnError } from 'tflite-webnn';

/** A sound cannot be decoded, is empty or too long. */
export class SoundError extends TFLiteWebnnError {
  override readonly name = 'SoundError';
  override readonly code = 'SOUND';
}
