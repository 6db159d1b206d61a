/** SentencePiece's normalization: its precompiled rules, and its white space. */

import { TokenizerError } from '../tokenizer.js';
import { PIECE, type SentencePieceModel } from './sentence_piece_model.js';
import { SortedPieces } from './sorted_pieces.js';

/** Bytes that a rule may read, and that it may write; NFKC's longest writes 33. */
const MAX_RULE_BYTES = 1000;

/** U+FEFF is a character of texts. */
const WITH_BOM: TextDecoderOptions = { ignoreBOM: true };

/** The replacement of a piece of text. */
export interface Replacement {
  readonly text: string;
  /** Size of the original. */
  readonly sizeBytes: number;
}

/** A trie as a double array (Darts), and texts that end with a zero. */
export class Charsmap {
  readonly #trie: Uint32Array;
  readonly #texts: Uint8Array;
  readonly #decoder = new TextDecoder('utf-8', WITH_BOM);

  /** @throws TokenizerError where the trie is not in the bytes. */
  constructor(bytes: Uint8Array) {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const trieBytes = bytes.length < 4 ? 0 : view.getUint32(0, true);
    if (bytes.length > 0 && (trieBytes === 0 || trieBytes % 4 !== 0 || trieBytes + 4 > bytes.length)) {
      throw new TokenizerError(
        'The SentencePiece model is damaged: its rules of normalization are cut. Fetch it again.',
      );
    }
    // A copy, also of Node's Buffer, whose slice() is none.
    this.#trie = new Uint32Array(Uint8Array.from(bytes.subarray(4, 4 + trieBytes)).buffer);
    this.#texts = bytes.subarray(4 + trieBytes);
  }

  /**
   * The longest rule for what begins at a byte of UTF-8 text; null without one.
   *
   * @param isShortest - Whether the shortest one is searched for.
   * @throws TokenizerError where it reads or writes too much.
   */
  find(text: Uint8Array, at: number, isShortest = false): Replacement | null {
    let node = offsetOf(this.#trie[0] ?? 0);
    let found: { value: number; sizeBytes: number } | null = null;
    for (let end = at; end < text.length; end++) {
      const byte = text[end] as number;
      if (end - at === MAX_RULE_BYTES) tooLong('reads');
      node ^= byte;
      const unit = this.#trie[node];
      if (unit === undefined || (unit & 0x800000ff) >>> 0 !== byte) break;
      node ^= offsetOf(unit);
      if (unit & 0x100) found = { value: (this.#trie[node] ?? 0) & 0x7fffffff, sizeBytes: end + 1 - at };
      if (found && isShortest) break;
    }
    return found && { text: this.#textAt(found.value), sizeBytes: found.sizeBytes };
  }

  #textAt(start: number): string {
    const text = this.#texts.slice(start, start + MAX_RULE_BYTES + 1); // shared memory cannot be decoded
    const end = text.indexOf(0);
    if (end >= 0) return this.#decoder.decode(text.subarray(0, end));
    return text.length <= MAX_RULE_BYTES ? this.#decoder.decode(text) : tooLong('writes');
  }
}

function tooLong(what: string): never {
  throw new TokenizerError(
    `A rule of the SentencePiece model ${what} more than ${MAX_RULE_BYTES} bytes for some letters.`,
  );
}

function offsetOf(unit: number): number {
  return ((unit >>> 10) << ((unit & 0x200) >>> 6)) >>> 0;
}

const MARK = '\u2581';
/** How many times longer the rules may make a text; NFKC writes 11 bytes for one. */
const MAX_GROWTH = 20;
/** Bytes that are allowed in addition, because rules may lengthen short texts more. */
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
    if (text === '') return '';
    const marked = (this.#addDummyPrefix ? MARK : '') + normalized.replaceAll(' ', MARK);
    return this.#removeExtraWhitespaces ? withoutLastMarks(marked) : marked;
  }

  #next(bytes: Uint8Array, at: number): { text: string; sizeBytes: number } {
    let symbolBytes = 0;
    this.#symbols.visit(bytes, at, (_, end) => {
      symbolBytes = end - at;
    });
    const rule = symbolBytes === 0 ? this.#rules.find(bytes, at) : null;
    if (rule !== null) return rule;
    const sizeBytes = symbolBytes || lengthOf(bytes[at] as number);
    return { text: new TextDecoder('utf-8', WITH_BOM).decode(bytes.subarray(at, at + sizeBytes)), sizeBytes };
  }
}

/** Reads no letter twice, as an expression would. */
function withoutLastMarks(text: string): string {
  let end = text.length;
  while (text[end - 1] === MARK) end--;
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
