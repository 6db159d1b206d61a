/** The page's line to a worker. */

import type { Remote } from 'comlink';
import { WorkerFailedError } from '../errors.js';
import type { ModelServer } from './server_protocol.js';

/** Calls of a worker's server. A call to a worker that fails or is ended rejects, where comlink alone would wait forever. */
export class WorkerLine {
  #server: Remote<ModelServer> | null = null;
  readonly #waiting = new Set<(error: WorkerFailedError) => void>();
  #failure: WorkerFailedError | null = null;

  constructor(private readonly worker: Worker) {
    worker.addEventListener('error', (event) => {
      this.#fail(
        `The worker failed${event.message ? `: ${event.message}` : ' to start'}. Is the package's worker.mjs beside its ` +
          "index.mjs, and does the page's policy (worker-src) allow it? Else give its address, or the Worker, to TFLiteWorker.",
      );
    });
    worker.addEventListener('messageerror', () => {
      this.#fail('A message to or from the worker could not be read.');
    });
  }

  /** What the worker does; `wrap` connects with it the first time. */
  connect(wrap: (worker: Worker) => Remote<ModelServer>): Remote<ModelServer> {
    this.#server ??= wrap(this.worker);
    return this.#server;
  }

  /** Waits for a call, but not longer than the worker lives. */
  async call<T>(calling: PromiseLike<T>): Promise<T> {
    if (this.#failure !== null) throw this.#failure;
    return new Promise((resolve, reject) => {
      this.#waiting.add(reject);
      const settle = () => this.#waiting.delete(reject);
      calling.then(
        (value) => {
          settle();
          resolve(value);
        },
        (error: unknown) => {
          settle();
          reject(error);
        },
      );
    });
  }

  /** Ends the worker and with it every model in it. */
  terminate(): void {
    this.worker.terminate();
    this.#fail('The worker was terminated. Make a new TFLiteWorker.');
  }

  #fail(message: string): void {
    this.#failure ??= new WorkerFailedError(message);
    for (const reject of this.#waiting) reject(this.#failure);
    this.#waiting.clear();
  }
}
