/** The engine that computes with TensorFlow Lite and XNNPACK in WebAssembly. */

import {
  ADDRESS,
  type OptionSchema,
  oneOf,
  startPackagedWorker,
  startWorker,
  TEXT,
  validateOptions,
} from 'tflite-webnn/wasm';
import type { Engine, EngineContext } from '../../engine.js';
import { EngineWorkers } from './engine_workers.js';
import { type LocalContext, openLocalContext, type TFLiteEngineOptions } from './local_context.js';
import { PageContext } from './page_context.js';
import { WorkerContext } from './worker_context.js';

/**
 * The engine's thread.
 *
 * @group polyfill.mjs
 */
export interface TFLiteEngineThread {
  /**
   * `own`: the calling thread, with the lowest latency. `worker`: a worker, so that the page never waits. `auto`,
   * the default: workers and Node compute in their own thread, and pages in a worker, except graphs that take less
   * time than a few messages. If the page cannot start that worker, it computes in its own thread, and warns.
   */
  readonly thread?: 'own' | 'worker' | 'auto' | undefined;
  /** URL of the package's polyfill_worker.mjs. Default: next to the script, or where a bundler has put it. */
  readonly workerUrl?: string | URL | undefined;
}

const ENGINE_SCHEMA: OptionSchema<TFLiteEngineOptions & TFLiteEngineThread> = {
  wasmPath: TEXT,
  variant: oneOf(['auto', 'simd', 'relaxed-simd']),
  thread: oneOf(['own', 'worker', 'auto']),
  workerUrl: ADDRESS,
};

const NAME = 'webnn-polyfill';
const SCRIPT_URL = import.meta.url;

/**
 * The tflite engine. Its first context loads wasm.
 *
 * @param options - The engine's files and thread.
 * @throws OptionError for an unknown name, with the nearest one there is, or a value of another kind.
 * @group polyfill.mjs
 */
export function tfliteEngine(options: TFLiteEngineOptions & TFLiteEngineThread = {}): Engine {
  validateOptions('', options, ENGINE_SCHEMA);
  const { thread = 'auto', workerUrl, ...wasm } = options;
  const openHere = () => openLocalContext(wasm);
  const workers = new EngineWorkers(() =>
    workerUrl === undefined ? startPackaged() : startWorker(workerUrl, SCRIPT_URL, NAME),
  );
  const openInWorker = async () => {
    const options = absolute(wasm); // may throw: no worker is started yet
    return WorkerContext.open(workers.next(), options);
  };
  const ways = {
    own: openHere,
    worker: openInWorker,
    auto: typeof document === 'object' ? () => openForPage(openInWorker, openHere) : openHere,
  };
  return { name: 'tflite', open: ways[thread] };
}

function startPackaged(): Worker {
  const start = () =>
    new Worker(new URL('./polyfill_worker.mjs', import.meta.url), { type: 'module', name: 'webnn-polyfill' });
  return startPackagedWorker(start, './polyfill_worker.mjs', SCRIPT_URL, NAME);
}

let isWarned = false;

/** Policies, sandboxes and bundlers may keep the worker from a page: its own thread then computes. */
async function openForPage(
  openInWorker: () => Promise<WorkerContext>,
  openHere: () => Promise<LocalContext>,
): Promise<EngineContext> {
  const worker = await openInWorker().catch((error: Error) => error);
  if (worker instanceof WorkerContext) return new PageContext(worker, openHere);
  const context = await openHere();
  if (!isWarned)
    console.warn(`webnn-polyfill: graphs run in the page's thread, which waits for them. ${worker.message}`);
  isWarned = true;
  return context;
}

/** Relative addresses would be the worker's. */
function absolute({ wasmPath, ...options }: TFLiteEngineOptions): TFLiteEngineOptions {
  if (wasmPath === undefined) return options;
  const base = typeof document === 'object' ? document.baseURI : location.href;
  return { ...options, wasmPath: new URL(wasmPath, base).href };
}
