/** The engine that computes with TensorFlow Lite and XNNPACK in WebAssembly. */

import type { Engine } from '../../engine.js';
import { openLocalContext, type TFLiteEngineOptions } from './local_context.js';
import { PageContext } from './page_context.js';
import { WorkerContext } from './worker_context.js';

/**
 * Where the engine works.
 *
 * @group polyfill.mjs
 */
export interface TFLiteEngineThread {
  /**
   * `own`: the thread that asks, which is the shortest way. `worker`: a worker, so that the page never waits. `auto`,
   * the default: workers, and Node, compute in their own thread, and pages in a worker, but for graphs that take less
   * time than a few messages.
   */
  readonly thread?: 'own' | 'worker' | 'auto' | undefined;
  /** Address of the package's polyfill_worker.mjs. Default: beside the script. */
  readonly workerUrl?: string | URL | undefined;
}

// Taken here: bundlers put the module where the worker is beside it.
const SCRIPT_URL = import.meta.url;

/**
 * The tflite engine. Wasm is loaded with its first context.
 *
 * @param options - Where the engine is loaded from, and where it works.
 * @group polyfill.mjs
 */
export function tfliteEngine(options: TFLiteEngineOptions & TFLiteEngineThread = {}): Engine {
  const { thread = 'auto', workerUrl = './polyfill_worker.mjs', ...wasm } = options;
  const openHere = () => openLocalContext(wasm);
  const openInWorker = () => WorkerContext.open(startWorker(workerUrl), absolute(wasm));
  const ways = {
    own: openHere,
    worker: openInWorker,
    auto: typeof document === 'object' ? async () => new PageContext(await openInWorker(), openHere) : openHere,
  };
  return { name: 'tflite', open: ways[thread] };
}

function startWorker(address: string | URL): Worker {
  return new Worker(new URL(address, SCRIPT_URL), { type: 'module', name: 'webnn-polyfill' });
}

/** A worker would resolve relative addresses by its own. */
function absolute({ wasmPath, ...options }: TFLiteEngineOptions): TFLiteEngineOptions {
  if (wasmPath === undefined) return options;
  const base = typeof document === 'object' ? document.baseURI : location.href;
  return { ...options, wasmPath: new URL(wasmPath, base).href };
}
