/** The order of what is asked of a model: one thing after the other. */

/** Runs tasks one after the other. */
export class RunQueue {
  #unfinished = 0;
  #last: Promise<unknown> = Promise.resolve();
  #whenIdle: (() => void) | null = null;
  readonly #finish = () => {
    this.#unfinished--;
    if (this.#unfinished === 0) this.#whenIdle?.();
  };

  /** Starts a task, at once where nothing is under way. */
  add<T>(task: () => Promise<T>): Promise<T> {
    const run = this.#unfinished === 0 ? task() : this.#last.then(task);
    this.#last = this.#count(run);
    return run;
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
