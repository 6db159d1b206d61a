/** A worker of this package, so that a page never waits for a model. */

import * as comlink from 'comlink';
import { startHelperWorker } from '../blocking/blocking_helper.js';
import { OptionError } from '../errors.js';
import { checkSource, fetchFile, type ModelSource } from '../load/model_source.js';
import { TRANSFER_SCHEMA, type TransferOptions } from '../model/run_options.js';
import { ADDRESS, type InstanceOf, type OptionSchema, WORKER } from '../option_schema.js';
import { checkOptions, type HelperWorker, MODEL_OPTIONS_SCHEMA, type TFLiteModelOptions } from '../options.js';
import { bytesIn } from '../support/download.js';
import { absolute, fileAddress, SCRIPT_URL } from '../support/platform.js';
import { startPackagedWorker, startWorker } from '../support/start_worker.js';
import { LoadMonitor, type LoadProgress, type ProgressListener } from '../support/tasks.js';
import { validateOptions } from '../support/validate_options.js';
import { wasmPathNow } from '../wasm/wasm_module.js';
import type { WorkerOptions, WorkerSource } from './model_server.js';
import { transferErrors, WorkerConnection } from './worker_connection.js';
import { WorkerModel } from './worker_model.js';

/** Where the worker comes from. */
export interface TFLiteWorkerOptions {
  /** Address of the package's model_worker.mjs. Default: next to worker.mjs, or where a bundler has put it. */
  readonly url?: string | URL;
  /** A worker that runs model_worker.mjs already, as a bundler makes it. */
  readonly worker?: InstanceOf<'Worker'>;
}

const NAME = 'tflite-webnn';
const WORKER_SCHEMA: OptionSchema<TFLiteWorkerOptions> = { url: ADDRESS, worker: WORKER };

/**
 * A module worker that loads and runs models: the page's own thread does neither.
 *
 * @example
 * import { TFLiteWorker } from 'tflite-webnn/worker';
 *
 * const worker = new TFLiteWorker();
 * const model = await worker.loadTFLiteModel('model.tflite');
 * const [scores] = await model.run(pixels, { transfer: true });
 * worker.dispose();
 *
 * @group Models
 */
export class TFLiteWorker {
  readonly #options: TFLiteWorkerOptions;
  #connection: WorkerConnection;

  /**
   * Starts a worker.
   *
   * @param options - Where it comes from. Default: the package's model_worker.mjs.
   * @throws OptionError for an unknown name, with the nearest one there is, or a value of another kind;
   *   WorkerFailedError
   *   if the page's policy forbids workers.
   */
  constructor(options: TFLiteWorkerOptions = {}) {
    validateOptions('', options, WORKER_SCHEMA);
    this.#options = options;
    this.#connection = new WorkerConnection(this.start(options));
  }

  /** @internal Node's workers are others. */
  protected start({ url, worker }: TFLiteWorkerOptions): Worker {
    if (worker !== undefined) return worker;
    return url === undefined ? startPackaged() : startWorker(absolute(url), SCRIPT_URL, NAME);
  }

