/** A worker of this package, so that a page never waits for a model. */

import * as comlink from 'comlink';
import { WorkerOptionError } from '../errors.js';
import type { LoadProgress, ProgressListener } from '../load_watch.js';
import type { ModelSource } from '../model_source.js';
import type { TFLiteModelOptions } from '../options.js';
import { wasmPathNow } from '../wasm_module.js';
import type { TransferOptions } from './crossing.js';
import type { WorkerOptions, WorkerSource } from './protocol.js';
import { WorkerLine } from './worker_line.js';
import { WorkerModel } from './worker_model.js';

// By another name: a bundler that took the worker for a file to carry along would bundle it with everybody's page.
const SCRIPT_URL = import.meta.url;

/** Where the worker comes from. */
export interface TFLiteWorkerOptions {
  /** Address of the package's worker.mjs. Default: beside index.mjs. */
  readonly url?: string | URL;
  /** A worker that runs worker.mjs already, as a bundler makes it. */
  readonly worker?: Worker;
}

/**
 * A module worker that loads and runs models: the page's own thread does neither.
 *
 * @example
 * const worker = new TFLiteWorker();
 * const model = await worker.loadTFLiteModel('model.tflite', { enableWebnnDelegate: true });
 * const [scores] = await model.run(pixels, [], { transfer: true });
 * worker.terminate();
 *
 * @group Models
 */
export class TFLiteWorker {
  readonly #line: WorkerLine;
  #modelCount = 0;

  /**
   * Starts a worker.
   *
   * @param options - Where it comes from. Default: worker.mjs beside index.mjs.
   */
  constructor(options: TFLiteWorkerOptions = {}) {
    const { url, worker } = options;
    this.#line = new WorkerLine(worker ?? startWorker(url ?? new URL('./worker.mjs', SCRIPT_URL)));
  }

  /**
   * Loads a model in the worker; see loadTFLiteModel. A stream is moved, or read here first where the browser cannot
   * move streams (WebKit); bytes are copied, unless `transfer` has them moved.
   *
   * @param source - The model file, as loadTFLiteModel takes it.
   * @param options - As of loadTFLiteModel, but for `webnnDelegateOptions.context`, which cannot cross.
   * @param transfer - Whether the bytes are moved.
   * @throws What loadTFLiteModel throws, of the same classes; WorkerOptionError for an option that cannot cross;
   *   WorkerFailedError where the worker does not start.
   */
  async loadTFLiteModel(
    source: ModelSource,
    options: TFLiteModelOptions = {},
    { transfer = false }: TransferOptions = {},
  ): Promise<WorkerModel> {
    const { signal, onProgress, tf, ...others } = options;
    signal?.throwIfAborted();
    const crossing = crossingOptions(others);
    const [given, moved] = await crossingSource(source, transfer);
    signal?.throwIfAborted();
    const id = ++this.#modelCount;
    const { host } = this.#line;
    const abort = () => void this.#line.call(host.abort(id)).catch(() => undefined);
    signal?.addEventListener('abort', abort);
    const listening = onProgress === undefined ? null : new Listener(onProgress, abort);
    try {
      const listener = listening && comlink.proxy(listening.hear);
      const card = await this.#line.call(host.load(id, crossingWith(given, moved), crossing, listener));
      return new WorkerModel(this.#line, id, card, tf);
    } catch (error) {
      throw listening?.failure?.error ?? (signal?.aborted ? signal.reason : error);
    } finally {
      signal?.removeEventListener('abort', abort);
    }
  }

  /** Ends the worker, and at once every model in it. Calls under way reject with a WorkerFailedError. */
  terminate(): void {
    this.#line.terminate();
  }

  /** The same, for `using`. */
  [Symbol.dispose](): void {
    this.terminate();
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

function startWorker(url: string | URL): Worker {
  return new Worker(absolute(url), { type: 'module', name: 'tflite-webnn' });
}

/** Addresses are relative to the page, also in the worker, whose own address is another one. */
function absolute(url: string | URL): string {
  const base = (globalThis as { document?: Document }).document?.baseURI ?? globalThis.location?.href ?? SCRIPT_URL;
  return new URL(url, base).href;
}

function crossingOptions(options: WorkerOptions): WorkerOptions {
  if (options.webnnDelegateOptions?.context !== undefined) {
    throw new WorkerOptionError(
      'webnnDelegateOptions.context cannot be given to a worker: an MLContext stays in its thread. Leave it out; the ' +
        'worker makes its own.',
    );
  }
  const wasmPath = options.wasmPath ?? wasmPathNow();
  return wasmPath === undefined ? options : { ...options, wasmPath: absolute(wasmPath) };
}

/** Comlink keeps a list of what moves along with an object; a URL is none. */
function crossingWith(source: WorkerSource, moved: Transferable[]): WorkerSource {
  return typeof source === 'string' ? source : comlink.transfer(source, moved);
}

/** The source as it crosses, and what of it is moved. */
async function crossingSource(source: ModelSource, transfer: boolean): Promise<[WorkerSource, Transferable[]]> {
  if (typeof source === 'string' || source instanceof URL) return [absolute(source), []];
  if (source instanceof ArrayBuffer) return [source, transfer ? [source] : []];
  if (source instanceof ReadableStream && canMoveStreams()) return [source, [source]];
  if (source instanceof ReadableStream || source instanceof Response) {
    const response = source instanceof Response ? source : new Response(source);
    const bytes = await response.arrayBuffer();
    return [bytes, [bytes]];
  }
  const isWhole = source.byteLength === source.buffer.byteLength;
  const bytes = isWhole ? source : source.slice();
  return [bytes, transfer || !isWhole ? [bytes.buffer as ArrayBuffer] : []];
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
