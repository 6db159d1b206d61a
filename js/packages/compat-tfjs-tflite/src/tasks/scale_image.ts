/**
 * Resizes images as tfjs-tflite's module does: by libyuv's bilinear filter in fixed-point numbers, whose scores a page
 * may rely on. Its blend of two columns loses up to one part in 128.
 */

const ONE = 1 << 16;
const CHANNELS = 3;
const PIXEL_BYTES = 4;

/** Where the samples of an axis are: the first one and the step, in 65536ths of a source pixel. */
interface Axis {
  readonly first: number;
  readonly step: number;
}

type Filter = 'bilinear' | 'linear' | 'none';

/** Rows of RGB, one after the other. */
type Rows = { readonly width: number; readonly height: number; readonly pixels: Uint8Array };

/**
 * Resizes an image.
 *
 * @param rgba - Four bytes a pixel, of which the last one is ignored.
 * @returns Three bytes a pixel.
 */
export function scaleImage(
  rgba: Uint8Array,
  width: number,
  height: number,
  toWidth: number,
  toHeight: number,
): Uint8Array {
  const source = { width, height, pixels: rgbOf(rgba) };
  if (width === toWidth && height === toHeight) return source.pixels;
  const filter = filterFor(width, height, toWidth, toHeight);
  const x = axisFor(width, toWidth, filter === 'none' ? 'none' : 'bilinear');
  const y = axisFor(height, toHeight, filter === 'bilinear' ? 'bilinear' : 'none');
  const isInteger = x.step % ONE === 0 && y.step % ONE === 0;
  const isEven = isInteger && x.step % (2 * ONE) === 0 && y.step % (2 * ONE) === 0;
  const target = { width: toWidth, height: toHeight, pixels: new Uint8Array(toWidth * toHeight * CHANNELS) };
  if (isEven && filter === 'bilinear') averageFours(source, target, x, y);
  else if (filter === 'none' || (isInteger && (x.step / ONE) % 2 === 1 && (y.step / ONE) % 2 === 1))
    pick(source, target, x, y);
  else blend(source, target, x, y, filter === 'bilinear');
  return target.pixels;
}

function rgbOf(rgba: Uint8Array): Uint8Array {
  const pixels = new Uint8Array((rgba.length / PIXEL_BYTES) * CHANNELS);
  for (let from = 0, to = 0; from < rgba.length; from += PIXEL_BYTES, to += CHANNELS) {
    pixels[to] = rgba[from] as number;
    pixels[to + 1] = rgba[from + 1] as number;
    pixels[to + 2] = rgba[from + 2] as number;
  }
  return pixels;
}

/** An unchanged size, or a third of it, needs no blending. */
function filterFor(width: number, height: number, toWidth: number, toHeight: number): Filter {
  if (width === 1) return 'none';
  const keepsRows = height === 1 || toHeight === height || toHeight * 3 === height;
  if (!keepsRows) return 'bilinear';
  return toWidth === width || toWidth * 3 === width ? 'none' : 'linear';
}

/** Samples are at the centers of their pixels where the image shrinks, and reach from edge to edge where it grows. */
function axisFor(size: number, toSize: number, filter: Filter): Axis {
  if (filter === 'none') {
    const step = Math.floor((size * ONE) / toSize);
    return { first: step >> 1, step };
  }
  if (toSize <= size) {
    const step = Math.floor((size * ONE) / toSize);
    return { first: (step >> 1) - ONE / 2, step };
  }
  return { first: 0, step: toSize > 1 && size > 1 ? Math.floor((size * ONE - ONE - 1) / (toSize - 1)) : 0 };
}

function pick(source: Rows, target: Rows, x: Axis, y: Axis): void {
  for (let row = 0, to = 0; row < target.height; row++) {
    const start = ((y.first + row * y.step) >> 16) * source.width;
    for (let column = 0; column < target.width; column++, to += CHANNELS) {
      const from = (start + ((x.first + column * x.step) >> 16)) * CHANNELS;
      target.pixels.set(source.pixels.subarray(from, from + CHANNELS), to);
    }
  }
}

/** Steps of 2, 4, 6, ...: of each square the four pixels in the middle. */
function averageFours({ width, pixels }: Rows, target: Rows, x: Axis, y: Axis): void {
  const down = width * CHANNELS;
  for (let row = 0, to = 0; row < target.height; row++) {
    const start = ((y.first + row * y.step) >> 16) * width;
    for (let column = 0; column < target.width; column++) {
      const from = (start + ((x.first + column * x.step) >> 16)) * CHANNELS;
      for (let channel = 0; channel < CHANNELS; channel++, to++) {
        const at = from + channel;
        const upper = (pixels[at] as number) + (pixels[at + CHANNELS] as number);
        const lower = (pixels[at + down] as number) + (pixels[at + down + CHANNELS] as number);
        target.pixels[to] = (upper + lower + 2) >> 2;
      }
    }
  }
}

/** Rounding is not the same in either order: rows first where the image shrinks, columns first where it grows. */
function blend(source: Rows, target: Rows, x: Axis, y: Axis, blendsRows: boolean): void {
  const last = (source.height - 1) * ONE;
  const isIdentity = x.step === ONE && x.first === 0;
  const columnsOf = (row: Uint8Array) => (isIdentity ? row : blendColumns(row, target.width, x));
  const rowOf = (row: number) => {
    const start = Math.min(row, source.height - 1) * source.width * CHANNELS;
    return source.pixels.subarray(start, start + source.width * CHANNELS);
  };
  for (let row = 0; row < target.height; row++) {
    const at = Math.min(y.first + row * y.step, last);
    const [upper, lower] = [rowOf(at >> 16), rowOf((at >> 16) + 1)];
    const fraction = blendsRows ? (at >> 8) & 255 : 0;
    const pixels =
      y.step < ONE
        ? blendRows(columnsOf(upper), columnsOf(lower), fraction)
        : columnsOf(blendRows(upper, lower, fraction));
    target.pixels.set(pixels, row * target.width * CHANNELS);
  }
}

function blendRows(upper: Uint8Array, lower: Uint8Array, fraction: number): Uint8Array {
  if (fraction === 0) return upper;
  return upper.map((value, index) => (value * (256 - fraction) + (lower[index] as number) * fraction + 128) >> 8);
}

function blendColumns(row: Uint8Array, width: number, { first, step }: Axis): Uint8Array {
  const blended = new Uint8Array(width * CHANNELS);
  for (let column = 0, to = 0; column < width; column++) {
    const at = first + column * step;
    const fraction = (at >> 9) & 127;
    const from = (at >> 16) * CHANNELS;
    for (let channel = from; channel < from + CHANNELS; channel++, to++) {
      const [left, right] = [row[channel] as number, (row[channel + CHANNELS] ?? 0) as number];
      blended[to] = (left * (127 - fraction) + right * fraction) >> 7;
    }
  }
  return blended;
}
