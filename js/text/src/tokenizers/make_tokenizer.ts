/** Makes tokenizers; loaded when the first one is made. */

import { TokenizerError } from '../errors.js';
import type { TextTokenizer, TokenizerSource } from '../tokenizer.js';
import { bertTokenizer } from './bert.js';
import { regexTokenizer } from './regex.js';
import { sentencePieceTokenizer } from './sentence_piece.js';

/** @throws TokenizerError */
export async function makeTokenizer(source: TokenizerSource): Promise<TextTokenizer> {
  switch (source?.kind) {
    case 'bert':
      return bertTokenizer(source);
    case 'sentencePiece':
      return sentencePieceTokenizer(source);
    case 'regex':
      return regexTokenizer(source);
    case 'tokenizer.json':
      // Only this one needs the library.
      return (await import('./tokenizer_json.js')).jsonTokenizer(source);
    default:
      throw new TokenizerError(
        'A tokenizer is made of its files: { kind: "bert", vocabulary }, { kind: "sentencePiece", model }, ' +
          '{ kind: "regex", vocabulary, delimiter } or { kind: "tokenizer.json", json }.',
      );
  }
}
