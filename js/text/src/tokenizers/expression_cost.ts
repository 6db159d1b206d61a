/** How long a backtracking engine may try a regular expression of a file; JavaScript's cannot be interrupted. */

import { TokenizerError } from '../errors.js';

interface Part {
  readonly kind: 'character' | 'assertion' | 'group' | 'look';
  /** Of groups; others have none. */
  readonly alternatives: readonly (readonly Part[])[];
  readonly min: number;
  readonly max: number;
}

const MAX_LENGTH = 10_000;
const MAX_DEPTH = 50;
/** Of a text that ways are counted for: one repetition has as many, two have too many. */
const TEXT_LENGTH = 1000;
const MAX_WAYS = 100 * (TEXT_LENGTH + 1);
const OPEN = /\((?:\?(?:<?[=!]|<[^>=!]*>|P<[^>]*>|[a-z-]*:|>))?/uy;
const LOOK = /^\(\?<?[=!]/u;
const ATOM = /\\(?:[pPxu]\{[^}]*\}|u[0-9a-fA-F]{4}|[\s\S])|[\s\S]/uy;
const ASSERTION = /^(?:[$^]|\\[bBAzZGK])$/u;
const REFERENCE = /^\\[1-9k]/u;
const QUANTIFIER = /(?:[*+?]|\{(\d*)(,?)(\d*)\})[?+]?/uy;

/**
 * Rejects an expression whose time grows faster than the square of a text's length.
 *
 * @throws TokenizerError
 */
export function checkExpression(source: string): void {
  if (source.length > MAX_LENGTH) reject(source, `it has ${source.length} characters, at most ${MAX_LENGTH} may be`);
  if (waysOfAny(new Parser(source).alternatives(), false) > MAX_WAYS) {
    reject(source, 'some texts match its repetitions in too many ways');
  }
}

function reject(source: string, reason: string): never {
  throw new TokenizerError(
    `The regular expression ${JSON.stringify(source.slice(0, 80))} could keep a page busy: ${reason}. Repeat single ` +
      'characters or classes, not groups ([ab]+ for (a|b)+), and not one after the other.',
  );
}

class Parser {
  readonly #source: string;
  #at = 0;
  #depth = 0;

  constructor(source: string) {
    this.#source = source;
  }

  /** Reads up to the end of the group. */
  alternatives(): Part[][] {
    if (++this.#depth > MAX_DEPTH) reject(this.#source, `its groups are more than ${MAX_DEPTH} deep`);
    const all: Part[][] = [[]];
    while (this.#at < this.#source.length && this.#source[this.#at] !== ')') {
      if (this.#take(/\|/uy)) all.push([]);
      else all.at(-1)?.push(this.#part());
    }
    this.#depth--;
    this.#at++;
    return all;
  }

  #part(): Part {
    const atom = this.#atom();
    const quantifier = this.#take(QUANTIFIER);
    if (!quantifier) return { ...atom, min: 1, max: 1 };
    const [text, least, comma, most] = quantifier;
    if (this.#take(QUANTIFIER)) reject(this.#source, 'it repeats a repetition');
    if (least === undefined) return { ...atom, min: text[0] === '+' ? 1 : 0, max: text[0] === '?' ? 1 : Infinity };
    return { ...atom, min: Number(least), max: comma ? Number(most || Infinity) : Number(least) };
  }

  #atom(): Pick<Part, 'kind' | 'alternatives'> {
    const open = this.#take(OPEN)?.[0];
    if (open) return { kind: LOOK.test(open) ? 'look' : 'group', alternatives: this.alternatives() };
    const atom = this.#take(ATOM)?.[0] ?? '';
    if (REFERENCE.test(atom)) reject(this.#source, 'it refers to an earlier group');
    if (atom === '[') this.#endOfClass();
    return { kind: ASSERTION.test(atom) ? 'assertion' : 'character', alternatives: [] };
  }

  /** With the flag u, as the expressions are compiled, a class contains no others. */
  #endOfClass(): void {
    while (this.#at < this.#source.length && this.#take(ATOM)?.[0] !== ']');
  }

  #take(expression: RegExp): RegExpExecArray | null {
    expression.lastIndex = this.#at;
    const found = expression.exec(this.#source);
    this.#at += found?.[0].length ?? 0;
    return found;
  }
}

function waysOfAny(alternatives: Part['alternatives'], isFollowed: boolean): number {
  return alternatives.reduce((sum, parts) => sum + waysOfSequence(parts, isFollowed), 0);
}

/** A part is tried again only where what follows it may fail. */
function waysOfSequence(parts: readonly Part[], isFollowed: boolean): number {
  let ways = 1;
  let mayFail = isFollowed;
  for (const part of [...parts].reverse()) {
    ways *= waysOfPart(part, mayFail);
    mayFail ||= part.min > 0 || part.kind === 'assertion';
  }
  return ways;
}

function waysOfPart({ kind, alternatives, min, max }: Part, isFollowed: boolean): number {
  const isGroup = alternatives.length > 0;
  const once = isGroup ? waysOfAny(alternatives, isFollowed || kind === 'look' || max > 1) : 1;
  if (max <= 1) return min < max && isFollowed ? once + 1 : once;
  return isGroup ? waysOfRepeated(once, min, max, isFollowed) : waysOfCharacters(max - min, isFollowed);
}

function waysOfRepeated(once: number, min: number, max: number, isFollowed: boolean): number {
  if (max < Infinity) return max * once ** max;
  return once > 1 || min > 1 ? Infinity : waysOfCharacters(max, isFollowed);
}

function waysOfCharacters(more: number, isFollowed: boolean): number {
  return isFollowed ? Math.min(more, TEXT_LENGTH) + 1 : 1;
}
