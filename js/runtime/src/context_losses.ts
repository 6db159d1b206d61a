/** The contexts that the browser took away from one model. */

/** A model that loses its context so often without a single run in between probably is the cause. */
const MAX_LOSSES_IN_A_ROW = 3;

/** Counts losses. */
export class ContextLosses {
  /** All losses so far. */
  count = 0;
  /** The browser's words about the last one; null where there was none. */
  last: string | null = null;
  #inARow = 0;

  /** Whether another context is not worth it. */
  get tooMany(): boolean {
    return this.#inARow >= MAX_LOSSES_IN_A_ROW;
  }

  add(reason: string): void {
    this.count++;
    this.#inARow++;
    this.last = reason;
  }

  /** A run has succeeded: what happens from now on has other causes. */
  endRow(): void {
    this.#inARow = 0;
  }

  /** What happened since the last run that succeeded. */
  get text(): string {
    const times = this.#inARow === 1 ? '' : ` ${this.#inARow} times in a row`;
    return `the browser took the WebNN context away${times} (${this.last})`;
  }
}
