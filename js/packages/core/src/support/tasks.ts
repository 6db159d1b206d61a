/** Tasks in order: one after the other, until an abort, in slices that keep a page alive. */

/** Runs tasks one after the other. */
export class Queue {
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

  /** Does something after the last task, immediately where nothing is in flight. */
  whenIdle(action: () => void): void {
    if (this.#unfinished === 0) action();
    else this.#whenIdle = action;
  }
}

/**
 * Waits for a promise, but not longer than until the abort.
 *
 * @param discard - Frees what the promise gives after all, when nobody waits for it any more.
 * @throws the signal's reason.
 */
export function orAbort<T>(
  promise: Promise<T>,
  signal: AbortSignal | undefined,
  discard: (value: T) => void = () => undefined,
): Promise<T> {
  if (signal === undefined) return promise;
  return new Promise<T>((resolve, reject) => {
    const onAbort = () => {
      promise.then(discard, () => undefined);
      reject(signal.reason);
    };
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort);
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}

/** A slice of work that lasts no longer than this disturbs nobody: half of a frame. */
const SLICE_MS = 8;

/**
 * Ends this task: what waits in the page goes first. Workers and Node have nobody who would notice, and go on.
 *
 * scheduler.yield() would come back before the page's timers. A message does not, the second time: browsers take note of
 * the timers that are due when a task ends, and then go by the order in which tasks were queued.
 */
export function nextTask(): Promise<void> {
  if (globalThis.document === undefined) return Promise.resolve();
  last = last.then(twoMessages);
  return last;
}

/** Models that are loaded at the same time alternate, and the page has one between two of them. */
let last = Promise.resolve();
/** Kept, so that no engine collects ports that wait for their own message. */
let channel: MessageChannel;

async function twoMessages(): Promise<void> {
  channel = new MessageChannel();
  const { port1, port2 } = channel;
  for (let round = 0; round < 2; round++) {
    await new Promise((resolve) => {
      port2.onmessage = resolve;
      port1.postMessage(null);
    });
  }
  port2.close();
}

/** Work that can be interrupted at many places: it is where it has gone on for long enough. */
export class Slices {
  #start = performance.now();

  /** Ends this task where its slice of the work is over. */
  async rest(): Promise<void> {
    if (performance.now() - this.#start < SLICE_MS) return;
    await nextTask();
    this.#start = performance.now();
  }
}
