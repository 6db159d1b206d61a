/** SentencePiece: its models' normalization, then unigram or BPE. */

import { BPE, Unigram } from '@huggingface/tokenizers';
import type { SentencePieceSource, TextTokenizer } from '../tokenizer.js';
import { PIECE, type Piece, readSentencePieceModel, type SentencePieceModel } from './sentence_piece_model.js';
import { SentencePieceNormalizer } from './sentence_piece_normalizer.js';

/** No text has it: it stands for unknown characters in the vocabulary of Unigram. */
const NO_PIECE = '\0';

/**
 * Reads a model.
 *
 * @throws TokenizerError where it is damaged, or of another algorithm.
 */
export function sentencePieceTokenizer({ model: bytes }: SentencePieceSource): TextTokenizer {
  const model = readSentencePieceModel(bytes);
  const ids = new Map(model.pieces.map(({ text }, id) => [text, id]));
  const normalizer = new SentencePieceNormalizer(model);
  const cut = model.algorithm === 'unigram' ? unigram(model) : bpe(model);
  return {
    tokenize: (text) => {
      const normalized = normalizer.normalize(text);
      return normalized === '' ? [] : withUnknown(cut(normalized), ids, model);
    },
    idOf: (piece) => ids.get(piece),
    unknownId: Math.max(
      0,
      model.pieces.findIndex(({ type }) => type === PIECE.unknown),
    ),
  };
}

function unigram({ pieces }: SentencePieceModel): (text: string) => string[] {
  const best = pieces.reduce(
    (most, { type, score }) => (type === PIECE.normal ? Math.max(most, score) : most),
    -Infinity,
  );
  const encoder = new TextEncoder();
  // A symbol of the user's wins over any pieces of normal length.
  const scoreOf = ({ type, score, text }: Piece) => {
    return type === PIECE.userDefined ? encoder.encode(text).length * best - 0.1 : score;
  };
  const inText = pieces.filter(({ type }) => type === PIECE.normal || type === PIECE.userDefined);
  const vocab = inText.map((piece) => [piece.text, scoreOf(piece)] as const);
  const model = new Unigram({ type: 'Unigram', vocab: [[NO_PIECE, 0], ...vocab], unk_id: 0 }, '');
  return (text) => model.tokenize(text);
}

function bpe({ pieces }: SentencePieceModel): (text: string) => string[] {
  const scores = new Map(
    pieces.flatMap(({ type, text, score }) =>
      type === PIECE.normal || type === PIECE.userDefined ? [[text, score] as const] : [],
    ),
  );
  const merges = [...scores].flatMap(([text, score]) => pairsOf(text, scores).map((pair) => ({ pair, score })));
  merges.sort((a, b) => b.score - a.score);
  const model = new BPE({
    type: 'BPE',
    vocab: Object.fromEntries([...scores.keys()].map((text, id) => [text, id])),
    merges: merges.map(({ pair }) => pair),
  });
  return (text) => model.bpe(text);
}

/** The ways to make a piece of two others. */
function pairsOf(text: string, pieces: ReadonlyMap<string, number>): [string, string][] {
  const letters = Array.from(text);
  return letters.slice(1).flatMap((_, index) => {
    const [left, right] = [letters.slice(0, index + 1).join(''), letters.slice(index + 1).join('')];
    return pieces.has(left) && pieces.has(right) ? [[left, right] as [string, string]] : [];
  });
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
    if (!isKnown && hasByteFallback) pieces.push(...Array.from(new TextEncoder().encode(piece), bytePiece));
    else if (!isKnown && isAfterUnknown) pieces.push(pieces.pop() + piece);
    else pieces.push(piece);
    isAfterUnknown = !isKnown;
  }
  return pieces;
}

function bytePiece(byte: number): string {
  return `<0x${byte.toString(16).toUpperCase().padStart(2, '0')}>`;
}
