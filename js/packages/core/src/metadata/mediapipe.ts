/** MediaPipe's own metadata: flatbuffers inside of custom metadata. */

import { MetadataError } from '../errors.js';
import { ImageSegmenterOptions, ObjectDetectorOptions } from '../generated/mediapipe_schema.js';
import { type Row, readFlatbuffer, type Table } from './flatbuffer.js';
import type { CustomMetadata, ModelMetadata } from './model_metadata.js';

/** Reads what is there. */
export function readMediapipe(custom: readonly CustomMetadata[]): Pick<ModelMetadata, 'detector' | 'segmenter'> {
  const options = find(custom, 'DETECTOR_METADATA', ObjectDetectorOptions);
  const detector = options && {
    anchors: options.ssdAnchorsOptions?.fixedAnchorsSchema?.anchors ?? [],
    decoding: options.tensorsDecodingOptions,
  };
  return { detector, segmenter: find(custom, 'SEGMENTER_METADATA', ImageSegmenterOptions) };
}

function find<T extends Table>(custom: readonly CustomMetadata[], wanted: string, table: T): Row<T> | null {
  const entry = custom.find(({ name }) => name === wanted);
  return entry === undefined
    ? null
    : readFlatbuffer(
        entry.data,
        table,
        (problem) => new MetadataError('MALFORMED_METADATA', `${wanted} is damaged: ${problem}.`),
      );
}
