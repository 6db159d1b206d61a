/** SentencePiece's unigram models. */

import { PIECE, type Piece } from './sentence_piece_model.js';
import { codeUnits, SortedPieces } from './sorted_pieces.js';

/** How much less than any piece an unknown character is worth. */
const UNKNOWN_PENALTY = 10;

/** Sums beyond it are computed relative to the position that was reached, so that they remain exact. */
const MAX_SUM = 100_000;
/**
 * What a byte of a user's symbol is worth, the first one excepted: such a symbol wins over all pieces that cover it.
 */
const SYMBOL_BONUS = Math.fround(0.1);

/**
 * The pieces whose scores have the greatest sum, as SentencePiece 0.2.3 finds them. Its order of additions in float32
 * decides between cuts of the same score. Older ones score symbols of the user differently, and so other ties.
 *
 * @param Sums - In which sums are computed.
 */
export function unigram(
  pieces: readonly Piece[],
  Sums: Float32ArrayConstructor | Float64ArrayConstructor = Float32Array,
): (text: string) => string[] {
  const rounded = Sums === Float32Array ? Math.fround : Number;
  const encoder = new TextEncoder();
  const scoreOf = ({ type, score, text }: Piece) =>
    type === PIECE.userDefined ? Math.fround((encoder.encode(text).length - 1) * SYMBOL_BONUS) : score;
  const inText = pieces.filter(({ type }) => type === PIECE.normal || type === PIECE.userDefined);
  const scores = new Map(inText.map((piece) => [piece.text, scoreOf(piece)]));
  const minScore = inText.reduce(
    (min, { type, score }) => (type === PIECE.normal ? Math.min(min, score) : min),
    Infinity,
  );
  const unknown = rounded(minScore - UNKNOWN_PENALTY);
  const sorted = new SortedPieces(scores.keys());
  return (text) => {
    const units = codeUnits(text);
    const sums = new Sums(text.length + 1);
    const starts = new Int32Array(text.length + 1).fill(-1);
    let reached = 0;
    const offer = (start: number, end: number, score: number) => {
      reached = Math.max(reached, end);
      const sum = rounded(score + (sums[start] as number));
      if (starts[end] !== -1 && sum <= (sums[end] as number)) return;
      sums[end] = sum;
      starts[end] = start;
    };
    for (let start = 0, next = 0; start < text.length; start = next) {
      next = start + String.fromCodePoint(text.codePointAt(start) as number).length;
      const here = sums[start] as number;
      if (Math.abs(here) > MAX_SUM)
        sums.set(
          sums.subarray(start, reached + 1).map((sum) => sum - here),
          start,
        );
      let isKnown = false;
      sorted.visit(units, start, (piece, end) => {
        isKnown ||= end === next;
        offer(start, end, scores.get(piece) as number);
      });
      if (!isKnown) offer(start, next, unknown);
    }
    const found: string[] = [];
    for (let end = text.length; end > 0; end = starts[end] as number) found.push(text.slice(starts[end], end));
    return found.reverse();
  };
}
