/** Errors of pictures and of their conversion. */

import { type ErrorContext, TFLiteWebnnError } from 'tflite-webnn';

/** What is given as a picture is none, e.g. pixels of another length than width and height say. */
export class ImageSourceError extends TFLiteWebnnError {
  override readonly name = 'ImageSourceError';

  /** @internal */
  constructor(message: string, context: ErrorContext = {}) {
    super('IMAGE_SOURCE', message, context);
  }
}

/** The picture has no pixels: a width or height of 0. */
export class ImageEmptyError extends TFLiteWebnnError {
  override readonly name = 'ImageEmptyError';

  /** @internal */
  constructor(message: string, context: ErrorContext = {}) {
    super('IMAGE_EMPTY', message, context);
  }
}

/** The pixels have been moved to another thread, or closed. */
export class ImageDetachedError extends TFLiteWebnnError {
  override readonly name = 'ImageDetachedError';

  /** @internal */
  constructor(message: string, context: ErrorContext = {}) {
    super('IMAGE_DETACHED', message, context);
  }
}

/** The picture is from another origin, which does not let this page read its pixels. */
export class ImageTaintedError extends TFLiteWebnnError {
  override readonly name = 'ImageTaintedError';

  /** @internal */
  constructor(message: string, context: ErrorContext = {}) {
    super('IMAGE_TAINTED', message, context);
  }
}

/** The picture cannot be decoded: an unknown format, a damaged file, or no decoder (Node). */
export class ImageDecodeError extends TFLiteWebnnError {
  override readonly name = 'ImageDecodeError';

  /** @internal */
  constructor(message: string, context: ErrorContext = {}) {
    super('IMAGE_DECODE_FAILED', message, context);
  }
}

/** The model's input does not take a picture: other dimensions, channels or element type. */
export class ImageInputError extends TFLiteWebnnError {
  override readonly name = 'ImageInputError';

  /** @internal */
  constructor(message: string, context: ErrorContext = {}) {
    super('IMAGE_INPUT', message, context);
  }
}

/** An option of the conversion is wrong or missing, e.g. a normalization that is NaN. */
export class ImageOptionError extends TFLiteWebnnError {
  override readonly name = 'ImageOptionError';

  /** @internal */
  constructor(message: string, context: ErrorContext = {}) {
    super('IMAGE_OPTION', message, context);
  }
}
