/** Time that dispatches take, by graph. */

/** Time from a dispatch until its results were read, in milliseconds. */
export interface DispatchTimes {
  /** How many there were. */
  readonly count: number;
  /** Of the last one. */
  readonly last: number;
  /** Mean of all. */
  readonly mean: number;
}

/**
 * WebNN queues a dispatch and does not report its end; reading a result waits for it. So a measurement goes from
 * a dispatch to the end of the reads that follow it. Graphs that are dispatched one after the other without a read in
 * between share a measurement, and the last of them has it.
 */
export class DispatchClock {
  readonly #times = new Map<number, { count: number; last: number; sum: number }>();
  #graph = -1;
  #start = 0;

  /** Call it just before a dispatch. */
  start(graph: number): void {
    if (this.#graph < 0) this.#start = performance.now();
    this.#graph = graph;
  }

  /** Call it when everything that has been read has arrived. */
  finish(): void {
    if (this.#graph < 0) return;
    const last = performance.now() - this.#start;
    const times = this.#times.get(this.#graph);
    if (times === undefined) {
      this.#times.set(this.#graph, { count: 1, last, sum: last });
    } else {
      times.count++;
      times.last = last;
      times.sum += last;
    }
    this.#graph = -1;
  }

  /** Forgets a dispatch whose end nobody waits for. */
  drop(): void {
    this.#graph = -1;
  }

  /** The times of a graph; null where it was never measured. */
  timesOf(graph: number): DispatchTimes | null {
    const times = this.#times.get(graph);
    return times === undefined ? null : { count: times.count, last: times.last, mean: times.sum / times.count };
  }
}
