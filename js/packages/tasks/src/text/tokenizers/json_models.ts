/** How the models of a tokenizer.json cut words, as Hugging Face's `tokenizers` does it. */

import { type Merge, mergeParts, partsOfTexts } from './bpe.js';
import type { Json } from './json_patterns.js';
import { bytePieces } from './sentence_piece.js';
import { PIECE } from './sentence_piece_model.js';
import { wordPiece } from './sorted_pieces.js';
import { unigram } from './unigram.js';

type Ids = ReadonlyMap<string, number>;

/** The model of a tokenizer.json. */
export interface JsonModel {
  /** Ids by piece. */
  readonly ids: Ids;
  /** The id of unknown pieces; undefined where the file names none. */
  readonly unknownId: number | undefined;
  cut(word: string): string[];
}

type Cut = JsonModel['cut'];

const CUTTERS: Readonly<Record<string, (config: Json, ids: Ids, unknown: string | undefined) => Cut>> = {
  BPE: bpeCutter,
  WordLevel: (_, ids, unknown) => (word) => (ids.has(word) || unknown === undefined ? [word] : [unknown]),
  WordPiece: wordPieceCutter,
};
/** The unknown token of a file that does not name one. */
const UNKNOWN: Readonly<Record<string, string>> = { WordLevel: '<unk>', WordPiece: '[UNK]' };

/** @throws TypeError for a model of another kind. */
export function modelOf(config: Json): JsonModel {
  const type = String(config.type ?? typeOf(config));
  if (type === 'Unigram') return unigramModel(config);
  const cutter = Object.hasOwn(CUTTERS, type) ? CUTTERS[type] : undefined;
  if (cutter === undefined) throw new TypeError(`its model ${type.slice(0, 80)} is not supported`);
  const ids: Ids = new Map(Object.entries(config.vocab as Record<string, number>));
  const { unk_token: unknown = UNKNOWN[type] } = config as { readonly unk_token?: string };
  return { ids, unknownId: ids.get(unknown ?? ''), cut: cutter(config, ids, unknown ?? undefined) };
}

/** Infers the type of a model: old files do not name it. */
function typeOf({ vocab, merges, continuing_subword_prefix: prefix }: Json): string {
  if (Array.isArray(vocab)) return 'Unigram';
  if (merges !== undefined) return 'BPE';
  return prefix === undefined ? 'WordLevel' : 'WordPiece';
}

interface BpeConfig extends Json {
  readonly merges?: readonly (string | readonly [left: string, right: string])[];
  readonly continuing_subword_prefix?: string | null;
  readonly end_of_word_suffix?: string | null;
}

function bpeCutter(config: Json, ids: Ids, unknown: string | undefined): Cut {
  const { merges = [], ignore_merges: ignores, continuing_subword_prefix: prefix }: BpeConfig = config;
  const found = new Map<string, Merge>();
  merges.forEach((merge, rank) => {
    const [left = '', right = ''] = typeof merge === 'string' ? merge.split(' ', 2) : merge;
    found.set(pairOf(left, right), { score: -rank, text: left + right.slice(prefix?.length ?? 0) });
  });
  const cutLetters = letterCutter(config, ids, unknown);
  return (word) => {
    if (ignores && ids.has(word)) return [word];
    return mergeParts(partsOfTexts(cutLetters(word)), (left, right) => found.get(pairOf(left, right)));
  };
}

/** A key for two texts, whatever characters they have. */
function pairOf(left: string, right: string): string {
  return `${left.length} ${left}${right}`;
}

/** Cuts a word into its characters as pieces: unknown ones into bytes, if the model has these. */
function letterCutter(config: BpeConfig, ids: Ids, unknown: string | undefined): Cut {
  const { fuse_unk: fuses, byte_fallback: hasBytes } = config;
  const knownOf = (piece: string) => (ids.has(piece) ? [piece] : hasBytes ? knownBytes(piece, ids) : null);
  return (word) => {
    const known = lettersOf(word, config).map(knownOf);
    const isFused = (index: number) => fuses && index > 0 && known[index - 1] === null;
    return known.flatMap((pieces, index) => pieces ?? (unknown === undefined || isFused(index) ? [] : unknown));
  };
}

/** The characters of a word, with the prefix of pieces inside of words and the suffix of those at the end. */
function lettersOf(word: string, config: BpeConfig): string[] {
  const { continuing_subword_prefix: prefix, end_of_word_suffix: suffix } = config;
  const letters = Array.from(word, (letter, index) => (index > 0 ? (prefix ?? '') : '') + letter);
  return letters.map((letter, index) => (index === letters.length - 1 ? letter + (suffix ?? '') : letter));
}

/** The bytes of a text as pieces; null where one is missing. */
function knownBytes(text: string, ids: Ids): string[] | null {
  const pieces = bytePieces(text);
  return pieces.every((piece) => ids.has(piece)) ? pieces : null;
}

function wordPieceCutter(config: Json, ids: Ids, unknown = ''): Cut {
  const { max_input_chars_per_word: maxLetters = 100, continuing_subword_prefix: prefix } = config;
  const cut = wordPiece([...ids.keys()], String(prefix ?? '##'));
  const isLong = (word: string) => word.length > Number(maxLetters) && Array.from(word).length > Number(maxLetters);
  return (word) => (isLong(word) ? null : cut(word)) ?? [unknown];
}

/** Unlike in SentencePiece, all pieces are found in text, the unknown one, too. */
function unigramModel(config: Json): JsonModel {
  const { vocab, unk_id: unknownId = null, byte_fallback: hasBytes } = config as unknown as UnigramConfig;
  const ids: Ids = new Map(vocab.map(([text], id) => [text, id]));
  const cut = unigram(
    vocab.map(([text, score]) => ({ text, score, type: PIECE.normal })),
    Float64Array,
  );
  const isUnknown = (piece: string) => (ids.get(piece) ?? unknownId) === unknownId;
  const fused = (pieces: readonly string[]) => {
    const result: string[] = [];
    let isAfterUnknown = false;
    for (const piece of pieces) {
      if (isAfterUnknown && isUnknown(piece)) result.push(result.pop() + piece);
      else result.push(piece);
      isAfterUnknown = isUnknown(piece);
    }
    return result;
  };
  return {
    ids,
    unknownId: unknownId ?? undefined,
    cut: (word) =>
      fused(cut(word)).flatMap((piece) => (hasBytes && !ids.has(piece) ? knownBytes(piece, ids) : null) ?? piece),
  };
}

interface UnigramConfig {
  readonly vocab: readonly (readonly [text: string, score: number])[];
  readonly unk_id?: number | null;
  readonly byte_fallback?: boolean;
}
