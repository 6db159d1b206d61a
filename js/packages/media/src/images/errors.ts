/** Errors of images and of their conversion. */

import { CodedError } from 'tflite-webnn';

/** What is wrong with an image. */
export type ImageCode =
  | 'IMAGE_SOURCE'
  | 'IMAGE_EMPTY'
  | 'IMAGE_DETACHED'
  | 'IMAGE_TAINTED'
  | 'IMAGE_DECODE_FAILED'
  | 'IMAGE_INPUT';

/**
 * An image cannot become an input: it is none, or has no pixels; its pixels are moved or closed, of another origin, or
 * cannot be decoded; or the model's input accepts no image.
 */
export class ImageError extends CodedError<ImageCode> {
  override readonly name = 'ImageError';
}
