/** The parts of a model file that describe it: small compared with the weights, so that they can be copied and sent. */

import { MalformedModelError, NotATFLiteModelError } from '../errors.js';
import { Buffer, Model, SubGraph, Tensor } from '../generated/metadata_schema.js';
import { findArchive } from './archive.js';
import { identifierOf, type Row, readFlatbuffer } from './flatbuffer.js';

/** Shapes by position; -1 for a size that is not known. */
type Shapes = readonly (readonly number[])[];

/** Plain data. */
export interface MetadataParts {
  /** The flatbuffer of TFLite Metadata. */
  readonly metadata: Uint8Array | null;
  /** The zip archive that is appended to the file. */
  readonly archive: Uint8Array | null;
  readonly inputs: Shapes;
  readonly outputs: Shapes;
}

const NAME = 'TFLITE_METADATA';
/** Of hundreds of tensors and buffers, a few are read. */
const Graph = { ...SubGraph, tensors: [SubGraph.tensors[0], { rows: Tensor }] } as const;
const File = {
  ...Model,
  subgraphs: [Model.subgraphs[0], { vector: { table: Graph } }],
  buffers: [Model.buffers[0], { rows: Buffer }],
} as const;

/**
 * Finds the parts: views into the file.
 *
 * @throws NotATFLiteModelError, MalformedModelError; ArchiveError where half of an archive is appended.
 */
export function findMetadata(file: Uint8Array): MetadataParts {
  if (identifierOf(file) !== 'TFL3') {
    const message = 'The file is not a TFLite model, which has "TFL3" at byte 4: it has no metadata to read.';
    throw new NotATFLiteModelError(message);
  }
  const { subgraphs, buffers, metadata } = readFlatbuffer(file, File, malformed);
  const entry = metadata.find(({ name }) => name === NAME);
  const buffer = entry === undefined ? undefined : buffers(entry.buffer);
  if (entry !== undefined && buffer === undefined)
    throw malformed(`${NAME} is in buffer ${entry.buffer}, which is missing`);
  const start = findArchive(file);
  const { tensors, inputs = [], outputs = [] } = subgraphs[0] ?? {};
  return {
    metadata: buffer === undefined ? null : contentOf(buffer, file),
    archive: start === null ? null : file.subarray(start),
    inputs: inputs.map((tensor) => shapeOf(tensors?.(tensor))),
    outputs: outputs.map((tensor) => shapeOf(tensors?.(tensor))),
  };
}

/** The parts without the file. */
export function copyOf(parts: MetadataParts): MetadataParts {
  return { ...parts, metadata: parts.metadata?.slice() ?? null, archive: parts.archive?.slice() ?? null };
}

/** Models of more than 2 GB have their buffers behind the flatbuffer. */
function contentOf({ data, offset, size }: { data: Uint8Array; offset: number; size: number }, file: Uint8Array) {
  if (offset <= 1) return data;
  if (offset + size > file.length) throw malformed(`${NAME} has ${size} bytes at ${offset} of ${file.length}`);
  return file.subarray(offset, offset + size);
}

function shapeOf(tensor: Row<typeof Tensor> | undefined): readonly number[] {
  if (tensor === undefined) throw malformed('an input or output is a tensor that is missing');
  return tensor.shapeSignature.length > 0 ? tensor.shapeSignature : tensor.shape;
}

function malformed(problem: string): MalformedModelError {
  return new MalformedModelError(`The model file is damaged: ${problem}. Fetch or make it again.`);
}
