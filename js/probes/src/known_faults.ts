/** Faults of browsers, each with a reproduction in the corpus; a test reproduces them. docs/browser-faults.md explains. */

import faults from './known_faults.json' with { type: 'json' };
import type { Outcome } from './report.js';
import type { Stage } from './session.js';

/** A fault of one or more operators. */
export interface KnownFault {
  readonly ops: readonly string[];
  readonly outcome: Outcome;
  readonly stage: Stage | '';
  readonly what: string;
  /** Name of the smallest case in the corpus, without the operator's. */
  readonly reproduction: string;
  /** Browsers in which it was seen: name and major version. */
  readonly seen: readonly string[];
  /** How this project avoids it. */
  readonly avoided: string;
  /** The first versions without it; until then each version of the browser has it. */
  readonly fixed?: readonly string[];
  /** What still works, by operand: the runtime narrows opSupportLimits() accordingly. */
  readonly limits?: Readonly<Record<string, { readonly maxRank?: number; readonly without?: readonly string[] }>>;
}

export const KNOWN_FAULTS = faults as readonly KnownFault[];

/** The operators that kill a browser; those seen in one version are suspects in all. */
export function killersOf(browser: string): ReadonlySet<string> {
  const [name] = browser.split(' ', 1);
  const deadly = KNOWN_FAULTS.filter(
    ({ outcome, seen }) => outcome === 'kills' && seen.some((one) => one.startsWith(`${name} `)),
  );
  return new Set(deadly.flatMap(({ ops }) => ops));
}
