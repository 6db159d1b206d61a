/** Rotated squares of a picture: inputs of landmark models, and the mapping of their points back to the picture. */

import type { Picture, Point, RgbPixels } from './picture.js';
import { resizePicture } from './resize.js';

// Sampling a region this many times larger than the result would alias: the picture is shrunk first.
const MIN_SHRINKING = 1.5;

/** A square in a picture: centre and side in pixels, rotation in radians, clockwise on the screen. */
export interface Region {
  readonly centre: Point;
  readonly size: number;
  readonly turn: number;
}

/** Transform from a detection to a region, in MediaPipe's terms. */
export interface RegionRule {
  /** Side of the region, in multiples of the detection's longer side. */
  readonly scale: number;
  /** Shift along the region's own vertical axis, in heights of the detection. */
  readonly shiftY: number;
}

/** Rotation that brings the line between two points to `targetDegrees`, counter-clockwise from the right. */
export function turnOf(from: Point, to: Point, targetDegrees: number): number {
  const turn = (targetDegrees * Math.PI) / 180 - Math.atan2(from.y - to.y, to.x - from.x);
  return turn - 2 * Math.PI * Math.floor((turn + Math.PI) / (2 * Math.PI));
}

/** The square around a rectangle. */
export function regionOf(
  centre: Point,
  width: number,
  height: number,
  turn: number,
  { scale, shiftY }: RegionRule,
): Region {
  const shift = height * shiftY;
  return {
    centre: { x: centre.x - shift * Math.sin(turn), y: centre.y + shift * Math.cos(turn) },
    size: Math.max(width, height) * scale,
    turn,
  };
}

/** Maps a point of the region, with coordinates from 0 to 1, to the picture. */
export function placeIn(region: Region, point: Point): Point {
  const { centre, size, turn } = region;
  const x = (point.x - 0.5) * size;
  const y = (point.y - 0.5) * size;
  return {
    x: centre.x + x * Math.cos(turn) - y * Math.sin(turn),
    y: centre.y + x * Math.sin(turn) + y * Math.cos(turn),
  };
}

/** Samples a region into a square with a side of `size` pixels; pixels outside the picture are black. */
export function cutOut(picture: Picture, region: Region, size: number): RgbPixels {
  const factor = region.size / size;
  if (factor >= MIN_SHRINKING) return cutOutOf(shrink(picture, factor), scaled(region, 1 / factor), size);
  return cutOutOf(picture, region, size);
}

function cutOutOf(picture: Picture, region: Region, size: number): RgbPixels {
  const data = new Uint8Array(size * size * 3);
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      const place = placeIn(region, { x: (x + 0.5) / size, y: (y + 0.5) / size });
      writeSample(picture, place.x - 0.5, place.y - 0.5, data, (y * size + x) * 3);
    }
  }
  return { width: size, height: size, data };
}

function shrink(picture: Picture, factor: number): Picture {
  const width = Math.max(1, Math.round(picture.width / factor));
  const height = Math.max(1, Math.round(picture.height / factor));
  const pixels = resizePicture(picture, width, height).data;
  const data = new Uint8ClampedArray(width * height * 4);
  for (let pixel = 0; pixel < width * height; pixel++) {
    data.set(pixels.subarray(pixel * 3, pixel * 3 + 3), pixel * 4);
  }
  return { width, height, data };
}

function scaled({ centre, size, turn }: Region, scale: number): Region {
  return { centre: { x: centre.x * scale, y: centre.y * scale }, size: size * scale, turn };
}

/** Interpolates the colour between four pixels. */
function writeSample(picture: Picture, x: number, y: number, data: Uint8Array, at: number): void {
  const left = Math.floor(x);
  const top = Math.floor(y);
  const right = x - left;
  const down = y - top;
  for (let channel = 0; channel < 3; channel++) {
    const upper = pixel(picture, left, top, channel) * (1 - right) + pixel(picture, left + 1, top, channel) * right;
    const lower =
      pixel(picture, left, top + 1, channel) * (1 - right) + pixel(picture, left + 1, top + 1, channel) * right;
    data[at + channel] = Math.round(upper * (1 - down) + lower * down);
  }
}

function pixel({ width, height, data }: Picture, x: number, y: number, channel: number): number {
  if (x < 0 || y < 0 || x >= width || y >= height) return 0;
  return data[(y * width + x) * 4 + channel] as number;
}
