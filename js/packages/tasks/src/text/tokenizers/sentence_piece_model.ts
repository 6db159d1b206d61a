/** The content of SentencePiece's model files, see sentencepiece_model.proto. */

import { TokenizerError } from '../tokenizer.js';
import { type Field, readFields } from './protobuf.js';

/** What a piece is. Only the first, fourth and fifth are in text. */
export const PIECE = { normal: 1, unknown: 2, control: 3, userDefined: 4, unused: 5, byte: 6 } as const;

/** A piece; its id is its index. */
export interface Piece {
  readonly text: string;
  readonly score: number;
  readonly type: number;
}

/** A model. */
export interface SentencePieceModel {
  readonly pieces: readonly Piece[];
  readonly algorithm: 'unigram' | 'bpe';
  readonly hasByteFallback: boolean;
  /** Rules of normalization, see Charsmap; empty without. */
  readonly charsmap: Uint8Array;
  readonly addDummyPrefix: boolean;
  readonly removeExtraWhitespaces: boolean;
}

/**
 * Code units that are compared at each letter. SentencePiece's training stops at 16; a user's symbols may be longer.
 */
const MAX_PIECE_LENGTH = 100;

const ALGORITHMS: Readonly<Record<number, SentencePieceModel['algorithm']>> = { 1: 'unigram', 2: 'bpe' };

/**
 * Reads a model.
 *
 * @throws TokenizerError where it is damaged, or needs what this package lacks.
 */
export function readSentencePieceModel(bytes: Uint8Array): SentencePieceModel {
  const fields = fieldsOf(bytes);
  const pieces = fields.flatMap(([number, value]) => (number === 1 ? readPiece(value) : []));
  if (pieces.length === 0) throw new TokenizerError('The SentencePiece model has no pieces: it is another file.');
  const wrong = pieces.findIndex(({ text }) => text === '' || text.length > MAX_PIECE_LENGTH);
  if (wrong !== -1) {
    throw new TokenizerError(
      `Piece ${wrong} has ${pieces[wrong]?.text.length} characters: a piece may have 1 to ${MAX_PIECE_LENGTH}.`,
    );
  }
  const trainer = messageOf(fields, 2);
  const normalizer = messageOf(fields, 3);
  const algorithm = ALGORITHMS[numberOf(trainer, 3, 1)];
  if (algorithm === undefined || numberOf(trainer, 24, 0) !== 0 || numberOf(normalizer, 5, 1) === 0) {
    throw new TokenizerError(
      'The SentencePiece model is of words or characters, or keeps white space as it is or behind words: only unigram ' +
        'and BPE models with white space before words can be used.',
    );
  }
  return {
    pieces,
    algorithm,
    hasByteFallback: numberOf(trainer, 35, 0) !== 0,
    charsmap: bytesOf(normalizer, 2),
    addDummyPrefix: numberOf(normalizer, 3, 1) !== 0,
    removeExtraWhitespaces: numberOf(normalizer, 4, 1) !== 0,
  };
}

function readPiece(value: number | Uint8Array): Piece {
  const fields = fieldsOf(typeof value === 'number' ? new Uint8Array() : value);
  const score = bytesOf(fields, 2);
  const view = new DataView(score.buffer, score.byteOffset, score.byteLength);
  return {
    text: new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytesOf(fields, 1).slice()), // shared memory cannot be decoded
    score: score.length === 4 ? view.getFloat32(0, true) : 0,
    type: numberOf(fields, 3, PIECE.normal),
  };
}

function fieldsOf(message: Uint8Array): Field[] {
  const damaged = 'The SentencePiece model is damaged: it is not a complete protocol buffer. Fetch it again.';
  return readFields(message, () => new TokenizerError(damaged));
}

function messageOf(fields: readonly Field[], requested: number): Field[] {
  return fieldsOf(bytesOf(fields, requested));
}

function bytesOf(fields: readonly Field[], requested: number): Uint8Array {
  const value = fields.findLast(([number]) => number === requested)?.[1];
  return value instanceof Uint8Array ? value : new Uint8Array();
}

function numberOf(fields: readonly Field[], requested: number, missing: number): number {
  const value = fields.findLast(([number]) => number === requested)?.[1];
  return typeof value === 'number' ? value : missing;
}
