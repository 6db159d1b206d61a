/** The class of each pixel of a picture, as MediaPipe's segmenter interpolates it. */

import type { Size } from 'tflite-webnn/image';

/** The output of a segmentation model: scores row by row, classes last. */
export interface Scores extends Size {
  readonly values: ArrayLike<number>;
  readonly classes: number;
}

/** One row or column of the picture between two of the scores. */
interface Place {
  readonly before: number;
  readonly after: number;
  /** From 0 at `before` to 1 at `after`. */
  readonly share: number;
}

const [FOREGROUND, BACKGROUND] = [0, 255];

/**
 * The class of each pixel. Scores are interpolated so that the outermost ones lie on the picture's edges; the highest wins.
 * Of one class, pixels over a threshold are 0 and others 255.
 *
 * @param threshold - Least score of the only class.
 */
export function categoryMask(scores: Scores, size: Size, threshold: number): Uint8Array {
  const nearest = scores.classes === 1 ? null : bestClasses(scores);
  const columns = places(size.width, scores.width);
  const mask = new Uint8Array(size.width * size.height);
  let pixel = 0;
  for (const row of places(size.height, scores.height)) {
    for (const column of columns) {
      mask[pixel++] = nearest
        ? classAt(scores, nearest, row, column)
        : scoreAt(scores, row, column, 0) > threshold
          ? FOREGROUND
          : BACKGROUND;
    }
  }
  return mask;
}

function places(length: number, scores: number): Place[] {
  const step = length > 1 ? (scores - 1) / (length - 1) : 0;
  return Array.from({ length }, (_, place) => {
    const before = Math.min(Math.floor(place * step), scores - 1);
    return { before, after: Math.min(before + 1, scores - 1), share: place * step - before };
  });
}

/** The best class of each place of the scores. */
function bestClasses({ values, classes, width, height }: Scores): Uint8Array {
  const best = new Uint8Array(width * height);
  for (let place = 0; place < best.length; place++) {
    const start = place * classes;
    let found = 0;
    for (let index = 1; index < classes; index++) {
      if ((values[start + index] as number) > (values[start + found] as number)) found = index;
    }
    best[place] = found;
  }
  return best;
}

/** Scores are only interpolated where the four places around the pixel are not of one class: else that one wins. */
function classAt(scores: Scores, best: Uint8Array, row: Place, column: Place): number {
  const [above, below] = [row.before * scores.width, row.after * scores.width];
  const corner = best[above + column.before] as number;
  const isSame =
    best[above + column.after] === corner &&
    best[below + column.before] === corner &&
    best[below + column.after] === corner;
  if (isSame) return corner;
  let [found, most] = [0, scoreAt(scores, row, column, 0)];
  for (let index = 1; index < scores.classes; index++) {
    const score = scoreAt(scores, row, column, index);
    if (score > most) [found, most] = [index, score];
  }
  return found;
}

function scoreAt({ values, classes, width }: Scores, row: Place, column: Place, index: number): number {
  const at = (y: number, x: number) => values[(y * width + x) * classes + index] as number;
  const upper = at(row.before, column.before) * (1 - column.share) + at(row.before, column.after) * column.share;
  const lower = at(row.after, column.before) * (1 - column.share) + at(row.after, column.after) * column.share;
  return upper + (lower - upper) * row.share;
}
