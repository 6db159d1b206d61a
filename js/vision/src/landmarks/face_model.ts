/** The canonical face of a bundle: `geometry_pipeline_metadata_landmarks.binarypb`. */

import { TaskFileError } from '../errors.js';
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

/** Type of a protobuf field on the wire. */
const [VARINT, FIXED64, BYTES, FIXED32] = [0, 1, 2, 5] as const;

/**
 * Reads the canonical face.
 *
 * @throws TaskFileError where the file is damaged.
 */
export function readFaceModel(file: Uint8Array): FaceModel {
  const numbers: number[] = [];
  const basis: { landmark: number; weight: number }[] = [];
  for (const { field, bytes } of fieldsOf(file)) {
    if (field === MESH)
      for (const part of fieldsOf(bytes)) if (part.field === VERTEX_BUFFER) numbers.push(...floatsOf(part.bytes));
    if (field === BASIS) basis.push(basisOf(bytes));
  }
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

interface Field {
  readonly field: number;
  /** Content of a message or float; of an integer nothing. */
  readonly bytes: Uint8Array;
  /** An integer's value. */
  readonly value: number;
}

function basisOf(message: Uint8Array) {
  let [landmark, weight] = [0, 0];
  for (const { field, bytes, value } of fieldsOf(message)) {
    if (field === LANDMARK) landmark = value;
    if (field === WEIGHT) weight = floatsOf(bytes)[0] ?? 0;
  }
  return { landmark, weight };
}

function floatsOf(bytes: Uint8Array): number[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Array.from({ length: Math.floor(bytes.length / FLOAT_BYTES) }, (_, index) =>
    view.getFloat32(index * FLOAT_BYTES, true),
  );
}

/** The fields of a protobuf message. */
function* fieldsOf(message: Uint8Array): Generator<Field> {
  let position = 0;
  const varint = () => {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = message[position++];
      if (byte === undefined) throw damaged('it ends within a number');
      value += (byte % 128) * factor;
      if (byte < 128) return value;
    }
  };
  const take = (length: number) => {
    position += length;
    if (position > message.length) throw damaged('it ends within a field');
    return message.subarray(position - length, position);
  };
  const none = message.subarray(0, 0);
  while (position < message.length) {
    const key = varint();
    const field = Math.floor(key / 8);
    const type = key % 8;
    if (type === VARINT) yield { field, bytes: none, value: varint() };
    else if (type === BYTES) yield { field, bytes: take(varint()), value: 0 };
    else if (type === FIXED32) yield { field, bytes: take(4), value: 0 };
    else if (type === FIXED64) yield { field, bytes: take(8), value: 0 };
    else throw damaged(`it has a field of the unknown type ${type}`);
  }
}

function damaged(why: string): TaskFileError {
  return new TaskFileError(`The bundle's face geometry is damaged: ${why}.`);
}
