/** Which bugs of a browser's WebNN the delegate works around. */

import type { BrowserBug } from '../generated/browser_bugs.js';

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
