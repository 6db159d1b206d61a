/** Loading as its caller sees it: how far it is, and the request to end it. */

import { orAbort } from './tasks.js';

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

/** The caller's signal and listener, both optional. */
export class LoadWatch {
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
   * @param discard - Frees what the promise gives after all, when nobody waits for it any more.
   * @throws the signal's reason.
   */
  orAbort<T>(promise: Promise<T>, discard: (value: T) => void): Promise<T> {
    return orAbort(promise, this.signal, discard).finally(this.#leave);
  }
}
