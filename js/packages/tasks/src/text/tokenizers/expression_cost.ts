/** How long a backtracking engine may try a regular expression of a file; JavaScript's cannot be interrupted. */

import { TokenizerError } from '../tokenizer.js';

interface Part {
  readonly kind: 'character' | 'assertion' | 'group' | 'look';
  /** As it is written, without and with its quantifier. */
  readonly atom: string;
  readonly source: string;
  /** The alternatives of a group; empty for other kinds. */
  readonly alternatives: Alternatives;
  readonly min: number;
  readonly max: number;
  readonly isLazy: boolean;
}

type Alternatives = readonly (readonly Part[])[];

/** The cost of matching at one position of a text; characters that an unbounded repetition reads count once. */
interface Cost {
  readonly steps: number;
  /** How often what follows is tried. */
  readonly ways: number;
  /** Unbounded repetitions that are read in vain where what follows fails. */
  readonly unbounded: readonly Part[];
}

const MAX_LENGTH = 10_000;
const MAX_DEPTH = 50;
/** Maximum for all expressions of a file; those of GPT-4o take 154. */
const MAX_STEPS = 500;
const OPEN = /\((?:\?(?:<?[=!]|<[^>=!]*>|P<[^>]*>|[a-z-]*:|>))?/uy;
const LOOK = /^\(\?<?[=!]/u;
const ATOM = /\\(?:[pPxu]\{[^}]*\}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|c[A-Za-z]|[\s\S])|[\s\S]/uy;
const ASSERTION = /^(?:[$^]|\\[bBAzZ])$/u;
const REFERENCE = /^\\[1-9k]/u;
/** Oniguruma's; `@huggingface/tokenizers` leaves them out, with the parts that they repeat. */
const POSITION = /^\\[GK]$/u;
/** Possessive ones, too; `a{2}+` is a repetition of a repetition. */
const QUANTIFIER = /([*+?])([?+]?)|\{(?:(\d+)(,?)(\d*)|,(\d+))\}(\??)/uy;

/**
 * Rejects expressions whose time grows faster than a text's length.
 *
 * @throws TokenizerError
 */
export function checkExpressions(sources: readonly string[]): void {
  let [length, steps] = [0, 0];
  for (const source of sources) {
    length += source.length;
    if (length > MAX_LENGTH)
      reject(source, `it has ${length} characters with those before, at most ${MAX_LENGTH} may be`);
    steps += checkExpression(source, MAX_STEPS - steps);
  }
}

/** Steps of an expression at a letter. */
function checkExpression(source: string, maxSteps: number): number {
  const steps = readings(source).map((alternatives) => {
    const costs = alternatives.map((parts) => costOfSequence(parts, false));
    const sum = sumOf(costs).steps;
    if (sum > maxSteps) reject(source, 'some texts match its repetitions in too many ways');
    costs.forEach(({ unbounded }, index) => {
      if (unbounded.length > 1 || unbounded.some((part) => !isCovered(part, alternatives, index))) {
        reject(
          source,
          'what follows a repetition may fail, and the text is then read again from the next character on',
        );
      }
    });
    return sum;
  });
  return Math.max(...steps);
}

/** Whether an expression matches an empty text, or a position of a text. */
export function matchesNothing(source: string): boolean {
  return readings(source).some((alternatives) => alternatives.some((parts) => parts.every(isEmptyable)));
}

function isEmptyable({ kind, alternatives, min }: Part): boolean {
  if (min === 0 || kind === 'assertion' || kind === 'look') return true;
  return alternatives.some((parts) => parts.every(isEmptyable));
}

/** The expression as JavaScript parses it, and as Oniguruma does, whose character classes can be nested. */
function readings(source: string): Alternatives[] {
  return [false, true].map((hasNestedClasses) => new Parser(source, hasNestedClasses).all());
}

function reject(source: string, reason: string): never {
  throw new TokenizerError(
    `The regular expression ${JSON.stringify(source.slice(0, 80))} could keep a page busy: ${reason}. Repeat single ` +
      'characters or classes, not groups ([ab]+ for (a|b)+), not one after the other, and last (\\s+(?!\\S)|\\s+ for ' +
      '\\s+(?!\\S)).',
  );
}

class Parser {
  readonly #source: string;
  readonly #hasNestedClasses: boolean;
  #at = 0;
  #depth = 0;

  constructor(source: string, hasNestedClasses: boolean) {
    this.#source = source;
    this.#hasNestedClasses = hasNestedClasses;
  }

  /** The entire expression; a parenthesis that closes nothing is a character. */
  all(): Alternatives {
    return this.#alternatives(false);
  }

  #alternatives(isGroup: boolean): Part[][] {
    if (++this.#depth > MAX_DEPTH) reject(this.#source, `its groups are more than ${MAX_DEPTH} deep`);
    const all: Part[][] = [[]];
    while (this.#at < this.#source.length && !(isGroup && this.#source[this.#at] === ')')) {
      if (this.#match(/\|/uy)) all.push([]);
      else all.at(-1)?.push(this.#part());
    }
    this.#depth--;
    this.#at++;
    return all;
  }

  #part(): Part {
    const start = this.#at;
    const { kind, alternatives } = this.#atom();
    const atom = this.#source.slice(start, this.#at);
    const quantifier = this.#match(QUANTIFIER);
    const source = this.#source.slice(start, this.#at);
    if (!quantifier) return { kind, alternatives, atom, source, min: 1, max: 1, isLazy: false };
    if (this.#match(QUANTIFIER)) reject(this.#source, 'it repeats a repetition');
    const [, sign, mode, lower, comma, upper, only, lazy] = quantifier;
    const isLazy = mode === '?' || lazy === '?';
    if (sign) {
      return { kind, alternatives, atom, source, min: sign === '+' ? 1 : 0, max: sign === '?' ? 1 : Infinity, isLazy };
    }
    const max = Number(only ?? (comma ? upper || Infinity : lower));
    return { kind, alternatives, atom, source, min: Number(lower ?? 0), max, isLazy };
  }

  #atom(): Pick<Part, 'kind' | 'alternatives'> {
    const open = this.#match(OPEN)?.[0];
    if (open) {
      if (open === '(' && this.#source[this.#at] === '?') reject(this.#source, 'it has a group of an unknown kind');
      return { kind: LOOK.test(open) ? 'look' : 'group', alternatives: this.#alternatives(true) };
    }
    const atom = this.#match(ATOM)?.[0] ?? '';
    if (REFERENCE.test(atom) || POSITION.test(atom)) reject(this.#source, 'it refers to an earlier match');
    if (atom === '[') this.#endOfClass();
    return { kind: ASSERTION.test(atom) ? 'assertion' : 'character', alternatives: [] };
  }

  #endOfClass(): void {
    this.#match(/\^/uy);
    if (this.#source[this.#at] === ']') reject(this.#source, 'it has an empty class');
    while (this.#at < this.#source.length) {
      const atom = this.#match(ATOM)?.[0];
      if (atom === ']') return;
      if (atom === '[' && this.#hasNestedClasses) this.#nestedClass();
    }
  }

  #nestedClass(): void {
    if (++this.#depth > MAX_DEPTH) reject(this.#source, `its classes are more than ${MAX_DEPTH} deep`);
    this.#endOfClass();
    this.#depth--;
  }

  #match(expression: RegExp): RegExpExecArray | null {
    expression.lastIndex = this.#at;
    const found = expression.exec(this.#source);
    this.#at += found?.[0].length ?? 0;
    return found;
  }
}

function sumOf(costs: readonly Cost[]): Cost {
  return {
    steps: costs.reduce((sum, { steps }) => sum + steps, 0),
    ways: costs.reduce((sum, { ways }) => sum + ways, 0),
    unbounded: costs.flatMap(({ unbounded }) => unbounded),
  };
}

/** A part is tried again only where what follows it may fail. */
function costOfSequence(parts: readonly Part[], isFollowed: boolean): Cost {
  let [steps, ways, mayFail] = [1, 1, isFollowed];
  const unbounded: Part[] = [];
  for (const part of [...parts].reverse()) {
    const own = costOfPart(part, mayFail);
    steps = own.steps + own.ways * steps;
    ways *= own.ways;
    unbounded.push(...own.unbounded);
    mayFail ||= part.min > 0 || part.kind === 'assertion';
  }
  return { steps, ways, unbounded };
}

function costOfPart(part: Part, isFollowed: boolean): Cost {
  const { kind, alternatives, min, max } = part;
  const isGroup = alternatives.length > 0;
  const isTriedAgain = isFollowed || kind === 'look' || max > 1;
  const once = isGroup
    ? sumOf(alternatives.map((parts) => costOfSequence(parts, isTriedAgain)))
    : { steps: 1, ways: 1, unbounded: [] };
  // What a lookaround has read is not matched.
  if (kind === 'look' && hasUnbounded(alternatives)) return { ...once, steps: Infinity };
  if (max <= 1) return { ...once, ways: once.ways + (min < max && isFollowed ? 1 : 0) };
  const repeated = isGroup ? costOfGroups(once, min, max) : costOfCharacters(min, max, isFollowed);
  const isUnbounded = max === Infinity && isFollowed;
  return { ...repeated, unbounded: isUnbounded ? [...once.unbounded, part] : once.unbounded };
}

function costOfCharacters(min: number, max: number, isFollowed: boolean): Omit<Cost, 'unbounded'> {
  if (max === Infinity) return { steps: Math.max(1, min), ways: 1 };
  return { steps: max, ways: isFollowed ? max - min + 1 : 1 };
}

function costOfGroups(once: Cost, min: number, max: number): Omit<Cost, 'unbounded'> {
  if (max === Infinity) return { steps: once.ways > 1 || min > 1 ? Infinity : once.steps, ways: 1 };
  const ways = max * once.ways ** max;
  return { steps: ways * once.steps, ways };
}

function hasUnbounded(alternatives: Alternatives): boolean {
  return alternatives.flat().some((part) => part.max === Infinity || hasUnbounded(part.alternatives));
}

/**
 * Whether the next alternatives match what a repetition has read in vain: they begin as its alternative does, and one
 * has nothing behind the repetition that may fail.
 */
function isCovered(part: Part, alternatives: Alternatives, index: number): boolean {
  const parts = alternatives[index] as readonly Part[];
  const position = parts.indexOf(part); // none in a group
  const before = parts.slice(0, position).map(({ source }) => source);
  for (const next of position < 0 ? [] : alternatives.slice(index + 1)) {
    const same = next[position];
    const isSameStart = before.every((source, at) => next[at]?.source === source) && same?.atom === part.atom;
    if (!isSameStart || same.max !== Infinity || same.isLazy || same.min > 1) return false;
    if (costOfSequence(next, false).unbounded.length === 0) return true;
  }
  return false;
}
