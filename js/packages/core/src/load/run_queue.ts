/** The order of what is asked of a model: one thing after the other. */

import { orAbort } from '../support/abort.js';

/** Runs tasks one after the other. */
export class RunQueue {
  #unfinished = 0;
  #last: Promise<unknown> = Promise.resolve();
  #whenIdle: (() => void) | null = null;
  readonly #finish = () => {
    this.#unfinished--;
    if (this.#unfinished === 0) this.#whenIdle?.();
  };

  /** Starts a task, immediately if none is in flight; if the signal is aborted before, it does not start. */
  add<T>(task: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const start = async () => {
      signal?.throwIfAborted();
      return task();
    };
    const run = this.#unfinished === 0 ? start() : this.#last.then(start);
    this.#last = this.#count(run);
    return orAbort(run, signal);
  }

  /** Counts something that does not wait for others, nor others for it. */
  track<T>(work: Promise<T>): Promise<T> {
    this.#count(work);
    return work;
  }

  #count(work: Promise<unknown>): Promise<void> {
    this.#unfinished++;
    return work.then(this.#finish, this.#finish);
  }

  /** Does something after the last task, at once where nothing is under way. */
  whenIdle(action: () => void): void {
    if (this.#unfinished === 0) action();
    else this.#whenIdle = action;
  }
}
