/** The workers of an engine, which share them among its contexts. */

import * as comlink from 'comlink';
import type { TFLiteEngineOptions } from './local_context.js';
import type { openTimeline, TimelineServer } from './timeline_server.js';

/** Each context has its own worker up to this number: a worker takes megabytes, and more run no faster. */
const MAX_WORKERS = 8;

/** A worker, until its last context is closed or it fails. */
export class EngineWorker {
  /** Settles if the worker fails: then pending responses never come, and its contexts are lost. */
  readonly failed: Promise<string>;
  /** Contexts that are open, or about to be. */
  contextCount = 0;
  isEnded = false;
  readonly #worker: Worker;
  readonly #open: comlink.Remote<typeof openTimeline>;

  constructor(worker: Worker) {
    this.#worker = worker;
    this.#open = comlink.wrap<typeof openTimeline>(worker);
    this.failed = failureOf(worker);
    this.failed.then(() => this.#end());
  }

  /**
   * Opens a context there; {@link close} it.
   *
   * @param timeline - Receives its calls.
   */
  async open(options: TFLiteEngineOptions, timeline: MessagePort): Promise<comlink.Remote<TimelineServer>> {
    this.contextCount++;
    try {
      // Comlink is slow for frequent messages: dispatches go through a separate port.
      const opening = this.#open(options, comlink.transfer(timeline, [timeline]));
      const server = await Promise.race([opening, this.failed]);
      if (typeof server === 'string') throw new Error(server);
      return server as comlink.Remote<TimelineServer>;
    } catch (error) {
      this.#release();
      throw error;
    }
  }

  /** Closes a context. The last one ends the worker, whatever it is doing. */
  close(server: comlink.Remote<TimelineServer>): void {
    this.#release();
    if (this.isEnded) return;
    server.close();
    server[comlink.releaseProxy]();
  }

  #release(): void {
    this.contextCount--;
    if (this.contextCount === 0) this.#end();
  }

  #end(): void {
    this.isEnded = true;
    this.#worker.terminate();
  }
}

/** The workers of an engine. */
export class EngineWorkers {
  readonly #start: () => Worker;
  #workers: EngineWorker[] = [];

  constructor(start: () => Worker) {
    this.#start = start;
  }

  /** The worker of the next context; may throw where none can be started. */
  next(): EngineWorker {
    this.#workers = this.#workers.filter(({ isEnded }) => !isEnded);
    if (this.#workers.length < MAX_WORKERS) this.#workers.push(new EngineWorker(this.#start()));
    else this.#workers.sort((a, b) => b.contextCount - a.contextCount);
    return this.#workers.at(-1) as EngineWorker;
  }
}

function failureOf(worker: Worker): Promise<string> {
  return new Promise((resolve) => {
    worker.addEventListener('error', ({ message }) => {
      resolve(
        `The worker failed${message ? `: ${message}` : ' to start'}. Serve the package's polyfill_worker.mjs next to its ` +
          "polyfill.mjs, where the page's policy (worker-src) allows it, or pass its address as workerUrl.",
      );
    });
    worker.addEventListener('messageerror', () => resolve('A message to or from the worker could not be read.'));
  });
}
