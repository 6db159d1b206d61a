/** How long inferences take, without what the page does around them. */

import type { Net, Values } from './net.js';

// Old runs are forgotten: on a warm device the numbers change.
const MOST_RUNS = 50;

/** Adds up the inferences of one picture or sound, and remembers those before it. */
export class RunClock {
  readonly #runs: number[] = [];
  #current = 0;
  #first: number | null = null;

  /** A net whose runs are counted. */
  timed(net: Net): Net {
    const run = async (input: Values) => {
      const started = performance.now();
      const results = await net.run(input);
      this.#current += performance.now() - started;
      return results;
    };
    return { inputs: net.inputs, outputs: net.outputs, signatures: net.signatures, run };
  }

  /** All inferences of one picture are done. */
  lap(): void {
    if (this.#first === null) this.#first = this.#current;
    else this.#runs.push(this.#current);
    if (this.#runs.length > MOST_RUNS) this.#runs.shift();
    this.#current = 0;
  }

  /** What is under way counts for nothing: it failed. */
  discard(): void {
    this.#current = 0;
  }

  /** Milliseconds of the first one; null before it. */
  get firstMs(): number | null {
    return this.#first;
  }

  /** The median of the later ones; null where there is none. */
  get medianMs(): number | null {
    return this.#runs.length > 0 ? median(this.#runs) : null;
  }

  /** How many later ones the median is of. */
  get count(): number {
    return this.#runs.length;
  }
}

/** The middle one of some numbers, or the mean of the two in the middle. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] as number;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] as number) + upper) / 2;
}
