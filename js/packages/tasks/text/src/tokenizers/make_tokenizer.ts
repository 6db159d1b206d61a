/** Makes tokenizers; loaded when the first one is made. */

import { checkArguments } from 'tflite-webnn';
import { BYTES, type Members, TEXT } from '../../../../core/src/argument_kinds.js';
import { TokenizerError } from '../errors.js';
import type { TextTokenizer, TokenizerSource } from '../tokenizer.js';
import { bertTokenizer } from './bert.js';
import { regexTokenizer } from './regex.js';
import { sentencePieceTokenizer } from './sentence_piece.js';

const FILES = new Map<string, Members>([
  ['bert', { vocabulary: TEXT }],
  ['sentencePiece', { model: BYTES }],
  ['regex', { vocabulary: TEXT, delimiter: TEXT }],
  ['tokenizer.json', { json: TEXT }],
]);

/** @throws TokenizerError */
export async function makeTokenizer(source: TokenizerSource): Promise<TextTokenizer> {
  const { tokenize, idOf, unknownId } = await tokenizerFor(source);
  return {
    tokenize(text) {
      checkArguments('tokenize', { text }, { text: TEXT }, (...given) => new TokenizerError(...given));
      return tokenize(text);
    },
    idOf(piece) {
      if (typeof piece !== 'string')
        checkArguments('idOf', { piece }, { piece: TEXT }, (...given) => new TokenizerError(...given));
      return idOf(piece);
    },
    unknownId,
  };
}

async function tokenizerFor(source: TokenizerSource): Promise<TextTokenizer> {
  const members = FILES.get(source?.kind);
  if (members)
    checkArguments('openTokenizer', { source }, { source: members }, (...given) => new TokenizerError(...given));
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
        "A tokenizer's source is made of its files: " +
          '{ kind: "bert", vocabulary }, { kind: "sentencePiece", model }, ' +
          '{ kind: "regex", vocabulary, delimiter } or { kind: "tokenizer.json", json }.',
      );
  }
}
