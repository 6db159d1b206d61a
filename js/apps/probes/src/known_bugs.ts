/**
 * Bugs of browsers, each with a reproduction in the corpus; a test reproduces them. docs/reference/browser-bugs.md
 * explains.
 */

import bugs from './known_bugs.json' with { type: 'json' };
import type { Outcome } from './report.js';
import type { Stage } from './session.js';

/** A bug of one or more operators. */
export interface KnownBug {
  readonly ops: readonly string[];
  readonly outcome: Outcome;
  readonly stage: Stage | '';
  readonly what: string;
  /** Name of the smallest case in the corpus, without the operator's. */
  readonly reproduction: string;
  /** Browsers in which it was seen: name and major version. */
  readonly seen: readonly string[];
  /** How this project avoids it; an id of tools/probe/workarounds.toml, if it needs a workaround. */
  readonly avoided: string;
}

export const KNOWN_BUGS = bugs as readonly KnownBug[];

/** The operators that crash a browser; one version with the bug is enough. */
export function crashingOpsOf(browser: string): ReadonlySet<string> {
  const [name] = browser.split(' ', 1);
  const crashes = KNOWN_BUGS.filter(
    ({ outcome, seen }) => outcome === 'crashes' && seen.some((one) => one.startsWith(`${name} `)),
  );
  return new Set(crashes.flatMap(({ ops }) => ops));
}
