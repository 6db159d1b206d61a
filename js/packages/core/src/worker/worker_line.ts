/** The page's line to a worker. */

import type { Remote } from 'comlink';
import { ModelDisposedError, OptionError, type TFLiteWebnnError, WorkerFailedError } from '../errors.js';
import { orAbort } from '../support/abort.js';
import type { ModelServer } from './server_protocol.js';

/** Calls of a worker's server. A call to a worker that fails or is ended rejects, where comlink alone would wait forever. */
export class WorkerLine {
  #server: Remote<ModelServer> | null = null;
  readonly #waiting = new Set<(error: TFLiteWebnnError) => void>();
  #failure: TFLiteWebnnError | null = null;
  #isRunning = false;
  #lastCall = 0;
  /** The numbers of the models that are loaded or being loaded. */
  readonly models = new Set<number>();
  /** Whether the worker ended because it did not answer. */
  isAbandoned = false;

  constructor(private readonly worker: Worker) {
    worker.addEventListener('error', (event) => {
      // A stray exception of a script ends neither the worker nor its models.
      if (this.#isRunning && event.filename) return;
      this.#fail(
        `The worker failed${event.message ? `: ${event.message}` : ' to start'}. Is the package's model_worker.mjs beside its ` +
          "index.mjs? Does the page's policy (worker-src) allow it? Else give its address, or the Worker, to TFLiteWorker.",
      );
    });
    worker.addEventListener('messageerror', () => {
      this.#fail('A message to or from the worker could not be read.');
    });
  }

  /** What the worker does; `wrap` connects with it the first time. */
  connect(wrap: (worker: Worker) => Remote<ModelServer>): Remote<ModelServer> {
    if (this.#server === null) {
      this.#server = wrap(this.worker);
      // Answered as soon as the script runs.
      this.call(this.#server.abort(0)).then(
        () => {
          this.#isRunning = true;
        },
        () => undefined,
      );
    }
    return this.#server;
  }

  /** A number for a call that can be aborted, or a model. */
  nextNumber(): number {
    return ++this.#lastCall;
  }

  /** Makes a call that the signal ends. */
  abortable<T>(signal: AbortSignal | undefined, start: (call: number | null) => PromiseLike<T>): Promise<T> {
    if (signal === undefined) return this.call(start(null));
    if (signal.aborted) return Promise.reject(signal.reason);
    const number = this.nextNumber();
    const abort = () => void this.call((this.#server as Remote<ModelServer>).abort(number)).catch(() => undefined);
    signal.addEventListener('abort', abort);
    const answer = this.call(start(number)).finally(() => signal.removeEventListener('abort', abort));
    return orAbort(answer, signal);
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
          reject(isUnsendable(error) ? unsendable(error) : error);
        },
      );
    });
  }

  /** Frees something in the worker: nothing is left of it where the worker is gone. */
  async free(calling: () => PromiseLike<void>): Promise<void> {
    if (this.#failure !== null) return;
    await this.call(calling()).catch((error: unknown) => {
      if (error !== this.#failure) throw error;
    });
  }

  /** Whether the worker has no other model than this one. */
  isOnlyOf(id: number): boolean {
    return [...this.models].every((model) => model === id);
  }

  /** Ends a worker that does not answer. */
  abandon(): void {
    this.isAbandoned = true;
    this.worker.terminate();
    this.#fail('The worker was ended because it did not answer.');
  }

  /** Ends the worker and with it every model in it. */
  dispose(): void {
    this.worker.terminate();
    this.#fail('The worker has been disposed. Make a new TFLiteWorker.', ModelDisposedError);
  }

  #fail(message: string, ErrorOf: new (message: string) => TFLiteWebnnError = WorkerFailedError): void {
    this.#failure ??= new ErrorOf(message);
    for (const reject of this.#waiting) reject(this.#failure);
    this.#waiting.clear();
  }
}

function isUnsendable(error: unknown): error is Error {
  return (error as Error | null)?.name === 'DataCloneError';
}

function unsendable(cause: Error): OptionError {
  return new OptionError(
    `What the call was given cannot be sent to the worker (${cause.message}): it takes plain data and arrays ` +
      'that were not transferred, and moves no memory of WebAssembly.',
    { cause },
  );
}
