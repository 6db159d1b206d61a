/** The contexts that the browser took away from one model. */

import type { FaultSearch } from './gpu_fault.js';

/** A model that loses its context so often without a single run in between probably is the cause. */
const MAX_LOSSES_IN_A_ROW = 3;

/** Counts losses. */
export class ContextLosses {
  /** All losses so far. */
  count = 0;
  /** The browser's words about the last one; null where there was none. */
  last: string | null = null;
  /** Whether the model's graphs may be the cause, and have not been searched for the node yet. */
  isSearchDue = false;
  #inARow = 0;
  #search: FaultSearch | null = null;
  #isHopeless = false;

  /** Whether another context is not worth it. */
  get tooMany(): boolean {
    return this.#isHopeless || this.#inARow >= MAX_LOSSES_IN_A_ROW;
  }

  /** @param isSuspect - Whether it happened while a graph was built or run for the first time. */
  add(reason: string, isSuspect = false): void {
    this.count++;
    this.#inARow++;
    this.last = reason;
    if (!isSuspect) return;
    if (this.#search?.outcome === 'harmless') this.#isHopeless = true;
    else this.isSearchDue = true;
  }

  /** Adds what happened to a context that is given up. */
  addAll(others: ContextLosses): void {
    this.count += others.count;
    this.#inARow += others.#inARow;
    this.last = others.last ?? this.last;
    this.#search = others.#search ?? this.#search;
    this.#isHopeless ||= others.#isHopeless;
  }

  /** The graphs were searched for the node that is the cause. */
  searched(search: FaultSearch): void {
    this.isSearchDue = false;
    this.#search = search;
    if (search.outcome === 'unfit' || search.outcome === 'failed') this.#isHopeless = true;
  }

  /** A run has succeeded: what happens from now on has other causes. */
  endRow(): void {
    this.#inARow = 0;
    this.isSearchDue = false;
    this.#search = null;
    this.#isHopeless = false;
  }

  /** What happened since the last run that succeeded. */
  get text(): string {
    const times = this.#inARow === 1 ? '' : ` ${this.#inARow} times in a row`;
    const finding = this.#search === null ? '' : `, ${this.#search.finding}`;
    return `the browser took the WebNN context away${times} (${this.last})${finding}`;
  }
}

/** A context that may be lost. */
interface LosableWebnn {
  readonly context: { readonly lost?: Promise<unknown> | undefined };
  lostReason(): string | null;
}

/** A loss may be reported a moment later than the failure that it causes. */
const LOSS_GRACE_MS = 50;

/** Why the context was lost, or null where it is not. To be asked after a failure. */
export async function lossOf({ context, lostReason }: LosableWebnn): Promise<string | null> {
  if (lostReason() === null && context.lost !== undefined) {
    await Promise.race([context.lost, new Promise((resolve) => setTimeout(resolve, LOSS_GRACE_MS))]);
  }
  return lostReason();
}
