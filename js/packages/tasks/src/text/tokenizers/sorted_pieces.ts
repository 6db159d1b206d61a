/** Pieces by what they begin with, a trie as a sorted list; and WordPiece, which looks for the longest of them. */

import { TokenizerError } from '../tokenizer.js';

/** Pieces that begin with each other: all of them are tried at each letter. */
const MAX_PREFIXES = 64;

/** Texts, of which an empty one is left out. */
export class SortedPieces {
  readonly #pieces: readonly string[];

  /** @throws TokenizerError where more than 64 begin with each other. */
  constructor(pieces: Iterable<string>) {
    const distinct = new Set(pieces);
    distinct.delete('');
    this.#pieces = [...distinct].sort(); // by code units
    const problem = prefixProblem(this.#pieces, MAX_PREFIXES);
    if (problem !== null) throw new TokenizerError(`The vocabulary could keep a page busy: ${problem}.`);
  }

  /**
   * Visits the pieces that begin at a position of a text, the shortest first.
   *
   * @param text - Code units, as those of the pieces.
   */
  visit(text: ArrayLike<number>, start: number, found: (piece: string, end: number) => void): void {
    let [low, high] = [0, this.#pieces.length];
    for (let end = start; end < text.length && low < high; end++) {
      const [at, unit] = [end - start, text[end] as number];
      if (this.#unitOf(low, at) !== unit) low = this.#firstOf(low, high, at, unit);
      if (this.#unitOf(high - 1, at) !== unit) high = this.#firstOf(low, high, at, unit + 1);
      const piece = this.#pieces[low];
      if (low === high || piece?.length !== at + 1) continue;
      found(piece, end + 1);
      low++;
    }
  }

  #unitOf(piece: number, at: number): number {
    return (this.#pieces[piece] as string).charCodeAt(at);
  }

  /** The first piece from `low` whose code unit at `at` is `min` or more. */
  #firstOf(low: number, high: number, at: number, min: number): number {
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#unitOf(middle, at) < min) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** The problem if too many of the sorted pieces begin with each other; null if there is none. */
export function prefixProblem(sorted: readonly string[], maxCount: number): string | null {
  const prefixes: string[] = [];
  for (const piece of sorted) {
    while (prefixes.length > 0 && !piece.startsWith(prefixes.at(-1) as string)) prefixes.pop();
    if (prefixes.push(piece) > maxCount) return `more than ${maxCount} of its pieces begin with each other`;
  }
  return null;
}

/** The code units of a text. */
export function codeUnits(text: string): Uint16Array {
  return Uint16Array.from({ length: text.length }, (_, index) => text.charCodeAt(index));
}

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
