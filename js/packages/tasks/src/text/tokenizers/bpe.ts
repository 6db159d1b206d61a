/** SentencePiece's BPE models. */

import { PIECE, type SentencePieceModel } from './sentence_piece_model.js';
import { codeUnits, SortedPieces } from './sorted_pieces.js';

/** Values, of which pop() returns the first. */
export class Heap<Value> {
  readonly #values: Value[] = [];
  readonly #isBefore: (a: Value, b: Value) => boolean;

  constructor(isBefore: (a: Value, b: Value) => boolean) {
    this.#isBefore = isBefore;
  }

  push(value: Value): void {
    let at = this.#values.length;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!this.#isBefore(value, this.#values[parent] as Value)) break;
      this.#values[at] = this.#values[parent] as Value;
      at = parent;
    }
    this.#values[at] = value;
  }

  pop(): Value | undefined {
    const [first, last] = [this.#values[0], this.#values.pop()];
    const size = this.#values.length;
    if (size === 0 || last === undefined) return last;
    let at = 0;
    for (let child = 1; child < size; child = 2 * at + 1) {
      if (child + 1 < size && this.#isBefore(this.#values[child + 1] as Value, this.#values[child] as Value)) child++;
      if (!this.#isBefore(this.#values[child] as Value, last)) break;
      this.#values[at] = this.#values[child] as Value;
      at = child;
    }
    this.#values[at] = last;
    return first;
  }
}

/** A part of the text; '' once it belongs to the part before. */
interface Part {
  text: string;
  previous: number;
  next: number;
  /** A symbol of the user's, which is not merged. */
  readonly isFrozen: boolean;
}

/** The result of merging two neighbours. */
export interface Merge {
  /** The highest one is merged first. */
  readonly score: number;
  readonly text: string;
}

/** Two neighbours that are a piece together. */
interface Pair extends Merge {
  readonly left: number;
  readonly right: number;
  /** Length of both in characters. */
  readonly length: number;
}

/** Merges neighbours, the best piece first, of equal ones the leftmost, as SentencePiece does. */
export function bpe({ pieces }: SentencePieceModel): (text: string) => string[] {
  const inText = pieces.filter(
    ({ type }) => type === PIECE.normal || type === PIECE.userDefined || type === PIECE.unused,
  );
  const known = new Map(inText.map((piece) => [piece.text, piece]));
  const symbols = new SortedPieces(inText.flatMap(({ type, text }) => (type === PIECE.userDefined ? [text] : [])));
  return (text) => {
    /** The two parts that each unused piece was merged from. */
    const halves = new Map<string, readonly [string, string]>();
    const found = mergeParts(partsOf(text, symbols), (first, second) => {
      const piece = known.get(first + second);
      if (piece?.type === PIECE.unused) halves.set(piece.text, [first, second]);
      return piece;
    });
    return found.flatMap((piece) => withoutUnused(piece, halves));
  };
}

/** Merges neighbours until none are found: those of the highest score first, of equal ones the leftmost. */
export function mergeParts(parts: Part[], find: (first: string, second: string) => Merge | undefined): string[] {
  const pairs = new Heap<Pair>((a, b) => a.score > b.score || (a.score === b.score && a.left < b.left));
  const offer = (left: number, right: number) => {
    const [first, second] = [parts[left], parts[right]];
    if (!first || !second || first.isFrozen || second.isFrozen) return;
    const merge = find(first.text, second.text);
    if (!merge) return;
    pairs.push({ left, right, score: merge.score, text: merge.text, length: first.text.length + second.text.length });
  };
  for (let index = 1; index < parts.length; index++) offer(index - 1, index);
  for (let pair = pairs.pop(); pair; pair = pairs.pop()) {
    const [left, right] = [parts[pair.left] as Part, parts[pair.right] as Part];
    const isThere = left.text !== '' && right.text !== '' && left.text.length + right.text.length === pair.length;
    if (!isThere) continue;
    left.text = pair.text;
    right.text = '';
    left.next = right.next;
    const after = parts[right.next];
    if (after) after.previous = pair.left;
    offer(left.previous, pair.left);
    offer(pair.left, left.next);
  }
  return parts.flatMap(({ text }) => (text === '' ? [] : text));
}

/** Parts that are all merged. */
export function partsOfTexts(texts: readonly string[]): Part[] {
  return texts.map((text, index) => ({ text, previous: index - 1, next: index + 1, isFrozen: false }));
}

/** Characters and the longest symbols of the user's. */
function partsOf(text: string, symbols: SortedPieces): Part[] {
  const units = codeUnits(text);
  const parts: Part[] = [];
  for (let start = 0, end = 0; start < text.length; start = end) {
    let isFrozen = false;
    end = start + String.fromCodePoint(text.codePointAt(start) as number).length;
    symbols.visit(units, start, (_, longest) => {
      end = longest;
      isFrozen = true;
    });
    parts.push({ text: text.slice(start, end), previous: parts.length - 1, next: parts.length + 1, isFrozen });
  }
  return parts;
}

function withoutUnused(text: string, halves: ReadonlyMap<string, readonly [string, string]>): string[] {
  return halves.get(text)?.flatMap((half) => withoutUnused(half, halves)) ?? [text];
}
