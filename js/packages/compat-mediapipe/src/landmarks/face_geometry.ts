/** From the landmarks of a face to its pose in space: the matrix that moves MediaPipe's canonical face there. */

import type { Size } from '@tflite-webnn/media/images';
import { TaskModelError } from '@tflite-webnn/tasks';
import { type Field, readFields } from '@tflite-webnn/tasks/text/tokenizers/protobuf';
import type { Matrix } from '../results.js';
import type { PixelLandmark, Point3 } from './landmark_models.js';
import { bestSimilarity, type Similarity } from './procrustes.js';

/** A face in the middle of space, in centimeters, whose vertices are the landmarks' indices. */
export interface FaceModel {
  readonly vertices: readonly Point3[];
  /** How much each vertex counts for the pose: 0 for those that move with the expression. */
  readonly weights: readonly number[];
}

/** Numbers of a vertex: its position, and two of its texture. */
const VERTEX_NUMBERS = 5;
const [MESH, BASIS] = [1, 2] as const;
const VERTEX_BUFFER = 3;
const [LANDMARK, WEIGHT] = [1, 2] as const;
const FLOAT_BYTES = 4;

/**
 * Reads the canonical face.
 *
 * @throws TaskModelError where the file is damaged.
 */
export function readFaceModel(file: Uint8Array): FaceModel {
  const fields = fieldsOf(file);
  const meshes = fields.flatMap(([field, value]) => (field === MESH ? fieldsOf(value) : []));
  const numbers = meshes.flatMap(([part, floats]) => (part === VERTEX_BUFFER ? floatsOf(floats) : []));
  const basis = fields.flatMap(([field, value]) => (field === BASIS ? basisOf(value) : []));
  const count = numbers.length / VERTEX_NUMBERS;
  if (
    count === 0 ||
    !Number.isInteger(count) ||
    basis.length === 0 ||
    basis.some(({ landmark }) => landmark >= count)
  ) {
    throw damaged(`it has ${numbers.length} numbers of vertices and ${basis.length} weights`);
  }
  const at = (index: number) => numbers[index] as number;
  const vertices = Array.from({ length: count }, (_, vertex) => {
    const start = vertex * VERTEX_NUMBERS;
    return { x: at(start), y: at(start + 1), z: at(start + 2) };
  });
  const weights = new Array<number>(count).fill(0);
  for (const { landmark, weight } of basis) weights[landmark] = weight;
  return { vertices, weights };
}

function basisOf(message: Field[1]) {
  let [landmark, weight] = [0, 0];
  for (const [field, value] of fieldsOf(message)) {
    if (field === LANDMARK && typeof value === 'number') landmark = value;
    if (field === WEIGHT) weight = floatsOf(value)[0] ?? 0;
  }
  return { landmark, weight };
}

function floatsOf(value: Field[1]): number[] {
  const bytes = bytesOf(value);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Array.from({ length: Math.floor(bytes.length / FLOAT_BYTES) }, (_, index) =>
    view.getFloat32(index * FLOAT_BYTES, true),
  );
}

function fieldsOf(message: Field[1]): Field[] {
  return readFields(bytesOf(message), () => damaged('it is not a complete protocol buffer'));
}

function bytesOf(value: Field[1]): Uint8Array {
  return typeof value === 'number' ? new Uint8Array() : value;
}

function damaged(why: string): TaskModelError {
  return new TaskModelError(`The bundle's face geometry is damaged: ${why}.`);
}

/** What the near plane of MediaPipe's virtual camera shows, in centimeters; the plane is 1 cm away. */
interface Frustum {
  readonly width: number;
  readonly height: number;
}

// The camera that MediaPipe assumes for all images.
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
