/** Which part of an image a tensor shows, and the mapping from points of the tensor back to the image. */

import { checkArguments } from 'tflite-webnn';
import { having, integer, NUMBER, optional } from 'tflite-webnn/option_schema';

/** A point: in pixels of an image, or relative to a tensor, where 0 is the left or upper edge and 1 the opposite. */
export interface Point {
  /** Distance from the left edge. */
  readonly x: number;
  /** Distance from the upper edge. */
  readonly y: number;
}

/** Width and height in pixels. */
export interface Size {
  /** Width in pixels. */
  readonly width: number;
  /** Height in pixels. */
  readonly height: number;
}

/** A rectangle of an image, which may be rotated and may exceed the image. */
export interface Region {
  /** Its centre, in pixels of the image. */
  readonly center: Point;
  /** Its width in pixels of the image, before the rotation. */
  readonly width: number;
  /** Its height in pixels of the image, before the rotation. */
  readonly height: number;
  /** Rotation around its centre in radians, clockwise on the screen. */
  readonly rotation: number;
}

/** What a tensor shows of an image. Plain data: it can be posted to a worker. */
export interface ImagePlacement {
  /** The size of the image. */
  readonly image: Size;
  /** The part of it that fills the tensor, bars of a letterbox included. */
  readonly region: Region;
  /** The size of the tensor: detectors that return boxes in its pixels need it. Default: unknown. */
  readonly tensor?: Size;
}

/**
 * How an image fills a tensor of another aspect ratio: `stretch` distorts it, `crop` cuts off what is too long, evenly
 * on both sides, and `letterbox` shows all of it between bars.
 */
export type Fit = 'stretch' | 'crop' | 'letterbox';

/** Browsers have no larger images. */
const SIDE = integer(1, 2 ** 16);
/** @internal */
export const POINT = { x: NUMBER, y: NUMBER };
/** @internal */
export const REGION = { center: POINT, width: NUMBER, height: NUMBER, rotation: NUMBER };
/** @internal What imageToTensor() returns as placement. */
export const PLACEMENT = {
  image: { width: SIDE, height: SIDE },
  region: REGION,
  tensor: optional(having({ width: SIDE, height: SIDE })),
};

/** The region that covers an image. */
export function fullRegion({ width, height }: Size): Region {
  return { center: { x: width / 2, y: height / 2 }, width, height, rotation: 0 };
}

/**
 * The region that fills a tensor.
 *
 * @param region - The part to show.
 * @param fit - How it fills the tensor.
 * @param size - Width and height of the tensor.
 */
export function fitRegion(region: Region, fit: Fit, size: Size): Region {
  if (fit === 'stretch') return region;
  const [scaleX, scaleY] = [size.width / region.width, size.height / region.height];
  if (fit === 'crop') {
    const scale = Math.max(scaleX, scaleY);
    return { ...region, width: size.width / scale, height: size.height / scale };
  }
  return letterbox(region, Math.min(scaleX, scaleY), size);
}

/** Bars are an integer number of pixels wide; where they cannot be equal, the right or lower one is wider. */
function letterbox(region: Region, scale: number, size: Size): Region {
  const width = Math.max(1, Math.round(region.width * scale));
  const height = Math.max(1, Math.round(region.height * scale));
  const pixelWidth = region.width / width;
  const pixelHeight = region.height / height;
  const oddColumns = (size.width - width) % 2;
  const oddRows = (size.height - height) % 2;
  const shift = rotated({ x: (oddColumns / 2) * pixelWidth, y: (oddRows / 2) * pixelHeight }, region.rotation);
  return {
    ...region,
    center: { x: region.center.x + shift.x, y: region.center.y + shift.y },
    width: size.width * pixelWidth,
    height: size.height * pixelHeight,
  };
}

/**
 * Maps a point of a tensor to the image.
 *
 * @param placement - Of the tensor.
 * @param point - Relative to the tensor: 0 is the left or upper edge, 1 the opposite one.
 * @returns The point in pixels of the image; it may lie outside.
 * @throws OptionError
 */
export function toImage(placement: ImagePlacement, point: Point): Point {
  checkArguments('toImage', { placement, point }, { placement: PLACEMENT, point: POINT });
  const { center, width, height, rotation } = placement.region;
  const turned = rotated({ x: (point.x - 0.5) * width, y: (point.y - 0.5) * height }, rotation);
  return { x: center.x + turned.x, y: center.y + turned.y };
}

/**
 * Maps a point of the image to a tensor: the opposite of {@link toImage}.
 *
 * @param placement - Of the tensor.
 * @param point - In pixels of the image.
 * @returns The point relative to the tensor: 0 is the left or upper edge, 1 the opposite one.
 * @throws OptionError
 */
export function toTensor(placement: ImagePlacement, point: Point): Point {
  checkArguments('toTensor', { placement, point }, { placement: PLACEMENT, point: POINT });
  const { center, width, height, rotation } = placement.region;
  const turned = rotated({ x: point.x - center.x, y: point.y - center.y }, -rotation);
  return { x: turned.x / width + 0.5, y: turned.y / height + 0.5 };
}

function rotated({ x, y }: Point, angle: number): Point {
  if (angle === 0) return { x, y };
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  return { x: x * cos - y * sin, y: x * sin + y * cos };
}
