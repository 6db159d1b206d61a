/** Tokenizers with a vocabulary of lines, as TFLite's task library has them: WordPiece for BERT, and words between matches of a regular expression. */

import { type BertSource, type RegexSource, type TextTokenizer, TokenizerError } from '../tokenizer.js';
import { checkExpressions } from './expression_cost.js';
import { wordPiece } from './sorted_pieces.js';

/** The lines that are not empty: others do not count, as in TFLite's task library. */
export function nonEmptyLines(text: string): string[] {
  return text.split(/\r?\n/).filter((line) => line !== '');
}

const UNKNOWN_PIECE = '[UNK]';
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
  const isLong = (word: string) => word.length > MAX_WORD_BYTES || encoder.encode(word).length > MAX_WORD_BYTES;
  return {
    tokenize: (text) => {
      const words = text.match(WORDS) ?? [];
      return words.flatMap((word) => (isLong(word) ? null : cut(word)) ?? UNKNOWN_PIECE);
    },
    idOf: (piece) => ids.get(piece),
    unknownId: ids.get(UNKNOWN_PIECE) ?? 0,
  };
}

type Escapes = Readonly<Record<string, string>>;

const UNKNOWN_WORD = '<UNKNOWN>';
const LINE = /^([^ ]*) (\d+)/u;
const RE2_PARTS = /\\x\{([0-9a-fA-F]+)\}|\\([pP])([A-Z])|\\([\s\S])|\[|\]/gu;
// RE2's white space is ASCII's.
const SPACES = String.raw`\t\n\f\r `;
const OUTSIDE: Escapes = { s: `[${SPACES}]`, S: `[^${SPACES}]` };
const IN_CLASS: Escapes = { s: SPACES };
const MEANT_BY_JAVASCRIPT = /[\w^$\\.*+?()[\]{}|/-]/u;

/**
 * Reads a vocabulary and compiles its expression.
 *
 * @throws TokenizerError where one of the two is wrong.
 */
export function regexTokenizer({ vocabulary, delimiter }: RegexSource): TextTokenizer {
  const ids = new Map(nonEmptyLines(vocabulary).map(entryOf));
  checkExpressions([delimiter]);
  const expression = compile(delimiter);
  return {
    tokenize: (text) => wordsOf(text, expression),
    idOf: (word) => ids.get(word),
    unknownId: ids.get(UNKNOWN_WORD) ?? 0,
  };
}

function entryOf(line: string, index: number): [word: string, id: number] {
  const [, word, id] = LINE.exec(line) ?? [];
  if (word !== undefined) return [word, Number(id)];
  throw new TokenizerError(
    `Line ${index + 1} of the vocabulary is ${JSON.stringify(line.slice(0, 80))}; expected a word, a space and its id.`,
  );
}

function compile(delimiter: string): RegExp {
  try {
    const pattern = inJavaScript(delimiter);
    const expression = new RegExp(pattern, 'gu');
    if (!new RegExp(`^(?:${pattern})$`, 'u').test('')) return expression;
  } catch (cause) {
    throw new TokenizerError(`The delimiter ${delimiter} is no regular expression that JavaScript understands.`, {
      cause,
    });
  }
  throw new TokenizerError(`The delimiter ${delimiter} also matches nothing: it would cut text between all letters.`);
}

/** RE2's syntax in that of JavaScript's `u` flag, as far as they differ in delimiters. */
function inJavaScript(pattern: string): string {
  let escapes = OUTSIDE;
  return pattern.replace(RE2_PARTS, (part, hex?: string, p?: string, property?: string, escaped?: string) => {
    if (hex !== undefined) return `\\u{${hex}}`;
    if (property !== undefined) return `\\${p}{${property}}`;
    if (escaped !== undefined) return escapes[escaped] ?? (MEANT_BY_JAVASCRIPT.test(escaped) ? part : escaped);
    escapes = part === '[' ? IN_CLASS : OUTSIDE;
    return part;
  });
}

function wordsOf(text: string, delimiter: RegExp): string[] {
  const words: string[] = [];
  let start = 0;
  for (const { index, 0: found } of text.matchAll(delimiter)) {
    words.push(text.slice(start, index));
    start = index + found.length;
  }
  words.push(text.slice(start));
  return words.filter((word) => word !== '');
}
