/** Tokenizers of Hugging Face. */

import { type JsonSource, type TextTokenizer, TokenizerError } from '../tokenizer.js';
import { addedTokensOf } from './added_tokens.js';
import { checkTokenizerJson } from './check_tokenizer_json.js';
import { modelOf } from './json_models.js';
import { normalizerOf } from './json_normalizer.js';
import type { Json } from './json_patterns.js';
import { wordCutterOf } from './json_pre_tokenizer.js';

/**
 * Reads a tokenizer.json.
 *
 * @throws TokenizerError where it is none, or has parts that this package lacks.
 */
export function jsonTokenizer({ json }: JsonSource): TextTokenizer {
  try {
    const content = JSON.parse(json);
    checkTokenizerJson(content);
    return tokenizerOf(content);
  } catch (cause) {
    if (cause instanceof TokenizerError) throw cause;
    // JSON.parse() and the factories of parts throw nothing but errors.
    throw new TokenizerError(`The tokenizer.json cannot be used: ${(cause as Error).message}.`, { cause });
  }
}

/** Whoever writes text decodes pieces, and no special token is added: decoder and post-processor do not count. */
function tokenizerOf({
  normalizer,
  pre_tokenizer: splitter,
  model: config,
  added_tokens: provided,
}: Json): TextTokenizer {
  const [normalize, cutWords, model] = [normalizerOf(normalizer), wordCutterOf(splitter), modelOf(config as Json)];
  const { tokens, inText, inNormalized } = addedTokensOf(provided, normalize);
  const ids = new Map([...model.ids, ...tokens.map(({ content, id }) => [content, id] as const)]);
  const pieces: string[] = [];
  for (const [piece, id] of ids) pieces[id] = piece;
  const unknownId = model.unknownId ?? 0;
  // A letter that the model lacks may be an added token elsewhere.
  const ofModel = (piece: string) => (ids.has(piece) && !model.ids.has(piece) ? (pieces[unknownId] ?? piece) : piece);
  const special = new Set(tokens.flatMap((token) => (token.special ? token.id : [])));
  return {
    tokenize: (text) =>
      inText(text).flatMap((section) => {
        if (section.token) return section.token.content;
        return inNormalized(normalize?.(section.text) ?? section.text).flatMap((part) => {
          if (part.token) return part.token.content;
          const word = { text: part.text, isFirst: section.isFirst && part.isFirst };
          return (cutWords?.([word]) ?? [word]).flatMap(({ text: letters }) => model.cut(letters).map(ofModel));
        });
      }),
    idOf: (piece) => ids.get(piece),
    pieceOf: (id) => (special.has(id) ? '' : pieces[id]),
    unknownId,
  };
}
