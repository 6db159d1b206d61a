/** Words between matches of a regular expression, as TFLite's task library cuts them for NLClassifier. */

import { TokenizerError } from '../errors.js';
import type { RegexSource, TextTokenizer } from '../tokenizer.js';
import { checkExpressions } from './expression_cost.js';
import { nonEmptyLines } from './lines.js';

type Escapes = Readonly<Record<string, string>>;

const UNKNOWN = '<UNKNOWN>';
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
    unknownId: ids.get(UNKNOWN) ?? 0,
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
  return [...words, text.slice(start)].filter((word) => word !== '');
}
