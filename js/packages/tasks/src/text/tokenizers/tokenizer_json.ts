/** Tokenizers of Hugging Face. */

import { Tokenizer, type TokenizerModel } from '@huggingface/tokenizers';
import { type JsonSource, type TextTokenizer, TokenizerError } from '../tokenizer.js';
import { checkTokenizerJson } from './check_tokenizer_json.js';
import { PIECE } from './sentence_piece_model.js';
import { wordPiece } from './sorted_pieces.js';
import { unigram } from './unigram.js';

/**
 * Reads a tokenizer.json.
 *
 * @throws TokenizerError where it is none, or has parts that the library lacks.
 */
export function jsonTokenizer({ json }: JsonSource): TextTokenizer {
  try {
    const content = JSON.parse(json);
    checkTokenizerJson(content);
    // Whoever writes text decodes pieces, and no special token is added: a file's templates would only repeat the pieces.
    const tokenizer = new Tokenizer({ ...content, decoder: null, post_processor: null }, {});
    useLinearModel(tokenizer.model);
    const added = tokenizer.get_added_tokens_decoder();
    return {
      tokenize: (text) => tokenizer.tokenize(text),
      idOf: (piece) => tokenizer.token_to_id(piece),
      pieceOf: (id) => (added.get(id)?.special ? '' : tokenizer.model.vocab[id]),
      unknownId: tokenizer.model.unk_token_id ?? 0,
    };
  } catch (cause) {
    if (cause instanceof TokenizerError) throw cause;
    // JSON.parse() and the library throw nothing but errors.
    throw new TokenizerError(`The tokenizer.json cannot be used: ${(cause as Error).message}.`, { cause });
  }
}

/** Replaces how a model cuts words, except BPE. */
function useLinearModel(model: TokenizerModel): void {
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
