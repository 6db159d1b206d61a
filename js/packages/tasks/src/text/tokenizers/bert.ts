/** WordPiece as TFLite's task library uses it for BERT: words are split like tensorflow_text's, and not normalized. */

import { TokenizerError } from '../errors.js';
import type { BertSource, TextTokenizer } from '../tokenizer.js';
import { nonEmptyLines } from './lines.js';
import { wordPiece } from './word_piece.js';

const UNKNOWN = '[UNK]';
const MAX_WORD_BYTES = 100;
// White space is ASCII's only: a no-break space is part of a word.
const SINGLE = String.raw`!-\/:-@\[-\x60\{-~\p{P}\u{3400}-\u{4DBF}\u{4E00}-\u{9FFF}\u{F900}-\u{FAFF}\u{20000}-\u{2A6DF}\u{2A700}-\u{2CEAF}\u{2F800}-\u{2FA1F}`;
const WORDS = new RegExp(`[${SINGLE}]|[^\\t\\n\\f\\r ${SINGLE}]+`, 'gu');

/**
 * Reads a vocabulary.
 *
 * @throws TokenizerError where it is empty.
 */
export function bertTokenizer({ vocabulary }: BertSource): TextTokenizer {
  const ids = new Map(nonEmptyLines(vocabulary).map((piece, id) => [piece, id]));
  if (ids.size === 0) throw new TokenizerError('The vocabulary is empty: a WordPiece vocabulary has a piece a line.');
  const cut = wordPiece([...ids.keys()], '##');
  const encoder = new TextEncoder();
  const isLong = (word: string) => encoder.encode(word).length > MAX_WORD_BYTES;
  return {
    tokenize: (text) => {
      const words = text.match(WORDS) ?? [];
      return words.flatMap((word) => (isLong(word) ? null : cut(word)) ?? UNKNOWN);
    },
    idOf: (piece) => ids.get(piece),
    unknownId: ids.get(UNKNOWN) ?? 0,
  };
}
