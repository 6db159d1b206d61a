/** Images of any kind: what an open one has, and why one cannot be an input. */

import { CodedError } from 'tflite-webnn';
import type { InstanceOf } from 'tflite-webnn/option_schema';
import type { Size } from './placement.js';

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

/** Bytes of pixels. */
export type PixelBytes = Uint8Array | Uint8ClampedArray;

/** Pixels in memory, such as ImageData, or the raw output of a decoder: rows of 1, 3 or 4 bytes for each pixel. */
export interface PixelData {
  /** The bytes: grey, RGB or RGBA, of which alpha is not premultiplied. */
  readonly data: PixelBytes;
  /** Pixels in a row. */
  readonly width: number;
  /** Rows. */
  readonly height: number;
}

/** What a page draws: an image, video, canvas, bitmap or frame. Node has none of these. */
type Drawable = InstanceOf<
  'HTMLImageElement' | 'HTMLVideoElement' | 'HTMLCanvasElement' | 'OffscreenCanvas' | 'ImageBitmap' | 'VideoFrame'
>;

/** An image. A Blob is an encoded one, e.g. a file; an image that is still loading is waited for. */
export type ImageSource = Drawable | PixelData | Blob;

/** Pixels that are known to be complete: all of an image, or a part of it. */
export interface Pixels extends PixelData {
  readonly channels: number;
}

/** The part that has been read; it may be larger than requested. */
export interface PixelPart {
  readonly pixels: Pixels;
  readonly left: number;
  readonly top: number;
}

/** A part of an image, in integer pixels. */
export interface Box extends Size {
  readonly left: number;
  readonly top: number;
}

/** An image whose size is known. Only the part that is needed is read. */
export interface OpenImage extends Size {
  read(box: Box): PixelPart;
  close?(): void;
}
