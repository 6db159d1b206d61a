/** The canonical face of a bundle: `geometry_pipeline_metadata_landmarks.binarypb`. */

import { TaskModelError } from '@tflite-webnn/tasks';
import { type Field, readFields } from '@tflite-webnn/tasks/text/tokenizers/protobuf';
import type { Point3 } from './points.js';

/** A face in the middle of space, in centimeters, whose vertices are the landmarks' indices. */
export interface FaceModel {
  readonly vertices: readonly Point3[];
  /** How much each vertex counts for the pose: 0 for those that move with the expression. */
  readonly weights: readonly number[];
}

/** Numbers of a vertex: its place, and two of its texture. */
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
