/** Makes tokenizers; loaded with the library when the first one is made. */

import { TokenizerError } from '../errors.js';
import type { TextTokenizer, TokenizerSource } from '../tokenizer.js';
import { bertTokenizer } from './bert.js';
import { regexTokenizer } from './regex.js';
import { sentencePieceTokenizer } from './sentence_piece.js';
import { jsonTokenizer } from './tokenizer_json.js';

/** @throws TokenizerError */
export function makeTokenizer(source: TokenizerSource): TextTokenizer {
  switch (source?.kind) {
    case 'bert':
      return bertTokenizer(source);
    case 'sentencePiece':
      return sentencePieceTokenizer(source);
    case 'regex':
      return regexTokenizer(source);
    case 'tokenizer.json':
      return jsonTokenizer(source);
    default:
      throw new TokenizerError(
        'A tokenizer is made of its files: { kind: "bert", vocabulary }, { kind: "sentencePiece", model }, ' +
          '{ kind: "regex", vocabulary, delimiter } or { kind: "tokenizer.json", json }.',
      );
  }
}