  /**
   * Loads a model in the worker; see loadTFLiteModel. A stream is moved, or read here first where the browser cannot
   * move streams (WebKit); bytes are copied, unless `transfer` has them moved.
   *
   * @param source - The model file, as loadTFLiteModel accepts it.
   * @param options - As of loadTFLiteModel, but for `webnnDelegateOptions.context`, which cannot cross, and whether the
   *   bytes are moved. After an abort
   *   the promise is rejected within 0.1 s, whatever the model's file does. A worker that does not respond in that time
   *   ends if it has no other model; the next load starts another.
   * @throws What loadTFLiteModel throws, of the same classes; OptionError for an option that cannot cross;
   *   WorkerFailedError where the worker does not start.
   */
  async loadTFLiteModel(source: ModelSource, options: TFLiteModelOptions & TransferOptions = {}): Promise<WorkerModel> {
    checkOptions(options, { ...MODEL_OPTIONS_SCHEMA, ...TRANSFER_SCHEMA });
    options.signal?.throwIfAborted();
    if (this.#connection.isAbandoned && this.#options.worker === undefined) {
      this.#connection = new WorkerConnection(this.start(this.#options));
    }
    return loadInWorker(this.#connection, source, options);
  }

  /**
   * Ends the worker and every model in it, immediately. Calls in flight, and later ones, reject with a
   * ModelDisposedError.
   */
  dispose(): void {
    this.#connection.dispose();
  }

  /** The same, for `using`. */
  [Symbol.dispose](): void {
    this.dispose();
  }

  /** The same, for `await using`. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.dispose();
  }
}

function startPackaged(): Worker {
  const start = () =>
    new Worker(new URL('./model_worker.mjs', import.meta.url), { type: 'module', name: 'tflite-webnn' });
  return startPackagedWorker(start, './model_worker.mjs', SCRIPT_URL, NAME);
}

transferErrors();

/** A worker that is inside wasm does not respond. */
const ABORT_TIMEOUT_MS = 80;

/** See TFLiteWorker.loadTFLiteModel(). */
export async function loadInWorker(
  connection: WorkerConnection,
  source: ModelSource,
  options: TFLiteModelOptions & TransferOptions,
): Promise<WorkerModel> {
  const { signal, onProgress, transfer = false, ...others } = options;
  const crossing = crossingOptions(others);
  const [provided, moved] = await crossingSource(source, transfer, signal);
  signal?.throwIfAborted();
  const id = connection.nextNumber();
  const { server } = connection;
  let end: (reason: unknown) => void = () => undefined;
  const ended = new Promise<never>((_, reject) => {
    end = reject;
  });
  const abort = () => {
    const timer = setTimeout(
      () => (connection.isOnlyOf(id) ? connection.abandon() : end(signal?.reason)),
      ABORT_TIMEOUT_MS,
    );
    const responded = () => clearTimeout(timer);
    server.abort(id).then(responded, responded);
  };
  connection.models.add(id);
  signal?.addEventListener('abort', abort);
  const listening = onProgress === undefined ? null : new Listener(onProgress, abort);
  try {
    const listener = listening && comlink.proxy(listening.hear);
    const loading = server.load(id, crossingWith(provided, moved), crossing, listener).then((info) => {
      if (!signal?.aborted && !listening?.failure) return info;
      void server.dispose(id).catch(() => undefined);
      throw signal?.reason;
    });
    const info = await Promise.race([loading, ended]);
    return new WorkerModel(connection, id, info);
  } catch (error) {
    connection.models.delete(id);
    throw listening?.failure?.error ?? (signal?.aborted ? signal.reason : error);
  } finally {
    signal?.removeEventListener('abort', abort);
  }
}

/** A caller's listener. What it throws ends the loading, as without a worker. */
class Listener {
  failure: { readonly error: unknown } | null = null;

  constructor(
    private readonly onProgress: ProgressListener,
    private readonly abort: () => void,
  ) {}

  readonly hear = (progress: LoadProgress): void => {
    try {
      this.onProgress(progress);
    } catch (error) {
      this.failure ??= { error };
      this.abort();
    }
  };
}

function crossingOptions(options: WorkerOptions): WorkerOptions {
  if (options.webnnDelegateOptions?.context !== undefined) {
    throw new OptionError(
      'webnnDelegateOptions.context cannot be passed to a worker: an MLContext stays in its thread. Leave it out; the ' +
        'worker makes its own.',
    );
  }
  const { customOps } = options;
  if (customOps !== undefined && !ADDRESS[1](customOps)) {
    throw new OptionError(
      'customOps cannot be passed to a worker as functions, which stay in their thread: pass the address of a module that ' +
        'has them as its default export, for example new URL("ops.mjs", import.meta.url).',
      { details: { option: 'customOps' } },
    );
  }
  const { blockingHelper } = options.webnnDelegateOptions ?? {};
  if (blockingHelper instanceof URL) {
    const webnnDelegateOptions = { ...options.webnnDelegateOptions, blockingHelper: blockingHelper.href };
    return crossingOptions({ ...options, webnnDelegateOptions });
  }
  const wasmPath = options.wasmPath ?? wasmPathNow();
  return {
    ...options,
    ...(wasmPath !== undefined && { wasmPath: absolute(wasmPath) }),
    ...(customOps !== undefined && { customOps: absolute(fileAddress(`${customOps}`)) }),
  };
}

/** Comlink keeps a list of what moves along with an object; a URL is none. */
function crossingWith(source: WorkerSource, moved: Transferable[]): WorkerSource {
  return typeof source === 'string' ? source : comlink.transfer(source, moved);
}

/** The source as it crosses, and what of it is moved. */
async function crossingSource(
  source: ModelSource,
  transfer: boolean,
  signal: AbortSignal | undefined,
): Promise<[WorkerSource, Transferable[]]> {
  checkSource(source);
  if (typeof source === 'string' || source instanceof URL) return [absolute(fileAddress(`${source}`)), []];
  if (source instanceof Blob) return [source, []]; // a handle
  if (source instanceof ReadableStream && !source.locked && canMoveStreams()) return [source, [source]];
  if (source instanceof ReadableStream || source instanceof Response) {
    const monitor = new LoadMonitor(signal);
    const bytes = await monitor.orAbort(
      fetchFile(source, () => undefined, monitor),
      () => undefined,
    );
    return [bytes, [bytes.buffer as ArrayBuffer]];
  }
  const view = bytesIn(source) as Uint8Array;
  const isFull = view.byteLength === view.buffer.byteLength;
  const bytes = isFull ? view : view.slice();
  const moves = (transfer || !isFull) && bytes.buffer instanceof ArrayBuffer && bytes.byteLength > 0;
  return [bytes, moves ? [bytes.buffer as ArrayBuffer] : []];
}

function canMoveStreams(): boolean {
  const empty = new ReadableStream();
  try {
    structuredClone(empty, { transfer: [empty] });
    return true;
  } catch {
    return false; // a DataCloneError
  }
}

/**
 * Starts the helper worker of blocking mode. Only bundles need it: elsewhere a model starts its helper itself. It
 * serves any number of models, also one after the other, and ends with its `terminate()`.
 *
 * @returns the value of `webnnDelegateOptions.blockingHelper`.
 * @throws WorkerFailedError if the page's policy forbids workers.
 *
 * @example
 * const webnnDelegateOptions = { blocking: true, blockingHelper: startBlockingHelper() };
 * const model = await loadTFLiteModel('model.tflite', { webnnDelegateOptions });
 */
export function startBlockingHelper(): HelperWorker {
  if (typeof Worker === 'undefined') return startHelperWorker(new URL('./webnn_helper.mjs', SCRIPT_URL));
  const start = () =>
    new Worker(new URL('./webnn_helper.mjs', import.meta.url), { type: 'module', name: 'tflite-webnn helper' });
  return startPackagedWorker(start, './webnn_helper.mjs', SCRIPT_URL, 'tflite-webnn helper');
}
