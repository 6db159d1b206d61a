/** Pictures in memory, and their conversion to model inputs. */

/** Rows of RGBA bytes, such as ImageData. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8ClampedArray;
}

/** Rows of RGB bytes. */
export interface RgbPixels {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}

/** A model's input values for black and white. */
export interface ValueRange {
  readonly low: number;
  readonly high: number;
}

/** A point in a picture, in pixels. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** A rectangle in a picture, in pixels. */
export interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

const WHITE = 255;

/** Converts pixels to a float input: black becomes `low` and white `high`. */
export function floatTensor(pixels: RgbPixels, { low, high }: ValueRange): Float32Array {
  const step = (high - low) / WHITE;
  return Float32Array.from(pixels.data, (value) => low + value * step);
}

/** Letterboxes pixels into a black square; also returns their place in it. */
export function inSquare(pixels: RgbPixels, size: number): { pixels: RgbPixels; left: number; top: number } {
  const left = Math.floor((size - pixels.width) / 2);
  const top = Math.floor((size - pixels.height) / 2);
  const data = new Uint8Array(size * size * 3);
  for (let row = 0; row < pixels.height; row++) {
    const line = pixels.data.subarray(row * pixels.width * 3, (row + 1) * pixels.width * 3);
    data.set(line, ((top + row) * size + left) * 3);
  }
  return { pixels: { width: size, height: size, data }, left, top };
}
