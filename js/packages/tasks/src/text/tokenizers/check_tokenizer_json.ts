/** Limits of a tokenizer.json: what it holds may not keep a page busy. */

import { TokenizerError } from '../tokenizer.js';
import { checkExpressions, matchesNothing } from './expression_cost.js';
import { MAX_GROWTH_OF_RULES } from './json_normalizer.js';
import { prefixProblem } from './sorted_pieces.js';

/** Maximum letters of a piece, and of a text that is searched for. */
const MAX_LETTERS = 1000;
/** The same where a text is searched for at each letter: added tokens, and pieces of unigram models, which have 16. */
const MAX_TRIE_LETTERS = 100;
/** Maximum letters of a word for WordPiece, whose time grows with their square. */
const MAX_WORD_LETTERS = 100;
/** Maximum letters of a prefix or suffix of pieces. */
const MAX_AFFIX_LETTERS = 20;
/** Maximum number of unigram pieces of which each is a prefix of the next: all are tried at each letter. */
const MAX_PREFIXES = 20;
/** Maximum letters that one letter may become by all replacements together. */
const MAX_GROWTH = 100;
const [MAX_DEPTH, MAX_PARTS] = [100, 100];
const AFFIXES = ['continuing_subword_prefix', 'continuing_subword_suffix', 'end_of_word_suffix'];
/**
 * How many times longer these normalizers make a text at most: spaces around a Chinese character, a space and the bytes
 * of UTF-8, SentencePiece's rules.
 */
const GROWTH_OF: Readonly<Record<string, number>> = {
  BertNormalizer: 3,
  ByteLevel: 4,
  Precompiled: MAX_GROWTH_OF_RULES,
};
/** Texts that a part writes. */
const WRITTEN = ['content', 'prepend', 'replacement'];

type Json = Readonly<Record<string, unknown>>;

/** @throws TokenizerError where a limit is passed. */
export function checkTokenizerJson(content: unknown): void {
  const { normalizer, pre_tokenizer: splitter, model, added_tokens: added } = object(content);
  const parts = partsIn([normalizer, splitter], 0);
  if (parts.filter(({ type }) => typeof type === 'string').length > MAX_PARTS)
    reject(`it prepares a text in more than ${MAX_PARTS} steps`);
  checkExpressions(parts.flatMap(({ Regex: expression }) => (typeof expression === 'string' ? expression : [])));
  for (const part of parts) checkPart(part);
  const growth = parts.reduce((product, part) => product * growthOf(part), 1);
  if (growth > MAX_GROWTH) reject(`its replacements turn one letter into more than ${MAX_GROWTH}`);
  checkModel(object(model));
  for (const token of Array.isArray(added) ? added : []) checkPiece(object(token).content, MAX_TRIE_LETTERS);
}

function checkModel(model: Json): void {
  const { vocab, max_input_chars_per_word: longestWord } = model;
  if (!(Number(longestWord ?? 0) <= MAX_WORD_LETTERS))
    reject(`max_input_chars_per_word is ${JSON.stringify(longestWord)}, not up to ${MAX_WORD_LETTERS}`);
  for (const affix of AFFIXES) {
    if (String(model[affix] ?? '').length > MAX_AFFIX_LETTERS)
      reject(`its ${affix} has more than ${MAX_AFFIX_LETTERS} letters`);
  }
  const isUnigram = Array.isArray(vocab);
  const pieces: unknown[] = isUnigram ? vocab.map((entry) => entry?.[0]) : Object.keys(object(vocab));
  for (const piece of pieces) checkPiece(piece, isUnigram ? MAX_TRIE_LETTERS : MAX_LETTERS);
  const problem = isUnigram ? prefixProblem((pieces as string[]).sort(), MAX_PREFIXES) : null;
  if (problem !== null) reject(problem);
}

function checkPiece(piece: unknown, maxLetters: number): void {
  if (typeof piece !== 'string') reject(`a piece is ${JSON.stringify(piece)?.slice(0, 80)}, which is no text`);
  if (piece.length > maxLetters) reject(`a piece has ${piece.length} letters, more than ${maxLetters}`);
}

/** All objects in a value. */
function partsIn(value: unknown, depth: number): Json[] {
  if (typeof value !== 'object' || value === null) return [];
  if (depth > MAX_DEPTH) reject(`it is nested more than ${MAX_DEPTH} deep`);
  return [value as Json, ...Object.values(value).flatMap((inner) => partsIn(inner, depth + 1))];
}

function checkPart(part: Json): void {
  const { type, String: literal, delimiter, length } = part;
  for (const searched of [literal, delimiter]) {
    if (typeof searched === 'string' && searched.length > MAX_LETTERS)
      reject(`it searches for a text of ${searched.length} letters, more than ${MAX_LETTERS}`);
  }
  for (const text of WRITTEN.map((key) => part[key] ?? '')) {
    if (typeof text !== 'string') reject(`its replacement ${JSON.stringify(text).slice(0, 80)} is no text`);
  }
  if (type === 'FixedLength' && !(Number.isInteger(length) && Number(length) > 0))
    reject(`its pieces have a fixed length of ${JSON.stringify(length)}`);
}

/** Maximum number of letters that a part writes for one. */
function growthOf(part: Json): number {
  const { type, content, prepend, replacement, pattern } = part;
  const { Regex: expression, String: literal } = object(pattern);
  const own = GROWTH_OF[String(type)] ?? 1;
  if (type === 'Metaspace') return 1 + lettersOf(replacement);
  if (typeof prepend === 'string') return 1 + lettersOf(prepend);
  if (typeof content !== 'string') return own;
  const isEverywhere = literal === '' || (typeof expression === 'string' && matchesNothing(expression));
  return Math.max(1, lettersOf(content) + (isEverywhere ? 1 : 0));
}

/** Also for the output of a normalization. */
function lettersOf(text: unknown): number {
  return typeof text === 'string' ? text.normalize('NFKD').toLowerCase().length : 1;
}

function object(value: unknown): Json {
  return typeof value === 'object' && value !== null ? (value as Json) : {};
}

function reject(reason: string): never {
  throw new TokenizerError(`The tokenizer.json could keep a page busy: ${reason}.`);
}
