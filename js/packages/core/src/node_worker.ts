/** TFLiteWorker in Node: its worker is a thread of node:worker_threads, which is no Worker of a browser. */

import { nodeModule, SCRIPT_URL } from './support/platform.js';
import { startWorker } from './support/start_worker.js';
import { TFLiteWorker as BrowserTFLiteWorker, type TFLiteWorkerOptions } from './worker/tflite_worker.js';

export type { HelperWorker } from './options.js';
export { startBlockingHelper } from './worker/tflite_worker.js';
export type { WorkerModel } from './worker/worker_model.js';

/** What is used of a Worker of node:worker_threads. */
export interface NodeWorker {
  on(event: 'message' | 'error' | 'messageerror' | 'exit', listener: (value: unknown) => void): unknown;
  postMessage(message: unknown, moved?: readonly never[]): void;
  terminate(): unknown;
  ref(): void;
  unref(): void;
}

/** Where the worker comes from. */
export interface NodeTFLiteWorkerOptions {
  /** Address of the package's model_worker.mjs. Default: next to this script. */
  readonly url?: string | URL;
  /** A Worker of node:worker_threads that runs model_worker.mjs already. */
  readonly worker?: NodeWorker;
}

/**
 * A thread that loads and runs models, so that the calling thread does neither. It keeps the process alive only while a
 * request is pending.
 *
 * @example
 * const worker = new TFLiteWorker();
 * const model = await worker.loadTFLiteModel('models/model.tflite');
 * const [scores] = await model.run(pixels, { transfer: true });
 * worker.dispose();
 *
 * @group Models
 */
export class TFLiteWorker extends BrowserTFLiteWorker {
  /**
   * Starts a worker.
   *
   * @param options - Where it comes from. Default: the package's model_worker.mjs.
   * @throws OptionError, as in pages; WorkerFailedError for an address of the web.
   */
  constructor(options: NodeTFLiteWorkerOptions = {}) {
    super(options as object as TFLiteWorkerOptions); // which start() gets back
  }

  /** @internal */
  protected override start(options: TFLiteWorkerOptions): Worker {
    const { url = './model_worker.mjs', worker } = options as object as NodeTFLiteWorkerOptions;
    return new ThreadAsWorker(worker ?? startThread(url)) as unknown as Worker;
  }
}

function startThread(url: string | URL): NodeWorker {
  interface NodeThreads {
    readonly Worker: new (url: URL) => NodeWorker;
  }
  const { Worker } = nodeModule<NodeThreads>('node:worker_threads') as NodeThreads;
  return startWorker(url, SCRIPT_URL, '', Worker);
}

/** @internal A thread of Node with what a page uses of a Worker. */
export class ThreadAsWorker extends EventTarget {
  /** Pending requests: each gets one response. */
  #openCount = 0;

  constructor(private readonly thread: NodeWorker) {
    super();
    thread.unref();
    thread.on('message', (data) => {
      this.#count(-1);
      this.dispatchEvent(new MessageEvent('message', { data }));
    });
    thread.on('error', (error) => this.#fail((error as Error).message));
    thread.on('exit', (status) => this.#fail(`it has ended with ${status}`));
    thread.on('messageerror', () => this.dispatchEvent(new Event('messageerror')));
  }

  postMessage(message: unknown, moved: readonly never[] = []): void {
    this.thread.postMessage(message, moved);
    this.#count(1);
  }

  terminate(): void {
    this.thread.terminate();
  }

  #count(change: 1 | -1): void {
    this.#openCount += change;
    if (this.#openCount > 0) this.thread.ref();
    else this.thread.unref();
  }

  #fail(message: string): void {
    this.dispatchEvent(Object.assign(new Event('error'), { message }));
  }
}
