/** A worker of this package, so that a page never waits for a model. */

import { ADDRESS, type Kinds, WORKER } from '../argument_kinds.js';
import { checkOptions, MODEL_OPTION_KINDS } from '../load/check_options.js';
import type { ModelSource } from '../load/model_source.js';
import { TRANSFER_KINDS, type TransferOptions } from '../model/run_options.js';
import type { TFLiteModelOptions } from '../options.js';
import { checkGiven } from '../support/option_check.js';
import { absolute, SCRIPT_URL } from '../support/page_address.js';
import { startPackagedWorker, startWorker } from '../support/start_worker.js';
import { loadInWorker } from './load_in_worker.js';
import { WorkerLine } from './worker_line.js';
import type { WorkerModel } from './worker_model.js';

/** Where the worker comes from. */
export interface TFLiteWorkerOptions {
  /** Address of the package's model_worker.mjs. Default: next to worker.mjs, or where a bundler has put it. */
  readonly url?: string | URL;
  /** A worker that runs model_worker.mjs already, as a bundler makes it. */
  readonly worker?: Worker;
}

const NAME = 'tflite-webnn';
const OF_WORKER: Kinds<TFLiteWorkerOptions> = { url: ADDRESS, worker: WORKER };

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
  #line: WorkerLine;

  /**
   * Starts a worker.
   *
   * @param options - Where it comes from. Default: the package's model_worker.mjs.
   * @throws OptionError for an unknown name, with the nearest one there is, or a value of another kind; WorkerFailedError
   *   if the page's policy forbids workers.
   */
  constructor(options: TFLiteWorkerOptions = {}) {
    checkGiven('', options, OF_WORKER);
    this.#options = options;
    this.#line = new WorkerLine(this.start(options));
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
   * @param source - The model file, as loadTFLiteModel takes it.
   * @param options - As of loadTFLiteModel, but for `webnnDelegateOptions.context`, which cannot cross, and whether the
   *   bytes are moved. After an abort
   *   the promise is rejected within 0.1 s, whatever the model's file does. A worker that does not answer in that time
   *   ends if it has no other model; the next load starts another.
   * @throws What loadTFLiteModel throws, of the same classes; OptionError for an option that cannot cross;
   *   WorkerFailedError where the worker does not start.
   */
  async loadTFLiteModel(source: ModelSource, options: TFLiteModelOptions & TransferOptions = {}): Promise<WorkerModel> {
    checkOptions(options, { ...MODEL_OPTION_KINDS, ...TRANSFER_KINDS });
    options.signal?.throwIfAborted();
    if (this.#line.isAbandoned && this.#options.worker === undefined) {
      this.#line = new WorkerLine(this.start(this.#options));
    }
    return loadInWorker(this.#line, source, options);
  }

  /** Ends the worker and every model in it, immediately. Calls in flight, and later ones, reject with a ModelDisposedError. */
  dispose(): void {
    this.#line.dispose();
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
