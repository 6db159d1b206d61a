/** From the parts of a model file to what they say. */

import { MetadataError } from '../errors.js';
import { ModelMetadata as Root, SubGraphMetadata } from '../generated/metadata_schema.js';
import type { ArchiveEntry } from './archive.js';
import { identifierOf, type Row, readFlatbuffer } from './flatbuffer.js';
import { NamedFiles } from './label_files.js';
import type { MetadataParts } from './metadata_parts.js';
import type { ModelMetadata, TensorMetadata } from './model_metadata.js';
import { readProcessing } from './processing.js';
import { readAssociatedFile, readTensor } from './tensor_metadata.js';

const IDENTIFIER = 'M001';

/** A flatbuffer of a table without content. */
const NOTHING = Uint8Array.of(12, 0, 0, 0, 77, 48, 48, 49, 4, 0, 4, 0, 4, 0, 0, 0);

type SubGraphRow = Row<typeof SubGraphMetadata>;

/**
 * Reads a model's TFLite Metadata; MediaPipe's and Ultralytics' own are left null.
 *
 * @param files - Of the appended archive.
 * @throws MetadataError, ArchiveError
 */
export function readMetadata(
  { metadata, inputs, outputs }: Omit<MetadataParts, 'archive'>,
  files: readonly ArchiveEntry[],
): ModelMetadata {
  const { subgraphMetadata, associatedFiles, ...model } = readRoot(metadata ?? NOTHING);
  const subgraph = subgraphMetadata[0] ?? readFlatbuffer(NOTHING, SubGraphMetadata, malformed);
  const named = new NamedFiles(files);
  return {
    ...model,
    inputs: readTensors('input', subgraph.inputTensorMetadata, inputs, named),
    outputs: readTensors('output', subgraph.outputTensorMetadata, outputs, named),
    inputProcessing: readProcessing(subgraph.inputProcessUnits, 'all inputs', null),
    outputProcessing: readProcessing(subgraph.outputProcessUnits, 'all outputs', null),
    inputGroups: subgraph.inputTensorGroups,
    outputGroups: subgraph.outputTensorGroups,
    associatedFiles: [...associatedFiles, ...subgraph.associatedFiles].map(readAssociatedFile),
    custom: subgraph.customMetadata,
    detector: null,
    segmenter: null,
    ultralytics: null,
    files,
  };
}

function readRoot(metadata: Uint8Array): Row<typeof Root> {
  if (identifierOf(metadata) !== IDENTIFIER) throw malformed(`it does not have "${IDENTIFIER}" at byte 4`);
  return readFlatbuffer(metadata, Root, malformed);
}

function readTensors(
  kind: 'input' | 'output',
  rows: SubGraphRow['inputTensorMetadata'],
  shapes: MetadataParts['inputs'],
  files: NamedFiles,
): TensorMetadata[] {
  if (rows.length !== 0 && rows.length !== shapes.length) {
    throw new MetadataError(
      'METADATA_MISMATCH',
      `The metadata describes ${rows.length} ${kind}s, and the model has ${shapes.length}.`,
    );
  }
  return rows.map((row, index) => readTensor(row, `${kind} ${index}`, shapes[index] ?? [], files));
}

function malformed(problem: string): MetadataError {
  return new MetadataError(
    'MALFORMED_METADATA',
    `The model's TFLite Metadata is damaged: ${problem}. Write it again, or do without it.`,
  );
}
