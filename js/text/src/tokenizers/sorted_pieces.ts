/** Pieces by what they begin with: a trie as a sorted list. */

/** Distinct texts, none of them empty. */
export class SortedPieces {
  readonly #pieces: readonly string[];

  constructor(pieces: Iterable<string>) {
    this.#pieces = Array.from(pieces).sort(); // by code units
  }

  /**
   * Visits the pieces that begin at a place of a text, the shortest first.
   *
   * @param text - Code units, as those of the pieces.
   */
  visit(text: ArrayLike<number>, start: number, found: (piece: string, end: number) => void): void {
    let [low, high] = [0, this.#pieces.length];
    for (let end = start; end < text.length && low < high; end++) {
      const [at, unit] = [end - start, text[end] as number];
      low = this.#firstOf(low, high, at, unit);
      high = this.#firstOf(low, high, at, unit + 1);
      const piece = this.#pieces[low];
      if (low === high || piece?.length !== at + 1) continue;
      found(piece, end + 1);
      low++;
    }
  }

  /** The first piece from `low` whose code unit at `at` is `least` or more. */
  #firstOf(low: number, high: number, at: number, least: number): number {
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#pieces[middle] as string).charCodeAt(at) < least) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** The code units of a text. */
export function codeUnits(text: string): Uint16Array {
  return Uint16Array.from({ length: text.length }, (_, index) => text.charCodeAt(index));
}
