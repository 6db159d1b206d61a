/** SentencePiece's precompiled rules of normalization: a trie of what is replaced, and the replacements. */

import { TokenizerError } from '../errors.js';

/** Bytes that a rule may read, and that it may write; NFKC's longest writes 33. */
const MAX_RULE_BYTES = 1000;

/** What stands at a place of a text. */
export interface Replacement {
  readonly text: string;
  /** Of the original. */
  readonly sizeBytes: number;
}

/** A trie as a double array (Darts), and texts that end with a zero. */
export class Charsmap {
  readonly #trie: Uint32Array;
  readonly #texts: Uint8Array;
  readonly #decoder = new TextDecoder();

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
   * @throws TokenizerError where it reads or writes too much.
   */
  find(text: Uint8Array, at: number): Replacement | null {
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
