/** Tokens that a tokenizer.json adds to its model's: they are found in a text before it is cut. */

import { lengthWithoutSpaces, type Normalize, spacesAtStart } from './json_normalizer.js';
import { type Json, WORD } from './json_patterns.js';
import { codeUnits, SortedPieces } from './sorted_pieces.js';

/** A part of a text: an added token, or what is between them. */
export interface Section {
  readonly text: string;
  readonly token: AddedToken | null;
  /** Whether the text begins with it. */
  readonly isFirst: boolean;
}

/** An added token, in the names of tokenizer.json. */
export interface AddedToken {
  readonly id: number;
  readonly content: string;
  readonly single_word?: boolean;
  readonly lstrip?: boolean;
  readonly rstrip?: boolean;
  readonly normalized?: boolean;
  readonly special?: boolean;
}

type Find = (text: string) => Section[];

const ENDS_WITH_WORD = new RegExp(`[${WORD}]$`, 'u');
const BEGINS_WITH_WORD = new RegExp(`^[${WORD}]`, 'u');

/** The tokens of a file, and what finds them: some in the text itself, others in what is normalized. */
export function addedTokensOf(provided: unknown, normalize: Normalize | null) {
  const tokens = (Array.isArray(provided) ? provided : []).map((token) => token as AddedToken & Json);
  const isNormalized = ({ normalized, special }: AddedToken) => normalized ?? !special;
  return {
    tokens: tokens as readonly AddedToken[],
    inText: finder(tokens.flatMap((token) => (isNormalized(token) ? [] : [[token.content, token]]))),
    inNormalized: finder(
      tokens.flatMap((token) => (isNormalized(token) ? [[normalize?.(token.content) ?? token.content, token]] : [])),
    ),
  };
}

function finder(entries: readonly (readonly [text: string, token: AddedToken])[]): Find {
  // Of equal texts the first one; an empty one is found nowhere.
  const tokens = new Map([...entries].reverse().filter(([text]) => text !== ''));
  const sorted = new SortedPieces(tokens.keys());
  return (text) => {
    const units = codeUnits(text);
    const sections: Section[] = [];
    let done = 0;
    const add = (start: number, end: number, token: AddedToken | null) => {
      if (start < end) sections.push({ text: text.slice(start, end), token, isFirst: start === 0 });
      done = Math.max(done, end);
    };
    for (let start = 0, next = 0; start < text.length; start = next) {
      let end = start;
      sorted.visit(units, start, (_, longest) => {
        end = longest;
      });
      next = Math.max(end, start + 1);
      const token = tokens.get(text.slice(start, end));
      if (token === undefined || (token.single_word && !isWord(text, start, end))) continue;
      const first = token.lstrip ? done + lengthWithoutSpaces(text.slice(done, start)) : start;
      add(done, first, null);
      add(first, end + (token.rstrip ? spacesAtStart(text.slice(end)) : 0), token);
      next = Math.max(next, done);
    }
    add(done, text.length, null);
    return sections;
  };
}

/** Whether no word character is next to it. */
function isWord(text: string, start: number, end: number): boolean {
  return (
    !ENDS_WITH_WORD.test(text.slice(Math.max(0, start - 2), start)) && !BEGINS_WITH_WORD.test(text.slice(end, end + 2))
  );
}
