/** SentencePiece's normalization: its rules, white space as visible marks, one before the first word. */

import { Charsmap } from './charsmap.js';
import { PIECE, type SentencePieceModel } from './sentence_piece_model.js';

const MARK = '\u2581';

/** Normalizes text. */
export class SentencePieceNormalizer {
  readonly #rules: Charsmap;
  /** Symbols that stay as they are, in UTF-8, the longest first. */
  readonly #symbols: readonly Uint8Array[];
  readonly #addDummyPrefix: boolean;
  readonly #removeExtraWhitespaces: boolean;

  constructor({ pieces, charsmap, addDummyPrefix, removeExtraWhitespaces }: SentencePieceModel) {
    const symbols = pieces.filter(({ type }) => type === PIECE.userDefined);
    this.#rules = new Charsmap(charsmap);
    this.#symbols = symbols.map(({ text }) => new TextEncoder().encode(text)).sort((a, b) => b.length - a.length);
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
      isAfterSpace = this.#removeExtraWhitespaces && kept.endsWith(' ');
    }
    if (this.#removeExtraWhitespaces) normalized = normalized.replace(/ +$/u, '');
    if (normalized === '') return '';
    return (this.#addDummyPrefix ? MARK : '') + normalized.replaceAll(' ', MARK);
  }

  #next(bytes: Uint8Array, at: number): { text: string; sizeBytes: number } {
    const symbol = this.#symbols.find((candidate) => candidate.every((byte, index) => bytes[at + index] === byte));
    const rule = symbol === undefined ? this.#rules.find(bytes, at) : null;
    if (rule !== null) return rule;
    const sizeBytes = symbol?.length ?? lengthOf(bytes[at] as number);
    return { text: new TextDecoder().decode(bytes.subarray(at, at + sizeBytes)), sizeBytes };
  }
}

/** Bytes of a character of UTF-8, by its first one. */
function lengthOf(first: number): number {
  if (first < 0xc0) return 1;
  if (first < 0xe0) return 2;
  return first < 0xf0 ? 3 : 4;
}
