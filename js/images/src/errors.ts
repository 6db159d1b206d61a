/** Errors of pictures and of their conversion. */

import { TFLiteWebnnError } from 'tflite-webnn';

/** What is given as a picture is none, e.g. pixels of another length than width and height say. */
export class ImageSourceError extends TFLiteWebnnError {
  override readonly name = 'ImageSourceError';
  override readonly code = 'IMAGE_SOURCE';
}

/** The picture has no pixels: a width or height of 0. */
export class ImageEmptyError extends TFLiteWebnnError {
  override readonly name = 'ImageEmptyError';
  override readonly code = 'IMAGE_EMPTY';
}

/** The pixels have been moved to another thread, or closed. */
export class ImageDetachedError extends TFLiteWebnnError {
  override readonly name = 'ImageDetachedError';
  override readonly code = 'IMAGE_DETACHED';
}

/** The picture is from another origin, which does not let this page read its pixels. */
export class ImageTaintedError extends TFLiteWebnnError {
  override readonly name = 'ImageTaintedError';
  override readonly code = 'IMAGE_TAINTED';
}

/** The picture cannot be decoded: an unknown format, a damaged file, or no decoder (Node). */
export class ImageDecodeError extends TFLiteWebnnError {
  override readonly name = 'ImageDecodeError';
  override readonly code = 'IMAGE_DECODE_FAILED';
}

/** The model's input does not take a picture: other dimensions, channels or element type. */
export class ImageInputError extends TFLiteWebnnError {
  override readonly name = 'ImageInputError';
  override readonly code = 'IMAGE_INPUT';
}
