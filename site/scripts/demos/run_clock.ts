/** Times of inferences, without the page's other work. */

import type { Net, Values } from './net.js';

// Keeps recent runs only: times change as the device warms up.
const MAX_RUNS = 50;

/** Adds up the inferences of one image or sound, and keeps the previous sums. */
export class RunClock {
  readonly #runs: number[] = [];
  #current = 0;
  #first: number | null = null;

  /** Wraps a net so that its runs are timed. */
  timed(net: Net): Net {
    const run = async (input: Values) => {
      const started = performance.now();
      const results = await net.run(input);
      this.#current += performance.now() - started;
      return results;
    };
    return { inputs: net.inputs, outputs: net.outputs, signatures: net.signatures, run };
  }

  /** Ends a lap: all inferences of one image or sound are done. */
  lap(): void {
    this.add(this.#current);
    this.discard();
  }

  /** Adds a lap that was timed elsewhere, in milliseconds. */
  add(ms: number): void {
    if (this.#first === null) this.#first = ms;
    else this.#runs.push(ms);
    if (this.#runs.length > MAX_RUNS) this.#runs.shift();
  }

  /** Discards the current lap after a failure. */
  discard(): void {
    this.#current = 0;
  }

  /** Milliseconds of the first lap; null before it ends. */
  get firstMs(): number | null {
    return this.#first;
  }

  /** Median of the later laps; null if there is none. */
  get medianMs(): number | null {
    return this.#runs.length > 0 ? median(this.#runs) : null;
  }

  /** Number of laps in the median. */
  get count(): number {
    return this.#runs.length;
  }
}

/** The middle number, or the mean of the two middle numbers. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] as number;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] as number) + upper) / 2;
}
