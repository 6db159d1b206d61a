/** The page's half of Python: starts the worker and runs code, one run at a time. */

import { type Asset, asset } from '../common/assets.js';
import type { FromWorker, StartFile, ToWorker } from './python_protocol.js';

/** Receives progress, output and images of a run. */
export interface RunListener {
  fetched(bytes: number): void;
  ready(version: string): void;
  output(stream: 'out' | 'err', text: string): void;
  image(image: ImageData): void;
}

/** Python failed; the message ends with its traceback. */
export class PythonError extends Error {
  override readonly name = 'PythonError';
}

/** Size of the files that the first run downloads. */
export const START_BYTES = ['pyodide.asm.wasm', 'python_stdlib.zip', 'pyodide-lock.json', 'numpy', 'wheel']
  .map((name) => (name === 'wheel' ? asset('wheel', name) : pyodideFile(name)).sizeBytes)
  .reduce((sum, sizeBytes) => sum + sizeBytes, 0);

/** Python in a worker. It starts with the first run and keeps its variables until `stop()`. */
export class PythonInterpreter {
  readonly #listener: RunListener;
  #worker: Worker | undefined;
  readonly #files = new Map<string, Uint8Array<ArrayBuffer>>();
  #isReady = false;
  #settle: { resolve(value: string | null): void; reject(error: Error): void } | undefined;

  constructor(listener: RunListener) {
    this.#listener = listener;
  }

  /** Whether the next run needs no download. */
  get started(): boolean {
    return this.#worker !== undefined;
  }

  /**
   * Runs code, which may use top-level await.
   *
   * @returns The repr() of the last expression's value; null for None.
   * @throws PythonError if Python raises an exception or does not start.
   */
  run(code: string): Promise<string | null> {
    this.#worker ??= this.#start();
    const worker = this.#worker;
    return new Promise((resolve, reject) => {
      this.#settle = { resolve, reject };
      send(worker, { kind: 'run', code });
    });
  }

  /** Puts a file into the working directory, now and whenever Python starts again. */
  addFile(name: string, content: Uint8Array<ArrayBuffer>): void {
    this.#files.set(name, content);
    if (this.#worker) send(this.#worker, { kind: 'file', name, content });
  }

  /** Stops Python immediately and drops its variables; the next run starts it again. */
  stop(): void {
    this.#end();
    this.#settle?.reject(new PythonError('Python was stopped. The next run starts it again.'));
  }

  #end(): void {
    this.#worker?.terminate();
    this.#worker = undefined;
    this.#isReady = false;
  }

  #start(): Worker {
    const worker = new Worker(new URL('./python_worker.mjs', import.meta.url), { type: 'module' });
    worker.addEventListener('message', ({ data }: MessageEvent<FromWorker>) => this.#receive(data));
    worker.addEventListener('error', ({ message }) =>
      this.#fail(message || 'Python’s script could not be loaded. Check the network connection.'),
    );
    send(worker, {
      kind: 'start',
      siteUrl: new URL(document.documentElement.dataset.root || '.', document.baseURI).href,
      pyodide: absolute(pyodideFile('pyodide.mjs')),
      wheel: absolute(asset('wheel', 'wheel')),
      module: absolute(asset('wheel', 'module')),
      siteFiles: absolute(asset('files', 'site_files')),
    });
    for (const [name, content] of this.#files) send(worker, { kind: 'file', name, content });
    return worker;
  }

  #receive(message: FromWorker): void {
    switch (message.kind) {
      case 'fetched':
        this.#listener.fetched(message.bytes);
        break;
      case 'ready':
        this.#isReady = true;
        this.#listener.ready(message.version);
        break;
      case 'output':
        this.#listener.output(message.stream, message.text);
        break;
      case 'image':
        this.#listener.image(new ImageData(new Uint8ClampedArray(message.rgba), message.width, message.height));
        break;
      case 'done':
        this.#settle?.resolve(message.value);
        break;
      case 'failed':
        this.#fail(message.message);
    }
  }

  #fail(message: string): void {
    if (!this.#isReady) this.#end();
    this.#settle?.reject(new PythonError(message));
  }
}

function pyodideFile(start: string): Asset {
  return asset('pyodide', start);
}

function absolute({ url, sizeBytes }: Asset): StartFile {
  return { url: new URL(url, document.baseURI).href, sizeBytes };
}

function send(worker: Worker, message: ToWorker): void {
  worker.postMessage(message);
}
