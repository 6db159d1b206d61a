/** The page's connection to a worker, and what is sent over it. */

import * as comlink from 'comlink';
import { bytesOf, type TypedArray } from '../dtypes.js';
import * as errors from '../errors.js';
import { ModelDisposedError, OptionError, type TFLiteWebnnError, WorkerFailedError } from '../errors.js';
import type { TransferOptions } from '../model/run_options.js';
import type { InstanceOf } from '../option_schema.js';
import { orAbort } from '../support/tasks.js';
import { type NamedInputs, resolveOutput } from '../tensors/inputs_outputs.js';
import { type TensorResult, tensorResult } from '../tensors/results.js';
import type { ModelServer, ResultData } from './model_server.js';

/** The methods of a worker's server, as the page calls them. */
export type ServerCalls = {
  readonly [Name in keyof ModelServer]: (
    ...provided: Parameters<ModelServer[Name]>
  ) => Promise<Awaited<ReturnType<ModelServer[Name]>>>;
};

/**
 * Calls of a worker's server. A call to a worker that fails or is ended rejects, where comlink alone would wait
 * forever.
 */
export class WorkerConnection {
  #server: ServerCalls | null = null;
  readonly #waiting = new Set<(error: TFLiteWebnnError) => void>();
  #failure: TFLiteWebnnError | null = null;
  #isRunning = false;
  #lastCall = 0;
  /** The numbers of the models that are loaded or being loaded. */
  readonly models = new Set<number>();
  /** Whether the worker ended because it did not respond. */
  isAbandoned = false;

  constructor(private readonly worker: InstanceOf<'Worker'>) {
    worker.addEventListener('error', (event) => {
      // A stray exception of a script ends neither the worker nor its models.
      if (this.#isRunning && event.filename) return;
      this.#fail(
        `The worker failed${event.message ? `: ${event.message}` : ' to start'}. Is the package's model_worker.mjs next to its ` +
          "index.mjs? Does the page's policy (worker-src) allow it? Else pass its address, or the Worker, to TFLiteWorker.",
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
        (...provided: never[]) =>
          this.call((remote[name] as (...provided: never[]) => Promise<unknown>)(...provided));
      this.#server = new Proxy({}, { get } as ProxyHandler<object>) as ServerCalls;
      // The response comes as soon as the script runs.
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
    const result = start(number).finally(() => signal.removeEventListener('abort', abort));
    return orAbort(result, signal);
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

  /** Ends a worker that does not respond. */
  abandon(): void {
    this.isAbandoned = true;
    this.worker.terminate();
    this.#fail('The worker was ended because it did not respond.');
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
    `The arguments cannot be sent to the worker (${cause.message}): it accepts plain data and arrays ` +
      'that were not transferred, and moves no memory of WebAssembly.',
    { cause },
  );
}

/**
 * Inputs as they cross. They were checked before, so that a mistake is reported immediately, before anything is moved.
 */
export function crossing(inputs: readonly TypedArray[], options: TransferOptions): TypedArray[] {
  const data = inputs.map((array) => (isFull(array) ? array : array.slice()));
  return comlink.transfer(data, buffersOf(data, options));
}

/** What moves along. */
function buffersOf(data: readonly TypedArray[], { transfer = false }: TransferOptions): ArrayBuffer[] {
  if (!transfer) return [];
  return [...new Set(data.map(({ buffer }) => buffer).filter((buffer) => buffer instanceof ArrayBuffer))];
}

/** The same by the names of a signature. */
export function crossingByName(
  inputs: readonly TypedArray[],
  rules: NamedInputs,
  options: TransferOptions,
): Record<string, TypedArray> {
  const data = crossing(inputs, options);
  const named = Object.fromEntries(rules.inputs.map(({ name }, position) => [name, data[position] as TypedArray]));
  return comlink.transfer(named, buffersOf(data, options));
}

/** A result of the worker, in the caller's array where there is one. */
export function resultIn(provided: TypedArray | undefined, result: ResultData): TensorResult {
  const { name, shape, data } = result;
  if (provided !== undefined) bytesOf(resolveOutput(result, data.byteLength, provided)).set(bytesOf(data));
  return tensorResult(result, name, shape, provided ?? data);
}

/** Cloning a view clones all of its buffer. */
function isFull({ buffer, byteLength }: TypedArray): boolean {
  return buffer.byteLength === byteLength;
}

/** An error as plain data. */
interface ErrorText {
  readonly message: string;
  /** Name, code, details and what else its class has. */
  readonly members: Readonly<Record<string, unknown>>;
  readonly stack: string;
  readonly cause: ErrorText | null;
}

interface Thrown {
  readonly value: unknown;
}

const CLASSES: Readonly<Record<string, unknown>> = errors;

/** Has comlink throw on this thread what was thrown on the other. Both threads call it. */
export function transferErrors(): void {
  const handler = comlink.transferHandlers.get('throw') as comlink.TransferHandler<Thrown, ErrorText>;
  const own: comlink.TransferHandler<Thrown, ErrorText> = {
    canHandle: (value): value is Thrown => handler.canHandle(value),
    serialize: ({ value }) => [textOf(value), []],
    deserialize: (text) => {
      throw errorOf(text);
    },
  };
  comlink.transferHandlers.set('throw', own as comlink.TransferHandler<unknown, unknown>);
}

/** @internal */
export function textOf(error: unknown): ErrorText {
  if (!(error instanceof Error)) return { message: String(error), members: {}, stack: '', cause: null };
  const { message, name, stack = '', cause } = error;
  const { stack: _stack, message: _message, cause: _cause, ...own } = { ...error } as Record<string, unknown>;
  return { message, members: { name, ...own }, stack, cause: cause === undefined ? null : textOf(cause) };
}

/** @internal The error has the class of its name, so that `instanceof` holds in the page, too. */
export function errorOf({ message, members, stack, cause }: ErrorText): Error {
  const error = new Error(message, cause === null ? undefined : { cause: errorOf(cause) });
  const kind = CLASSES[String(members.name)];
  if (typeof kind === 'function') Object.setPrototypeOf(error, kind.prototype as object);
  for (const [name, value] of Object.entries(members)) Object.defineProperty(error, name, { value, enumerable: true });
  if (stack !== '') Object.defineProperty(error, 'stack', { value: stack });
  return error;
}
