/** The runtimes of the benchmark, and what this browser lacks for them. */

import type { TFLiteModelOptions } from 'tflite-webnn';
import type { Capabilities } from '../common/capabilities.js';

/** A library, by the adapter that drives it. */
export type Library = 'tflite_webnn' | 'litert' | 'tfjs_tflite';

/** A way to run a model. */
export interface Runtime {
  /** `LIBRARY/CONFIGURATION`, as in `build.py bench`. */
  readonly name: string;
  readonly title: string;
  readonly library: Library;
  /** Options of the adapter's open(), and of its load(). */
  readonly openOptions: object;
  readonly loadOptions: object;
  /** Why this browser cannot run it; null if it can. */
  readonly missing: string | null;
}

/** The runtime whose outputs the others are compared with; it runs in every browser. */
export const REFERENCE = 'tflite-webnn/cpu';

/**
 * All runtimes, this project's first.
 *
 * @param processors - Logical processors of this machine; the runtimes with threads use half of them.
 */
export function runtimesFor(
  { webnn, jspi, threads }: Pick<Capabilities, 'webnn' | 'jspi' | 'threads'>,
  processors: number,
): Runtime[] {
  const isolated = threads.there;
  const needsWebnn = webnn.there ? null : `no WebNN: ${webnn.detail}`;
  const needsThreads = isolated ? null : `no threads: ${threads.detail}`;
  const count = Math.max(2, Math.floor(processors / 2));
  return [
    own('webnn', 'This project on WebNN', webnnOptions('never'), needsWebnn),
    own('polyfill', 'This project on its WebNN polyfill', webnnOptions('tflite'), null),
    own('cpu', 'This project on the CPU, 1 thread', { device: 'cpu', numThreads: 1 }, null),
    own('cpu-threads', `This project on the CPU, ${count} threads`, { device: 'cpu', numThreads: count }, needsThreads),
    litert('webnn', 'LiteRT.js on WebNN', { jspi: true }, WEBNN, needsWebnn ?? (jspi.there ? null : 'no JSPI')),
    litert('wasm', 'LiteRT.js on the CPU, 1 thread', {}, onWasm(1), null),
    litert('wasm-threads', `LiteRT.js on the CPU, ${count} threads`, { threads: true }, onWasm(count), needsThreads),
    // On an isolated page, tfjs-tflite always uses its build with threads.
    tfjs('simd', 'tfjs-tflite, 1 thread', 1, isolated ? 'on an isolated page it uses threads' : null),
    tfjs('simd-threads', `tfjs-tflite, ${count} threads`, count, needsThreads),
  ];
}

const WEBNN = { accelerator: 'webnn', webNNOptions: { devicePreference: 'cpu' } };

function onWasm(numThreads: number): object {
  return { accelerator: 'wasm', cpuOptions: { numThreads } };
}

function webnnOptions(polyfill: 'never' | 'tflite'): TFLiteModelOptions {
  return { enableWebnnDelegate: true, webnnDelegateOptions: { polyfill, ignorePartitionCost: true }, numThreads: 1 };
}

function own(name: string, title: string, loadOptions: TFLiteModelOptions, missing: string | null): Runtime {
  return { name: `tflite-webnn/${name}`, title, library: 'tflite_webnn', openOptions: {}, loadOptions, missing };
}

function litert(
  name: string,
  title: string,
  openOptions: object,
  loadOptions: object,
  missing: string | null,
): Runtime {
  return { name: `litert.js/${name}`, title, library: 'litert', openOptions, loadOptions, missing };
}

function tfjs(name: string, title: string, numThreads: number, missing: string | null): Runtime {
  const loadOptions = { numThreads };
  return { name: `tfjs-tflite/${name}`, title, library: 'tfjs_tflite', openOptions: {}, loadOptions, missing };
}
