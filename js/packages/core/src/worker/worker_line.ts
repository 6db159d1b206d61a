/** The page's line to a worker. */

import * as comlink from 'comlink';
import type { InstanceOf } from '../argument_kinds.js';
import { ModelDisposedError, OptionError, type TFLiteWebnnError, WorkerFailedError } from '../errors.js';
import { orAbort } from '../support/tasks.js';
import type { ModelServer } from './model_server.js';

/** The methods of a worker's server, as the page calls them. */
export type ServerCalls = {
  readonly [Name in keyof ModelServer]: (
    ...given: Parameters<ModelServer[Name]>
  ) => Promise<Awaited<ReturnType<ModelServer[Name]>>>;
};

/** Calls of a worker's server. A call to a worker that fails or is ended rejects, where comlink alone would wait forever. */
export class WorkerLine {
  #server: ServerCalls | null = null;
  readonly #waiting = new Set<(error: TFLiteWebnnError) => void>();
  #failure: TFLiteWebnnError | null = null;
  #isRunning = false;
  #lastCall = 0;
  /** The numbers of the models that are loaded or being loaded. */
  readonly models = new Set<number>();
  /** Whether the worker ended because it did not answer. */
  isAbandoned = false;

  constructor(private readonly worker: InstanceOf<'Worker'>) {
    worker.addEventListener('error', (event) => {
      // A stray exception of a script ends neither the worker nor its models.
      if (this.#isRunning && event.filename) return;
      this.#fail(
        `The worker failed${event.message ? `: ${event.message}` : ' to start'}. Is the package's model_worker.mjs next to its ` +
          "index.mjs? Does the page's policy (worker-src) allow it? Else give its address, or the Worker, to TFLiteWorker.",
      );
    });
    worker.addEventListener('messageerror', () => {
      this.#fail('A message to or from the worker could not be read.');
    });
  }

  /** What the worker does. */
  get server(): ServerCalls {
    if (this.#server === null) {
      const remote = comlink.wrap<ModelServer>(this.worker) as object as ServerCalls;
      const get =
        (_: object, name: keyof ModelServer) =>
        (...given: never[]) =>
          this.call((remote[name] as (...given: never[]) => Promise<unknown>)(...given));
      this.#server = new Proxy({}, { get } as ProxyHandler<object>) as ServerCalls;
      // Answered as soon as the script runs.
      this.#server.abort(0).then(
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
  abortable<T>(signal: AbortSignal | undefined, start: (call: number | null) => Promise<T>): Promise<T> {
    if (signal === undefined) return start(null);
    if (signal.aborted) return Promise.reject(signal.reason);
    const number = this.nextNumber();
    const abort = () => void this.server.abort(number).catch(() => undefined);
    signal.addEventListener('abort', abort);
    const answer = start(number).finally(() => signal.removeEventListener('abort', abort));
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
  async free(calling: (server: ServerCalls) => Promise<void>): Promise<void> {
    if (this.#failure !== null) return;
    await calling(this.server).catch((error: unknown) => {
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
