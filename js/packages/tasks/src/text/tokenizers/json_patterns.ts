/** Patterns of a tokenizer.json, and classes of characters as Rust has them. */

import { SplitPreTokenizer } from '@huggingface/tokenizers';

export type Json = Readonly<Record<string, unknown>>;

/** Rust's `\w`, to be used inside of a character class. */
export const WORD = String.raw`\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\p{Join_Control}`;
/** Unicode's punctuation and all of ASCII's, to be used inside of a character class. */
export const PUNCTUATION = String.raw`\p{P}$+<=>^\x60|~`;

const SYNTAX = /[\\^$.*+?()[\]{}|/]/gu;

/** The expression of a pattern; the library translates those of Oniguruma. */
export function expressionOf(pattern: unknown): RegExp {
  const { Regex: expression, String: literal } = (pattern ?? {}) as Json;
  if (typeof literal === 'string') return new RegExp(literal.replace(SYNTAX, String.raw`\$&`), 'gu');
  const found =
    typeof expression === 'string' ? new SplitPreTokenizer({ pattern: { Regex: expression } }).pattern : null;
  if (found === null) throw new TypeError(`the pattern ${JSON.stringify(pattern)?.slice(0, 80)} is unknown`);
  return found;
}

/** What creates a part, by the type that the file names. */
export type Factories<Part> = Readonly<Record<string, (config: Json) => Part>>;

/**
 * Creates a part of a tokenizer.json.
 *
 * @throws TypeError for a type that is not supported.
 */
export function partOf<Part>(config: unknown, factories: Factories<Part>): Part {
  const { type } = (config ?? {}) as Json;
  const create = Object.hasOwn(factories, String(type)) ? factories[String(type)] : undefined;
  if (create === undefined) throw new TypeError(`its part ${String(type).slice(0, 80)} is not supported`);
  return create(config as Json);
}

/** A list of parts; none where the file has none. */
export function partsOf<Part>(configs: unknown, factories: Factories<Part>): Part[] {
  return (Array.isArray(configs) ? configs : []).map((config) => partOf(config, factories));
}
