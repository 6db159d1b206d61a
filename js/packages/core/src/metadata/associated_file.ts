/** Files that metadata describes. */

import { MetadataError } from '../errors.js';
import type { AssociatedFile as FileTable } from '../generated/metadata_schema.js';
import type { Row } from './flatbuffer.js';
import type { AssociatedFile } from './model_metadata.js';

/** @throws MetadataError where the file has no name. */
export function readAssociatedFile({ name, ...others }: Row<typeof FileTable>): AssociatedFile {
  if (name !== null) return { name, ...others };
  throw new MetadataError(
    'MALFORMED_METADATA',
    'The metadata is damaged: a file that it describes has no name. Write it again.',
  );
}
