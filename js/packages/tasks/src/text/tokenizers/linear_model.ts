/** WordPiece and unigram models whose time grows with a text as its length: the library's grows with its square or cube. */

import type { TokenizerModel } from '@huggingface/tokenizers';
import { PIECE } from './sentence_piece_model.js';
import { unigram } from './unigram.js';
import { wordPiece } from './word_piece.js';

/** Replaces how a model cuts words; BPE stays. */
export function useLinearModel(model: TokenizerModel): void {
  const { max_input_chars_per_word: maxLetters, scores } = model;
  if (maxLetters !== undefined) model.encode = wordPieceOf(model, maxLetters);
  if (scores === undefined) return;
  model.encode = unigramOf(model, scores);
  model.fuse_unk = false;
}

function wordPieceOf({ config, tokens_to_ids: ids, unk_token: unknown = '' }: TokenizerModel, maxLetters: number) {
  const cut = wordPiece([...ids.keys()], config.continuing_subword_prefix ?? '##');
  const isLong = (word: string) => word.length > maxLetters && Array.from(word).length > maxLetters;
  return (words: readonly string[]) => words.flatMap((word) => (isLong(word) ? null : cut(word)) ?? unknown);
}

function unigramOf({ vocab, tokens_to_ids: ids, unk_token_id: unknownId }: TokenizerModel, scores: readonly number[]) {
  const pieces = vocab.map((text, id) => {
    return { text, score: scores[id] as number, type: id === unknownId ? PIECE.unknown : PIECE.normal };
  });
  const cut = unigram(pieces, Float64Array);
  const isUnknown = (piece: string) => (ids.get(piece) ?? unknownId) === unknownId;
  return (words: readonly string[]) => {
    const result: string[] = [];
    let isAfterUnknown = false;
    for (const piece of words.flatMap(cut)) {
      if (isAfterUnknown && isUnknown(piece)) result.push(result.pop() + piece);
      else result.push(piece);
      isAfterUnknown = isUnknown(piece);
    }
    return result;
  };
}
