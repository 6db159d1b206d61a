/** The class of each pixel of an image, as MediaPipe's segmenter interpolates it. */

import type { Size } from '@tflite-webnn/media/images';
import { argmaxMask } from '@tflite-webnn/media/results';

/** The output of a segmentation model: scores row by row, classes last. */
export interface Scores extends Size {
  readonly values: ArrayLike<number>;
  readonly classes: number;
}

/** Along one side of the image, the scores around each of its pixels. */
interface Places {
  readonly before: Int32Array;
  readonly after: Int32Array;
  /** From 0 at `before` to 1 at `after`. */
  readonly shares: Float64Array;
}

const [FOREGROUND, BACKGROUND] = [0, 255];

/**
 * The class of each pixel. Scores are interpolated so that the outermost ones lie on the image's edges; the highest wins.
 * Of one class, pixels over a threshold are 0 and others 255.
 *
 * @param threshold - Least score of the only class.
 */
export function categoryMask(scores: Scores, size: Size, threshold: number): Uint8Array {
  const { values, classes, width } = scores;
  const nearest =
    classes === 1 ? null : argmaxMask({ data: values, shape: [1, scores.height, width, classes] }).classes;
  const columns = placesOf(size.width, width);
  const rows = placesOf(size.height, scores.height);
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
      // Scores are only interpolated where the four places around the pixel are not of one class: else that one wins.
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

function placesOf(length: number, scores: number): Places {
  const step = length > 1 ? (scores - 1) / (length - 1) : 0;
  const [before, after, shares] = [new Int32Array(length), new Int32Array(length), new Float64Array(length)];
  for (let place = 0; place < length; place++) {
    const first = Math.min(Math.floor(place * step), scores - 1);
    before[place] = first;
    after[place] = Math.min(first + 1, scores - 1);
    shares[place] = place * step - first;
  }
  return { before, after, shares };
}

/** The class of the highest score between four places: numbers instead of an object, which each pixel would make. */
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
  let most = between(values, a, b, c, d, across, down);
  for (let index = 1; index < classes; index++) {
    const score = between(values, a + index, b + index, c + index, d + index, across, down);
    if (score > most) {
      found = index;
      most = score;
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
