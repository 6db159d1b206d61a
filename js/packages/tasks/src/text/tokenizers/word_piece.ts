/** WordPiece: words as the longest pieces of a vocabulary. */

import { codeUnits, SortedPieces } from './sorted_pieces.js';

/**
 * Cuts words, from the left on; null where a piece is missing.
 *
 * @param pieces - Distinct ones.
 * @param prefix - Of pieces inside of words.
 * @throws TokenizerError where too many begin with each other.
 */
export function wordPiece(pieces: readonly string[], prefix: string): (word: string) => string[] | null {
  const first = new SortedPieces(pieces);
  const inside = new SortedPieces(
    pieces.flatMap((piece) => (piece.startsWith(prefix) ? piece.slice(prefix.length) : [])),
  );
  return (word) => {
    const units = codeUnits(word);
    const found: string[] = [];
    for (let start = 0, end = 0; start < word.length; start = end) {
      const isFirst = start === 0;
      (isFirst ? first : inside).visit(units, start, (_, longest) => {
        end = longest;
      });
      if (end === start) return null;
      found.push((isFirst ? '' : prefix) + word.slice(start, end));
    }
    return found;
  };
}
