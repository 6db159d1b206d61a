/** SentencePiece: its models' normalization, then unigram or BPE. */

import { BPE } from '@huggingface/tokenizers';
import type { SentencePieceSource, TextTokenizer } from '../tokenizer.js';
import { PIECE, type Piece, readSentencePieceModel, type SentencePieceModel } from './sentence_piece_model.js';
import { SentencePieceNormalizer } from './sentence_piece_normalizer.js';

/** How much less than any piece an unknown character is worth. */
const UNKNOWN_PENALTY = 10;

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

/**
 * The pieces whose scores have the greatest sum, as SentencePiece finds them. It keeps sums as float32: that decides
 * between orders of the same pieces.
 */
function unigram({ pieces }: SentencePieceModel): (text: string) => string[] {
  const normal = pieces.flatMap(({ type, score }) => (type === PIECE.normal ? [score] : []));
  // SentencePiece begins with the least positive float: scores are logarithms of probabilities, below it.
  const best = normal.reduce((most, score) => Math.max(most, score), 2 ** -126);
  const unknown = Math.fround(normal.reduce((least, score) => Math.min(least, score), Infinity) - UNKNOWN_PENALTY);
  const encoder = new TextEncoder();
  // A symbol of the user's wins over any pieces of normal length.
  const scoreOf = ({ type, score, text }: Piece) => {
    return type === PIECE.userDefined ? Math.fround(encoder.encode(text).length * best - 0.1) : score;
  };
  const inText = pieces.filter(({ type }) => type === PIECE.normal || type === PIECE.userDefined);
  const scores = new Map(inText.map((piece) => [piece.text, scoreOf(piece)]));
  const longest = inText.reduce((most, { text }) => Math.max(most, text.length), 0);
  return (text) => {
    const sums = new Float32Array(text.length + 1);
    const starts = new Int32Array(text.length + 1).fill(-1);
    const offer = (start: number, end: number, score: number) => {
      const sum = Math.fround(score + (sums[start] as number));
      if (starts[end] !== -1 && sum <= (sums[end] as number)) return;
      sums[end] = sum;
      starts[end] = start;
    };
    for (let start = 0, next = 0; start < text.length; start = next) {
      next = start + String.fromCodePoint(text.codePointAt(start) as number).length;
      if (!scores.has(text.slice(start, next))) offer(start, next, unknown);
      for (let end = next; end <= Math.min(start + longest, text.length); end++) {
        const score = scores.get(text.slice(start, end));
        if (score !== undefined) offer(start, end, score);
      }
    }
    const found: string[] = [];
    for (let end = text.length; end > 0; end = starts[end] as number) found.push(text.slice(starts[end], end));
    return found.reverse();
  };
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
