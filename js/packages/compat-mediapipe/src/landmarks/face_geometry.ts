/** From the landmarks of a face to its pose in space: the matrix that moves MediaPipe's canonical face there. */

import type { Size } from '@tflite-webnn/media/images';
import type { Matrix } from '../results.js';
import type { FaceModel } from './face_model.js';
import type { PixelLandmark, Point3 } from './points.js';
import { bestSimilarity, type Similarity } from './procrustes.js';

/** What the near plane of MediaPipe's virtual camera shows, in centimeters; the plane is 1 cm away. */
interface Frustum {
  readonly width: number;
  readonly height: number;
}

// The camera that MediaPipe takes for all images.
const VERTICAL_VIEW = (63 * Math.PI) / 180;
// Landmarks nearer to their center than this share of the image determine no pose.
const MIN_RADIUS = 1e-3;

/**
 * The pose of a face.
 *
 * @param points - Its landmarks in pixels; those after the canonical face's, of the irises, are not used.
 * @returns A matrix of 4 x 4, or null for a face that is too small.
 */
export function facialTransformation(face: FaceModel, points: readonly PixelLandmark[], image: Size): Matrix | null {
  const used = points.slice(0, face.vertices.length);
  if (isTooSmall(used, image)) return null;
  const height = 2 * Math.tan(VERTICAL_VIEW / 2);
  const frustum = { width: (image.width * height) / image.height, height };
  const screen = used.map((point) => onNearPlane(point, frustum, image));
  const depth = screen.reduce((sum, { z }) => sum + z, 0) / screen.length;
  const alignedAt = (scale: number | null) => {
    const metric = screen.map((point) => mirrored(scale === null ? point : unprojected(point, depth, scale)));
    return bestSimilarity(face.vertices, metric, face.weights);
  };
  // The first scale is that of the flat image; with it the points get their depth, and a better one.
  const first = alignedAt(null).scale;
  return asMatrix(alignedAt(first * alignedAt(first).scale));
}

function onNearPlane({ x, y, z }: PixelLandmark, frustum: Frustum, { width, height }: Size): Point3 {
  return {
    x: (x / width - 0.5) * frustum.width,
    y: (0.5 - y / height) * frustum.height,
    z: (z / width) * frustum.width,
  };
}

function unprojected({ x, y, z }: Point3, depth: number, scale: number): Point3 {
  const distance = (z - depth + 1) / scale;
  return { x: x * distance, y: y * distance, z: distance };
}

/** The image's z goes away from the camera, the canonical face's comes to it. */
function mirrored({ x, y, z }: Point3): Point3 {
  return { x, y, z: -z };
}

function isTooSmall(points: readonly PixelLandmark[], { width, height }: Size): boolean {
  const [x, y] = [meanOf(points.map((point) => point.x)), meanOf(points.map((point) => point.y))];
  return points.every((point) => Math.hypot((point.x - x) / width, (point.y - y) / height) <= MIN_RADIUS);
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function asMatrix({ scale, rotation, shift }: Similarity): Matrix {
  const column = (index: 0 | 1 | 2) => [...rotation.map((row) => scale * row[index]), 0];
  return { rows: 4, columns: 4, data: [...column(0), ...column(1), ...column(2), ...shift, 1] };
}
