/**
 * The files of tokenizers that a model's metadata names. Separate from the code that opens them: import() of a tokenizer keeps a script of
 * one file, such as the drop-in for tfjs-tflite, from leaving out what it does not use.
 */

import type { ArchiveEntry, TokenizerMetadata } from 'tflite-webnn';
import { TokenizerError, type TokenizerSource } from './tokenizer.js';

/** A file that is packed into a model. */
export type PackedFile = Pick<ArchiveEntry, 'name' | 'bytes' | 'text'>;

/** @internal The files of a tokenizer in metadata. */
export function sourceOfEntry(entry: TokenizerMetadata, files: readonly PackedFile[]): TokenizerSource {
  const { kind, vocabularies, models, delimiter } = entry;
  if (kind === 'sentencePiece') return { kind, model: fileOf(models, 'model', files).bytes() };
  const vocabulary = fileOf(vocabularies, 'vocabulary', files).text();
  if (kind === 'bert') return { kind, vocabulary };
  if (delimiter) return { kind, vocabulary, delimiter };
  throw new TokenizerError("The metadata's tokenizer cuts at a regular expression, and does not say which.");
}

function fileOf([name]: readonly string[], what: string, files: readonly PackedFile[]): PackedFile {
  const file = files.find((packed) => packed.name === name);
  if (file) return file;
  const names = files.map((packed) => packed.name).join(', ') || 'none';
  throw new TokenizerError(
    name === undefined
      ? `The metadata's tokenizer names no ${what} file.`
      : `The metadata's tokenizer names the ${what} file ${name}, which is not packed into the model: it has ${names}.`,
  );
}
