/** Limits of a tokenizer.json: what it holds may not keep a page busy. */

import { TokenizerError } from '../errors.js';
import { checkExpression } from './expression_cost.js';
import { prefixProblem } from './sorted_pieces.js';

/** Letters of a piece, and of a word that WordPiece cuts. */
const MAX_LETTERS = 1000;
/** Letters that one may become by all replacements together. */
const MAX_GROWTH = 100;
const MAX_DEPTH = 100;
/** JavaScript reads these in a replacement. */
const SPECIAL = /\$[$&`'<\d]/u;

type Json = Readonly<Record<string, unknown>>;

/** @throws TokenizerError where a limit is passed. */
export function checkTokenizerJson(content: unknown): void {
  const {
    normalizer,
    pre_tokenizer: splitter,
    decoder,
    post_processor: ends,
    model,
    added_tokens: added,
  } = object(content);
  const growth = [normalizer, splitter, decoder, ends].map((part) => growthOf(part, 0)).reduce((a, b) => a * b);
  if (growth > MAX_GROWTH) reject(`its replacements make more than ${MAX_GROWTH} letters of one`);
  const { vocab, max_input_chars_per_word: longestWord = 0 } = object(model);
  if (Number(longestWord) > MAX_LETTERS) reject(`max_input_chars_per_word is ${longestWord}, more than ${MAX_LETTERS}`);
  const listed = Array.isArray(vocab) ? vocab.map((entry) => entry?.[0]) : Object.keys(object(vocab));
  const problem = object(model).type === 'Unigram' ? prefixProblem(listed.map(String).sort()) : null;
  if (problem !== null) reject(problem);
  const tokens = Array.isArray(added) ? added.map((token) => object(token).content) : [];
  for (const piece of [...listed, ...tokens]) {
    if (String(piece).length > MAX_LETTERS)
      reject(`a piece has ${String(piece).length} letters, more than ${MAX_LETTERS}`);
  }
}

/** How many letters all replacements in a part make of one. */
function growthOf(part: unknown, depth: number): number {
  if (typeof part !== 'object' || part === null) return 1;
  if (depth > MAX_DEPTH) reject(`it is nested more than ${MAX_DEPTH} deep`);
  const { Regex: expression, content, prepend } = part as Json;
  if (typeof expression === 'string') checkExpression(expression);
  if (typeof content === 'string' && SPECIAL.test(content))
    reject(`its replacement ${JSON.stringify(content)} has a $`);
  const own = [content, prepend].map((text) => (typeof text === 'string' ? Math.max(1, text.length) : 1));
  const inner = Object.values(part).map((value) => growthOf(value, depth + 1));
  return [...own, ...inner].reduce((a, b) => a * b, 1);
}

function object(value: unknown): Json {
  return typeof value === 'object' && value !== null ? (value as Json) : {};
}

function reject(reason: string): never {
  throw new TokenizerError(`The tokenizer.json could keep a page busy: ${reason}.`);
}
