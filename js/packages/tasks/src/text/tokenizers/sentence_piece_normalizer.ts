/** SentencePiece's normalization: its rules, white space as visible marks, one before the first word. */

import { TokenizerError } from '../errors.js';
import { Charsmap } from './charsmap.js';
import { PIECE, type SentencePieceModel } from './sentence_piece_model.js';
import { SortedPieces } from './sorted_pieces.js';

const MARK = '\u2581';
/** How much longer than a text its rules may make it; NFKC makes 11 bytes of one. */
const MAX_GROWTH = 20;
/** Of short texts, for which rules may write more. */
const MIN_LIMIT = 1000;

/** Normalizes text. */
export class SentencePieceNormalizer {
  readonly #rules: Charsmap;
  /** Symbols that stay as they are, in UTF-8, a letter a byte. */
  readonly #symbols: SortedPieces;
  readonly #addDummyPrefix: boolean;
  readonly #removeExtraWhitespaces: boolean;

  constructor({ pieces, charsmap, addDummyPrefix, removeExtraWhitespaces }: SentencePieceModel) {
    const symbols = pieces.filter(({ type }) => type === PIECE.userDefined);
    this.#rules = new Charsmap(charsmap);
    this.#symbols = new SortedPieces(symbols.map(({ text }) => lettersOf(new TextEncoder().encode(text))));
    this.#addDummyPrefix = addDummyPrefix;
    this.#removeExtraWhitespaces = removeExtraWhitespaces;
  }

  /** The text as pieces are cut of it; empty where nothing is left of it. */
  normalize(text: string): string {
    const bytes = new TextEncoder().encode(text);
    let normalized = '';
    let isAfterSpace = this.#removeExtraWhitespaces;
    for (let at = 0; at < bytes.length; ) {
      const next = this.#next(bytes, at);
      at += next.sizeBytes;
      const kept = isAfterSpace ? next.text.replace(/^ +/u, '') : next.text;
      if (kept === '') continue;
      normalized += kept;
      if (normalized.length > MAX_GROWTH * bytes.length + MIN_LIMIT) {
        throw new TokenizerError(
          `The rules of the SentencePiece model make the text more than ${MAX_GROWTH} times longer.`,
        );
      }
      isAfterSpace = this.#removeExtraWhitespaces && kept.endsWith(' ');
    }
    if (this.#removeExtraWhitespaces) normalized = withoutLastSpaces(normalized);
    if (normalized === '') return '';
    return (this.#addDummyPrefix ? MARK : '') + normalized.replaceAll(' ', MARK);
  }

  #next(bytes: Uint8Array, at: number): { text: string; sizeBytes: number } {
    let symbolBytes = 0;
    this.#symbols.visit(bytes, at, (_, end) => {
      symbolBytes = end - at;
    });
    const rule = symbolBytes === 0 ? this.#rules.find(bytes, at) : null;
    if (rule !== null) return rule;
    const sizeBytes = symbolBytes || lengthOf(bytes[at] as number);
    return { text: new TextDecoder().decode(bytes.subarray(at, at + sizeBytes)), sizeBytes };
  }
}

/** Reads no letter twice, as an expression would. */
function withoutLastSpaces(text: string): string {
  let end = text.length;
  while (text[end - 1] === ' ') end--;
  return text.slice(0, end);
}

function lettersOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
}

/** Bytes of a character of UTF-8, by its first one. */
function lengthOf(first: number): number {
  if (first < 0xc0) return 1;
  if (first < 0xe0) return 2;
  return first < 0xf0 ? 3 : 4;
}
