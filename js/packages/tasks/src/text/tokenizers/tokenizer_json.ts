/** Tokenizers of Hugging Face. */

import { Tokenizer } from '@huggingface/tokenizers';
import { TokenizerError } from '../errors.js';
import type { JsonSource, TextTokenizer } from '../tokenizer.js';
import { checkTokenizerJson } from './check_tokenizer_json.js';
import { useLinearModel } from './linear_model.js';

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
