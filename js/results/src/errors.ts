/** Errors of reading results. */

import { TFLiteWebnnError } from 'tflite-webnn';

/** A result has another shape or element type than what reads it expects. */
export class ResultShapeError extends TFLiteWebnnError {
  override readonly name = 'ResultShapeError';
  override readonly code = 'RESULT_SHAPE';
}

/** There are more or fewer labels than classes. */
export class LabelCountError extends TFLiteWebnnError {
  override readonly name = 'LabelCountError';
  override readonly code = 'LABEL_COUNT';
}
