/** How a tokenizer.json cuts a text into words, as Hugging Face's `tokenizers` does it. */

import { byteLetters } from './byte_letters.js';
import { expressionOf, type Factories, type Json, PUNCTUATION, partOf, partsOf, WORD } from './json_patterns.js';

/** A part of a text. */
export interface Word {
  readonly text: string;
  /** Whether the text begins with it. */
  readonly isFirst: boolean;
}

export type CutWords = (words: readonly Word[]) => readonly Word[];

/** A range of a text, and whether the expression matches it. */
type Span = readonly [start: number, end: number, isMatch: boolean];

const FACTORIES: Factories<CutWords> = {
  BertPreTokenizer: () => {
    const [words, marks] = [cutter(SPACE, 'Removed'), cutter(MARK, 'Isolated')];
    return (text) => marks(words(text));
  },
  ByteLevel: byteLevel,
  CharDelimiterSplit: ({ delimiter }) => cutter(expressionOf({ String: delimiter }), 'Removed'),
  Digits: ({ individual_digits: isEach }) => cutter(/\p{N}/gu, isEach ? 'Isolated' : 'Contiguous'),
  FixedLength: ({ length = 5 }) => cutter(new RegExp(`[^]{1,${length}}`, 'gu'), 'Isolated'),
  Metaspace: metaspace,
  Punctuation: ({ behavior = 'Isolated' }) => cutter(MARK, behavior),
  Sequence: ({ pretokenizers }) => {
    const parts = partsOf(pretokenizers, FACTORIES);
    return (words) => parts.reduce((found, part) => part(found), words);
  },
  Split: ({ pattern, behavior, invert }) => cutter(expressionOf(pattern), behavior, invert === true),
  Whitespace: () => cutter(new RegExp(`[${WORD}]+|[^${WORD}\\p{White_Space}]+`, 'gu'), 'Removed', true),
  WhitespaceSplit: () => cutter(SPACE, 'Removed'),
};

/** The function that cuts a text into words as the file says; null where it does not. */
export function wordCutterOf(config: unknown): CutWords | null {
  return config == null ? null : partOf(config, FACTORIES);
}

const SPACE = /\p{White_Space}/gu;
const MARK = new RegExp(`[${PUNCTUATION}]`, 'gu');
const GPT2 =
  /'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\p{White_Space}\p{L}\p{N}]+|\p{White_Space}+(?!\P{White_Space})|\p{White_Space}+/gu;

/** Whether a span is put to the one before it, by what both are. */
const JOINS: Readonly<Record<string, (isMatch: boolean, wasMatch: boolean) => boolean>> = {
  Removed: () => false,
  Isolated: () => false,
  Contiguous: (isMatch, wasMatch) => isMatch === wasMatch,
  MergedWithPrevious: (isMatch, wasMatch) => isMatch && !wasMatch,
  MergedWithNext: (isMatch, wasMatch) => !isMatch && wasMatch,
};

/** Cuts words where an expression matches, or with `isInverted` where it does not. */
function cutter(expression: RegExp, behavior: unknown, isInverted = false): CutWords {
  const joins = Object.hasOwn(JOINS, String(behavior)) ? JOINS[String(behavior)] : undefined;
  if (joins === undefined) throw new TypeError(`the behavior ${String(behavior).slice(0, 80)} is not supported`);
  const isRemoved = behavior === 'Removed';
  return (words) =>
    words.flatMap(({ text, isFirst }) => {
      const found: [start: number, end: number][] = [];
      let wasMatch: boolean | null = null;
      for (const [start, end, matches] of spansOf(text, expression)) {
        const isMatch = matches !== isInverted;
        const last = found.at(-1);
        if (isMatch && isRemoved) continue;
        if (last && wasMatch !== null && joins(isMatch, wasMatch)) last[1] = end;
        else found.push([start, end]);
        wasMatch = isMatch;
      }
      return found.flatMap(([start, end]) =>
        start === end ? [] : { text: text.slice(start, end), isFirst: isFirst && start === 0 },
      );
    });
}

function spansOf(text: string, expression: RegExp): Span[] {
  const spans: Span[] = [];
  let done = 0;
  for (const { index, 0: match } of text.matchAll(expression)) {
    if (done < index) spans.push([done, index, false]);
    done = index + match.length;
    spans.push([index, done, true]);
  }
  if (done < text.length) spans.push([done, text.length, false]);
  return spans;
}

function byteLevel({ add_prefix_space: addsSpace = true, use_regex: cuts = true }: Json): CutWords {
  const letters = byteLetters();
  const encoder = new TextEncoder();
  const cut = cutter(GPT2, 'Isolated');
  return (words) => {
    const spaced = words.map(({ text, isFirst }) => {
      return { text: addsSpace && !text.startsWith(' ') ? ` ${text}` : text, isFirst };
    });
    return (cuts ? cut(spaced) : spaced).map(({ text, isFirst }) => {
      return { text: Array.from(encoder.encode(text), (byte) => letters[byte]).join(''), isFirst };
    });
  };
}

function metaspace(config: Json): CutWords {
  const { replacement = '\u2581', split = true, add_prefix_space: addsSpace } = config;
  const mark = String(replacement);
  const { prepend_scheme: scheme = addsSpace === false ? 'never' : 'always' } = config;
  const cut = split ? cutter(expressionOf({ String: mark }), 'MergedWithNext') : null;
  return (words) => {
    const marked = words.map(({ text, isFirst }) => {
      const replaced = text.replaceAll(' ', () => mark);
      const isPrefixed = !replaced.startsWith(mark) && (scheme === 'always' || (scheme === 'first' && isFirst));
      return { text: isPrefixed ? mark + replaced : replaced, isFirst };
    });
    return cut ? cut(marked) : marked;
  };
}
