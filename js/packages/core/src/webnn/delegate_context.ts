/** Support limits of a WebNN context as text, for the delegate in wasm. */

import type { BrowserBug } from '../generated/browser_bugs.js';
import type { MLOpSupportLimits, MLTensorLimits } from '../webnn_types.js';

/** A browser without rank ranges allows every rank that WebNN has. */
const ALL_RANKS = { min: 0, max: 8 };

/** The scalars that the delegate reads; it reads every other line as an operand's. */
const SCALARS: readonly string[] = ['maxTensorByteLength', 'preferredInputLayout'];

/** What stands for an operand for which a context allows no type at all. */
const NO_TYPES = '-';

/**
 * Writes the result of `context.opSupportLimits()` as one line per operand:
 * `<op>.<operand> <type>,<type>,... <minRank> <maxRank>`. Rows for graph inputs, constants and outputs have no dot;
 * scalars are `<name> <value>`. What only a newer browser has is passed on or left out, never an error.
 */
export function opSupportLimitsText(limits: MLOpSupportLimits): string {
  const lines: string[] = [];
  for (const [name, value] of Object.entries(limits)) {
    if (SCALARS.includes(name)) lines.push(`${name} ${String(value)}`);
    else if (isTensorLimits(value)) lines.push(tensorLine(name, value));
    else if (isDictionary(value)) lines.push(...operatorLines(name, value));
  }
  return lines.map((line) => `${line}\n`).join('');
}

function operatorLines(op: string, operands: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(operands).flatMap(([operand, limits]) =>
    isTensorLimits(limits) ? [tensorLine(`${op}.${operand}`, limits)] : [],
  );
}

function tensorLine(name: string, { dataTypes, rankRange = ALL_RANKS }: MLTensorLimits): string {
  const types = dataTypes.length === 0 ? NO_TYPES : dataTypes.join(',');
  return `${name} ${types} ${rankRange.min} ${rankRange.max}`;
}

function isTensorLimits(value: unknown): value is MLTensorLimits {
  return isDictionary(value) && Array.isArray(value.dataTypes);
}

function isDictionary(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

/** The version behind a name in the user agent; those of other engines may name Safari, too. */
const ENGINES: readonly (readonly [engine: string, version: RegExp])[] = [
  ['Chromium', /Chrome\/(\d+)/],
  ['Firefox', /Firefox\/(\d+)/],
  ['Safari', /Version\/(\d+)/],
];

/**
 * The delegate's option: ids with commas in between, or `all` where the browser is not known.
 *
 * @param backend - What is behind the context if it is the polyfill, which has no such bugs; null for the browser's own.
 * @param bugs - BROWSER_BUGS.
 */
export function workaroundsFor(
  backend: string | null,
  bugs: readonly BrowserBug[],
  userAgent = globalThis.navigator?.userAgent ?? '',
): string {
  if (backend !== null) return '';
  for (const [engine, version] of ENGINES) {
    const major = Number(version.exec(userAgent)?.[1]);
    if (!Number.isNaN(major))
      return bugs
        .filter((bug) => bug.engine === engine && isIn(bug, major))
        .map(idOf)
        .join();
  }
  return 'all';
}

function isIn({ from = 0, to = Number.POSITIVE_INFINITY }: BrowserBug, major: number): boolean {
  return from <= major && major <= to;
}

function idOf({ id }: BrowserBug): string {
  return id;
}
