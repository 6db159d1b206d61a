/** Landmarks: points of faces, hands and bodies, and the regions that they are looked for in. */

import { having, integer, NUMBER, optional, POSITIVE } from 'tflite-webnn/option_schema';
import {
  type ImagePlacement,
  PLACEMENT,
  POINT,
  type Point,
  type Region,
  type Size,
  toImage,
} from '../images/placement.js';
import { BOX } from './detections.js';
import { checkArguments, RESULT, type Result, realValues, sizesOf, wrongShape } from './result.js';
import { type Box, boxRegion, grownRegion, sigmoid } from './unchecked.js';

/** A point: in pixels of the image, or relative to the tensor (0 to 1) where no placement was provided. */
export interface Landmark extends Point {
  /** Depth in the units of x, smaller is nearer; 0 if the model outputs none. */
  readonly z: number;
  /** Probability that the point is visible; 1 if the model outputs none. */
  readonly visibility: number;
}

/** How landmarks are written. */
export interface LandmarkOptions {
  /** Size of the model's input, which the points are in pixels of. */
  readonly inputSize: Size;
  /** Numbers of a point: x, y, z, log-odds of its visibility, and others. Default: 3. */
  readonly numbers?: number;
  /** How many points are requested, from the first. Default: all. */
  readonly count?: number;
  /** Log-odds of each point in each cell, of shape [1, rows, columns, points]: points move to the cells around them. */
  readonly heatmap?: Result;
  /** Of the tensor that the model got: points are then in pixels of the image. */
  readonly placement?: ImagePlacement;
}

/** From a detection to the region that a landmark model sees, in MediaPipe's terms. */
export interface RegionOptions {
  /** In radians, clockwise on the screen, e.g. of {@link rotationBetween}. Default: 0. */
  readonly rotation?: number;
  /** Side of the region, in longer sides of the box. Default: 1. */
  readonly scale?: number;
  /** Shift along the region's own vertical axis, in heights of the box. Default: 0. */
  readonly shiftY?: number;
}

const DEFAULT_NUMBERS = 3;
const [Z, VISIBILITY] = [2, 3];
const TURN = 2 * Math.PI;
// Cells on each side of the point's own cell.
const REACH = 3;
// The point is unchanged if every cell's probability is lower.
const MIN_CERTAINTY = 0.5;

const OPTIONS = {
  inputSize: { width: POSITIVE, height: POSITIVE },
  numbers: optional(integer(2, 64)),
  count: optional(integer(0, 2 ** 24)),
  heatmap: optional(having(RESULT)),
  placement: optional(having(PLACEMENT)),
};
const REGION_OPTIONS = { rotation: optional(NUMBER), scale: optional(NUMBER), shiftY: optional(NUMBER) };

/**
 * Reads landmarks.
 *
 * @param result - Points after each other, in any shape: floats, or quantized integers.
 * @param options - Size of the model's input, and how many numbers a point has, 3 by default.
 * @returns Points relative to the tensor, 0 to 1; with `placement` in pixels of the image. z is in the unit of x.
 * @throws OutputError, OptionError
 */
export function toLandmarks(result: Result, options: LandmarkOptions): Landmark[] {
  checkArguments('toLandmarks', { result, options }, { result: RESULT, options: OPTIONS });
  const { inputSize, numbers = DEFAULT_NUMBERS, heatmap, placement } = options;
  const values = realValues(result);
  const all = values.length / numbers;
  const count = options.count ?? all;
  if (!Number.isInteger(all) || count > all)
    throw wrongShape(result, `of ${options.count ?? 'all'} x ${numbers} numbers`);
  const cells = heatmap && readHeatmap(heatmap, count);
  return Array.from({ length: count }, (_, index) => {
    const at = (number: number) => (number < numbers ? (values[index * numbers + number] as number) : 0);
    const rough = { x: at(0) / inputSize.width, y: at(1) / inputSize.height };
    const point = cells ? refined(rough, index, cells) : rough;
    const visibility = numbers > VISIBILITY ? sigmoid(at(VISIBILITY)) : 1;
    const z = at(Z) / inputSize.width;
    if (!placement) return { ...point, z, visibility };
    return { ...toImage(placement, point), z: z * placement.region.width, visibility };
  });
}

/**
 * The square region around a box, for `imageToTensor()`.
 *
 * @param box - In pixels of the image.
 * @param options - Its rotation in radians, its scale, and a shift. Default: upright, its side the box's longer one.
 * @returns In pixels of the image; it may exceed it.
 * @throws OptionError
 */
export function regionAround(box: Box, options: RegionOptions = {}): Region {
  checkArguments('regionAround', { box, options }, { box: BOX, options: REGION_OPTIONS });
  const { rotation = 0, scale = 1, shiftY = 0 } = options;
  return grownRegion(boxRegion(box, rotation), { scale, shiftY });
}

/**
 * The rotation of a region in which the line between two points has an angle.
 *
 * @param from - Where the line begins, in pixels of the image.
 * @param to - Where it ends, in pixels of the image.
 * @param targetDegrees - The angle, counter-clockwise from the right: 90 is upwards.
 * @returns Radians, clockwise on the screen, from -pi to pi.
 * @throws OptionError
 */
export function rotationBetween(from: Point, to: Point, targetDegrees: number): number {
  const kinds = { from: POINT, to: POINT, targetDegrees: NUMBER };
  checkArguments('rotationBetween', { from, to, targetDegrees }, kinds);
  const turn = (targetDegrees * Math.PI) / 180 - Math.atan2(from.y - to.y, to.x - from.x);
  return turn - TURN * Math.floor((turn + Math.PI) / TURN);
}

interface Heatmap {
  readonly rows: number;
  readonly columns: number;
  readonly points: number;
  readonly values: ArrayLike<number>;
}

function readHeatmap(result: Result, count: number): Heatmap {
  const [rows = 0, columns = 0, points = 0] = sizesOf(result);
  if (points < count || rows * columns * points !== result.data.length) {
    throw wrongShape(result, `[1, rows, columns, ${count} points or more]`);
  }
  return { rows, columns, points, values: realValues(result) };
}

/** Moves a point to the weighted center of the cells around it, as MediaPipe does. */
function refined(point: Point, index: number, { rows, columns, points, values }: Heatmap): Point {
  const [column, row] = [Math.trunc(point.x * columns), Math.trunc(point.y * rows)];
  if (column < 0 || row < 0 || column >= columns || row >= rows) return point;
  let [sum, sumX, sumY, highest] = [0, 0, 0, 0];
  for (let y = Math.max(0, row - REACH); y <= Math.min(rows - 1, row + REACH); y++) {
    for (let x = Math.max(0, column - REACH); x <= Math.min(columns - 1, column + REACH); x++) {
      const certainty = sigmoid(values[(y * columns + x) * points + index] as number);
      sum += certainty;
      sumX += certainty * x;
      sumY += certainty * y;
      highest = Math.max(highest, certainty);
    }
  }
  return highest < MIN_CERTAINTY ? point : { x: sumX / sum / columns, y: sumY / sum / rows };
}
