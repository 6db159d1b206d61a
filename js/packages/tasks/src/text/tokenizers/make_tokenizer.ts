/** Creates tokenizers; loaded when the first one is created. */

import { checkArguments } from 'tflite-webnn';
import { BYTES, COUNT, type Members, TEXT } from 'tflite-webnn/option_schema';
import { type TextTokenizer, TokenizerError, type TokenizerSource } from '../tokenizer.js';
import { sentencePieceTokenizer } from './sentence_piece.js';
import { bertTokenizer, regexTokenizer } from './vocabularies.js';

type Factory = (source: never) => TextTokenizer | Promise<TextTokenizer>;

/** Files and factory of each kind of tokenizer. */
const KINDS = new Map<string, readonly [files: Members, create: Factory]>([
  ['bert', [{ vocabulary: TEXT }, bertTokenizer]],
  ['sentencePiece', [{ model: BYTES }, sentencePieceTokenizer]],
  ['regex', [{ vocabulary: TEXT, delimiter: TEXT }, regexTokenizer]],
  // Only this one needs the library.
  ['tokenizer.json', [{ json: TEXT }, async (source) => (await import('./tokenizer_json.js')).jsonTokenizer(source)]],
]);

const check: typeof checkArguments = (call, provided, kinds) =>
  checkArguments(call, provided, kinds, (...error) => new TokenizerError(...error));

/** @throws TokenizerError */
export async function makeTokenizer(source: TokenizerSource): Promise<TextTokenizer> {
  const tokenizer = await tokenizerFor(source);
  const { pieceOf } = tokenizer;
  return {
    ...tokenizer,
    tokenize(text) {
      check('tokenize', { text }, { text: TEXT });
      return tokenizer.tokenize(text);
    },
    idOf(piece) {
      if (typeof piece !== 'string') check('idOf', { piece }, { piece: TEXT });
      return tokenizer.idOf(piece);
    },
    ...(pieceOf && {
      pieceOf(id) {
        check('pieceOf', { id }, { id: COUNT });
        return pieceOf(id);
      },
    }),
  };
}

async function tokenizerFor(source: TokenizerSource): Promise<TextTokenizer> {
  const [files, create] = KINDS.get(source?.kind) ?? [];
  if (!files || !create) {
    throw new TokenizerError(
      "A tokenizer's source consists of its files: " +
        '{ kind: "bert", vocabulary }, { kind: "sentencePiece", model }, ' +
        '{ kind: "regex", vocabulary, delimiter } or { kind: "tokenizer.json", json }.',
    );
  }
  check('openTokenizer', { source }, { source: files });
  return create(source as never);
}
