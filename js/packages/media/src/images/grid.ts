/** Which pixels of an image a tensor needs, and where its own pixels lie among them. */

import type { Dimensions } from './image_input.js';
import type { Box, PixelPart, Pixels } from './image_source.js';
import { resizeAntialiased } from './pillow.js';
import { type ImagePlacement, type Size, toImage } from './placement.js';
import type { Grid } from './sampling.js';

/** Pixels, and a tensor's grid on them. */
export interface Gridded {
  readonly pixels: Pixels;
  readonly grid: Grid;
}

const CORNERS = [
  { x: 0, y: 0 },
  { x: 1, y: 0 },
  { x: 0, y: 1 },
  { x: 1, y: 1 },
];
const COLORS = 3;
// Sampling a rotated region of lesser scale skips too few pixels to matter.
const MIN_SHRINKING = 1.5;

/** The part of the image in which a region and the reach of the filter lie, at least one pixel. */
export function boxOf(placement: ImagePlacement, tensor: Size): Box {
  const corners = CORNERS.map((corner) => toImage(placement, corner));
  const { image, region } = placement;
  const reach = 1 + Math.ceil(Math.max(region.width / tensor.width, region.height / tensor.height));
  const x = span(
    corners.map((corner) => corner.x),
    reach,
    image.width,
  );
  const y = span(
    corners.map((corner) => corner.y),
    reach,
    image.height,
  );
  return { left: x.start, top: y.start, width: x.length, height: y.length };
}

function span(coordinates: readonly number[], reach: number, size: number) {
  const start = Math.min(Math.max(0, Math.floor(Math.min(...coordinates)) - reach), size - 1);
  const end = Math.max(Math.min(size, Math.ceil(Math.max(...coordinates)) + reach), start + 1);
  return { start, length: end - start };
}

/** The grid of a tensor on the part that has been read. */
export function gridOf(placement: ImagePlacement, tensor: Size, part: PixelPart, hasHalfPixels: boolean): Grid {
  const { width, height, rotation } = placement.region;
  const [cos, sin] = [Math.cos(rotation), Math.sin(rotation)];
  const [stepX, stepY] = [width / tensor.width, height / tensor.height];
  const [xx, xy, yx, yy] = [stepX * cos, -stepY * sin, stepX * sin, stepY * cos];
  const corner = toImage(placement, { x: 0, y: 0 });
  const [left, top] = [corner.x - part.left, corner.y - part.top];
  if (hasHalfPixels) return { left, top, xx, xy, yx, yy };
  // The first pixel's center is at half a pixel of the image, instead of half one of the tensor.
  return { left: left + (1 - xx - xy) / 2, top: top + (1 - yx - yy) / 2, xx, xy, yx, yy };
}

/** Shrinks pixels to the tensor's scale, so that interpolation skips none. */
export function shrink(pixels: Pixels, grid: Grid, tensor: Dimensions): Gridded {
  // Nothing needs alpha but a tensor of four channels.
  const channels = Math.min(pixels.channels, Math.max(COLORS, tensor.channels));
  const isUpright = grid.xy === 0 && grid.yx === 0;
  return isUpright ? shrinkToTensor(pixels, grid, tensor, channels) : shrinkAll(pixels, grid, channels);
}

/** To the tensor's own pixels. */
function shrinkToTensor(pixels: Pixels, { left, top, xx, yy }: Grid, tensor: Size, channels: number): Gridded {
  const columns = inside(left, xx, pixels.width, tensor.width);
  const rows = inside(top, yy, pixels.height, tensor.height);
  const [width, height] = [columns.end - columns.start, rows.end - rows.start];
  const isSeen = width > 0 && height > 0;
  const resized = isSeen ? resizeAntialiased(pixels, columns, rows, { width, height, channels }) : pixels;
  return { pixels: resized, grid: { left: -columns.start, top: -rows.start, xx: 1, xy: 0, yx: 0, yy: 1 } };
}

/** The tensor's pixels whose centers lie in the source, and the part of the source that they cover. */
function inside(origin: number, step: number, sourceSize: number, size: number) {
  const start = Math.max(0, Math.ceil(-origin / step - 0.5));
  const end = Math.min(size, Math.ceil((sourceSize - origin) / step - 0.5));
  return { start, end, from: Math.max(0, origin + start * step), to: Math.min(sourceSize, origin + end * step) };
}

function shrinkAll(pixels: Pixels, grid: Grid, channels: number): Gridded {
  const scale = Math.min(Math.hypot(grid.xx, grid.yx), Math.hypot(grid.xy, grid.yy));
  if (scale < MIN_SHRINKING) return { pixels, grid };
  const width = Math.max(1, Math.round(pixels.width / scale));
  const height = Math.max(1, Math.round(pixels.height / scale));
  const [x, y] = [width / pixels.width, height / pixels.height];
  const all = [
    { from: 0, to: pixels.width },
    { from: 0, to: pixels.height },
  ] as const;
  return {
    pixels: resizeAntialiased(pixels, ...all, { width, height, channels }),
    grid: {
      left: grid.left * x,
      top: grid.top * y,
      xx: grid.xx * x,
      xy: grid.xy * x,
      yx: grid.yx * y,
      yy: grid.yy * y,
    },
  };
}
