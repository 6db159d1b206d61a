/** Masks of segmentation, and the class of each pixel as MediaPipe's segmenter interpolates it. */

import type { Size } from '@tflite-webnn/media/images';
import { argmaxMask } from '@tflite-webnn/media/results';
import { OptionError } from 'tflite-webnn';
import type { InstanceOf } from 'tflite-webnn/option_schema';

const MAX_BYTE = 255;

/** A number for each pixel: bytes, or floats from 0 to 1. The other kind is computed when it is requested. */
export class MPMask {
  /** Whether pixels in between are interpolated when the mask is drawn: of confidence, not of classes. */
  readonly interpolateValues: boolean;
  /** Width in pixels. */
  readonly width: number;
  /** Height in pixels. */
  readonly height: number;
  #bytes: Uint8Array | null;
  /** A function computes them when they are read for the first time. */
  #floats: Float32Array | (() => Float32Array) | null;

  /** @internal */
  static of(values: Uint8Array | Float32Array | (() => Float32Array), width: number, height: number): MPMask {
    return new MPMask(values, width, height);
  }

  private constructor(values: Uint8Array | Float32Array | (() => Float32Array), width: number, height: number) {
    this.interpolateValues = !(values instanceof Uint8Array);
    this.width = width;
    this.height = height;
    this.#bytes = values instanceof Uint8Array ? values : null;
    this.#floats = values instanceof Uint8Array ? null : values;
  }

  /** No canvas: the mask is in memory. */
  get canvas(): undefined {
    return undefined;
  }

  /** Whether it has bytes. */
  hasUint8Array(): boolean {
    return this.#bytes !== null;
  }

  /** Whether it has floats. */
  hasFloat32Array(): boolean {
    return this.#floats !== null;
  }

  /** Never: nothing is drawn with WebGL here. */
  hasWebGLTexture(): boolean {
    return false;
  }

  /** The bytes, row by row; of floats 255 times as much. */
  getAsUint8Array(): Uint8Array {
    this.#bytes ??= bytesOf(this.getAsFloat32Array());
    return this.#bytes;
  }

  /** The floats, row by row; of bytes a 255th. */
  getAsFloat32Array(): Float32Array {
    if (typeof this.#floats === 'function') this.#floats = this.#floats();
    this.#floats ??= floatsOf(this.#bytes as Uint8Array);
    return this.#floats;
  }

  /** @throws OptionError always: upload the array of `getAsFloat32Array()` instead. */
  getAsWebGLTexture(): InstanceOf<'WebGLTexture'> {
    throw new OptionError('A mask here is no WebGLTexture: upload the array of getAsFloat32Array().');
  }

  /** A mask with its own copy of the values. */
  clone(): MPMask {
    const values = this.interpolateValues ? this.getAsFloat32Array() : this.getAsUint8Array();
    return new MPMask(values.slice(), this.width, this.height);
  }

  /** Without effect, as in MediaPipe on the CPU: the values are JavaScript's, and remain readable. */
  close(): void {}
}

// Loops: from() with a function takes a hundred times as long.
function bytesOf(floats: Float32Array): Uint8Array {
  const bytes = new Uint8Array(floats.length);
  for (let index = 0; index < bytes.length; index++) bytes[index] = (floats[index] as number) * MAX_BYTE;
  return bytes;
}

function floatsOf(bytes: Uint8Array): Float32Array {
  const floats = new Float32Array(bytes.length);
  for (let index = 0; index < floats.length; index++) floats[index] = (bytes[index] as number) / MAX_BYTE;
  return floats;
}

/** The output of a segmentation model: scores row by row, classes last. */
export interface Scores extends Size {
  readonly values: ArrayLike<number>;
  readonly classes: number;
}

/** Interpolation along one side of the image: the scores around each of its pixels. */
interface Interpolation {
  readonly before: Int32Array;
  readonly after: Int32Array;
  /** From 0 at `before` to 1 at `after`. */
  readonly shares: Float64Array;
}

const [FOREGROUND, BACKGROUND] = [0, 255];

/**
 * The class of each pixel. Scores are interpolated so that the outermost ones lie on the image's edges; the highest
 * wins. Of one class, pixels over a threshold are 0 and others 255.
 *
 * @param threshold - Minimum score of the only class.
 */
export function categoryMask(scores: Scores, size: Size, threshold: number): Uint8Array {
  const { values, classes, width } = scores;
  const nearest =
    classes === 1 ? null : argmaxMask({ data: values, shape: [1, scores.height, width, classes] }).classes;
  const columns = interpolationOf(size.width, width);
  const rows = interpolationOf(size.height, scores.height);
  const mask = new Uint8Array(size.width * size.height);
  for (let row = 0, pixel = 0; row < size.height; row++) {
    const above = (rows.before[row] as number) * width;
    const below = (rows.after[row] as number) * width;
    const down = rows.shares[row] as number;
    for (let column = 0; column < size.width; column++, pixel++) {
      const left = columns.before[column] as number;
      const right = columns.after[column] as number;
      const across = columns.shares[column] as number;
      if (nearest === null) {
        const score = between(values, above + left, above + right, below + left, below + right, across, down);
        mask[pixel] = score > threshold ? FOREGROUND : BACKGROUND;
        continue;
      }
      // Scores are only interpolated where the four scores around the pixel are not of one class: else that one wins.
      const corner = nearest[above + left] as number;
      const isSame =
        nearest[above + right] === corner && nearest[below + left] === corner && nearest[below + right] === corner;
      mask[pixel] = isSame
        ? corner
        : bestBetween(values, classes, above + left, above + right, below + left, below + right, across, down);
    }
  }
  return mask;
}

function interpolationOf(length: number, scores: number): Interpolation {
  const step = length > 1 ? (scores - 1) / (length - 1) : 0;
  const [before, after, shares] = [new Int32Array(length), new Int32Array(length), new Float64Array(length)];
  for (let pixel = 0; pixel < length; pixel++) {
    const first = Math.min(Math.floor(pixel * step), scores - 1);
    before[pixel] = first;
    after[pixel] = Math.min(first + 1, scores - 1);
    shares[pixel] = pixel * step - first;
  }
  return { before, after, shares };
}

/** The class of the highest score between four positions: numbers instead of an object for each pixel. */
function bestBetween(
  values: ArrayLike<number>,
  classes: number,
  upperLeft: number,
  upperRight: number,
  lowerLeft: number,
  lowerRight: number,
  across: number,
  down: number,
): number {
  const a = upperLeft * classes;
  const b = upperRight * classes;
  const c = lowerLeft * classes;
  const d = lowerRight * classes;
  let found = 0;
  let highest = between(values, a, b, c, d, across, down);
  for (let index = 1; index < classes; index++) {
    const score = between(values, a + index, b + index, c + index, d + index, across, down);
    if (score > highest) {
      found = index;
      highest = score;
    }
  }
  return found;
}

function between(
  values: ArrayLike<number>,
  upperLeft: number,
  upperRight: number,
  lowerLeft: number,
  lowerRight: number,
  across: number,
  down: number,
): number {
  const upper = (values[upperLeft] as number) * (1 - across) + (values[upperRight] as number) * across;
  const lower = (values[lowerLeft] as number) * (1 - across) + (values[lowerRight] as number) * across;
  return upper + (lower - upper) * down;
}
