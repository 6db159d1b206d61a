/** SentencePiece: its models' normalization, then unigram or BPE. */

import type { SentencePieceSource, TextTokenizer } from '../tokenizer.js';
import { bpe } from './bpe.js';
import { PIECE, readSentencePieceModel, type SentencePieceModel } from './sentence_piece_model.js';
import { SentencePieceNormalizer } from './sentence_piece_normalizer.js';
import { unigram } from './unigram.js';

/**
 * Reads a model.
 *
 * @throws TokenizerError where it is damaged, or of another algorithm.
 */
export function sentencePieceTokenizer({ model: bytes }: SentencePieceSource): TextTokenizer {
  const model = readSentencePieceModel(bytes);
  const ids = new Map(model.pieces.map(({ text }, id) => [text, id]));
  const normalizer = new SentencePieceNormalizer(model);
  const cut = model.algorithm === 'unigram' ? unigram(model.pieces) : bpe(model);
  return {
    tokenize: (text) => {
      const normalized = normalizer.normalize(text);
      return normalized === '' ? [] : withUnknown(cut(normalized), ids, model);
    },
    idOf: (piece) => ids.get(piece),
    pieceOf: (id) => (model.pieces[id]?.type === PIECE.control ? '' : model.pieces[id]?.text),
    unknownId: Math.max(
      0,
      model.pieces.findIndex(({ type }) => type === PIECE.unknown),
    ),
  };
}

/** Unknown characters as bytes, if the model has these, else neighbours as one piece. */
function withUnknown(
  found: readonly string[],
  ids: ReadonlyMap<string, number>,
  { hasByteFallback }: SentencePieceModel,
): string[] {
  const pieces: string[] = [];
  let isAfterUnknown = false;
  for (const piece of found) {
    const isKnown = ids.has(piece);
    if (!isKnown && hasByteFallback) pieces.push(...bytePieces(piece));
    else if (!isKnown && isAfterUnknown) pieces.push(pieces.pop() + piece);
    else pieces.push(piece);
    isAfterUnknown = !isKnown;
  }
  return pieces;
}

/** The pieces of a text's bytes. */
export function bytePieces(text: string): string[] {
  return Array.from(
    new TextEncoder().encode(text),
    (byte) => `<0x${byte.toString(16).toUpperCase().padStart(2, '0')}>`,
  );
}
