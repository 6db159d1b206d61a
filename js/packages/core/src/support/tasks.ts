/** Work that takes time: one task after the other, its progress, until an abort, in slices that keep a page alive. */

/**
 * Runs tasks one after the other.
 *
 * @hidden From the API's pages; types that are published name it.
 */
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
    const start = () => {
      signal?.throwIfAborted();
      return task();
    };
    const run = this.#unfinished === 0 ? started(start) : this.#last.then(start);
    this.#last = this.#count(run);
    return orAbort(run, signal);
  }

  /** Whether nothing is in flight. */
  get isIdle(): boolean {
    return this.#unfinished === 0;
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

/** The task's own promise: an async function in between would be one more for each run to come back through. */
function started<T>(task: () => Promise<T>): Promise<T> {
  try {
    return task();
  } catch (error) {
    return Promise.reject(error);
  }
}

/**
 * Waits for a promise, but not longer than until the abort.
 *
 * @param discard - Frees what the promise resolves to after all, when nobody waits for it any more.
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
 * scheduler.yield() would come back before the page's timers. A message does not, the second time: browsers take note
 * of the timers that are due when a task ends, and then go by the order in which tasks were queued.
 */
export function nextTask(): Promise<void> {
  if (globalThis.document === undefined) return Promise.resolve();
  last = last.then(twoMessages);
  return last;
}

/** Models that are loaded at the same time alternate, and the page has one between two of them. */
let last = Promise.resolve();
/** Kept, so that no engine collects MessagePorts that wait for their own message. */
let channel: MessageChannel;

async function twoMessages(): Promise<void> {
  channel = new MessageChannel();
  const { port1, port2 } = channel;
  for (let message = 0; message < 2; message++) {
    await new Promise((resolve) => {
      port2.onmessage = resolve;
      port1.postMessage(null);
    });
  }
  port2.close();
}

/** Work that can be interrupted at many points: it is where it has gone on for long enough. */
export class Slices {
  #start = performance.now();

  /** Ends this task where its slice of the work is over. */
  async pause(): Promise<void> {
    if (performance.now() - this.#start < SLICE_MS) return;
    await nextTask();
    this.#start = performance.now();
  }
}

/** What loading is busy with. `download` and `compile` go on at the same time. */
export type LoadPhase = 'download' | 'compile' | 'init' | 'build';

/** How far a phase is. Each phase ends with `loadedBytes` equal to `totalBytes`. */
export interface LoadProgress {
  /** What goes on. */
  readonly phase: LoadPhase;
  /** Bytes of the model file; in the phase `build`, bytes of the constants that WebNN has got; in `compile`, 0 or 1. */
  readonly loadedBytes: number;
  /** Null if unknown, such as a download whose server does not send it. */
  readonly totalBytes: number | null;
}

/**
 * Takes note of progress. An error that it throws ends the loading.
 *
 * @param progress - How far a phase is.
 */
export type ProgressListener = (progress: LoadProgress) => void;

/**
 * The caller's signal and listener, both optional.
 *
 * @hidden From the API's pages; types that are published name it.
 */
export class LoadMonitor {
  readonly #ending = new AbortController();
  /** Also aborted if a part of the loading fails. */
  readonly signal = this.#ending.signal;
  readonly #onProgress: ProgressListener | null;
  readonly #leave: () => void;

  constructor(signal?: AbortSignal, onProgress?: ProgressListener) {
    this.#onProgress = onProgress ?? null;
    const end = () => this.end(signal?.reason);
    if (signal?.aborted) end();
    signal?.addEventListener('abort', end, { signal: this.signal });
    this.#leave = () => signal?.removeEventListener('abort', end);
  }

  /** Ends what goes on. */
  end(reason: unknown): void {
    this.#ending.abort(reason);
  }

  /** @throws the signal's reason, once it is aborted. */
  throwIfAborted(): void {
    this.signal.throwIfAborted();
  }

  /** Reports how far a phase is. */
  report(phase: LoadPhase, loadedBytes: number, totalBytes: number | null): void {
    this.#onProgress?.({ phase, loadedBytes, totalBytes });
  }

  /**
   * Waits for a promise, but not longer than until the abort.
   *
   * @param discard - Frees what the promise resolves to after all, when nobody waits for it any more.
   * @throws the signal's reason.
   */
  orAbort<T>(promise: Promise<T>, discard: (value: T) => void): Promise<T> {
    return orAbort(promise, this.signal, discard).finally(this.#leave);
  }
}
