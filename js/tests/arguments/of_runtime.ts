/** Right arguments of the runtime's functions, of its metadata, and of the tools. */

import * as shared from '../../packages/core/src/shared_with_worker.js';
import type { Calls } from './wrong_arguments.js';

const INTERNAL = 'not for users of the package';

/** The result of readModelMetadata(): its members are not replaced. */
class Labels {
  readonly locale = 'en';
  readonly names = ['cat'];
}

const labels = () => [new Labels()];
const SHARED_CALLS: Calls = Object.fromEntries(
  Object.entries(shared)
    .filter(([, value]) => typeof value === 'function' && !(value.prototype instanceof Error))
    .map(([name]) => [name, INTERNAL]),
);
const KINDS_CALLS = Object.fromEntries(
  ['checkArguments', 'checkValues', 'validateOptions'].map((name) => [name, INTERNAL]),
);
/** Where the call waits for a page or a wasm module, the arguments are checked before. */
const bytes = () => new Uint8Array(8);

export const METADATA_CALLS: Calls = {
  ...Object.fromEntries(['kindOf', 'messageOf'].map((name) => [name, INTERNAL])),
  labelsFor: () => ({ tensor: { labels: labels() }, locale: 'en' }),
  openTaskBundle: () => ({ source: bytes(), options: { signal: new AbortController().signal } }),
  readModelMetadata: () => ({ source: bytes(), options: { signal: new AbortController().signal } }),
};

export const INDEX_CALLS: Calls = {
  ...SHARED_CALLS,
  ...METADATA_CALLS,
  prepareMetadata: INTERNAL,
  ...KINDS_CALLS,
  loadTFLiteModel: () => ({
    source: bytes(),
    options: {
      numThreads: 1,
      enableXnnpackDelegate: true,
      device: 'auto',
      enableWebnnDelegate: false,
      inputShapes: [[1]],
      maxKeptShapes: 2,
      webnnDelegateOptions: { maxPartitions: 1, blockingHelper: 'helper.mjs' },
      wasmPath: 'no/such/directory/',
      variant: 'simd',
    },
  }),
  preloadTFLite: () => ({ options: { numThreads: 1, variant: 'simd', wasmPath: 'no/such/directory/' } }),
  deleteCachedModel: () => ({ url: 'https://example.com/model.tflite' }),
  listCachedModels: () => ({}),
  decodeByteStrings: () => ({ encoded: Uint8Array.of(1, 0, 0, 0, 12, 0, 0, 0, 13, 0, 0, 0, 65) }),
  decodeStrings: () => ({ encoded: Uint8Array.of(1, 0, 0, 0, 12, 0, 0, 0, 13, 0, 0, 0, 65) }),
  encodeStrings: () => ({ strings: ['a', 'b'] }),
  getWasmFeatures: () => ({}),
  orAbort: INTERNAL,
  realNumbers: INTERNAL,
  renderReport: 'needs a report: tested with the runtime',
  setWasmPath: () => ({ path: 'no/such/directory/' }),
};

export const WORKER_CALLS: Calls = {
  'TFLiteWorker.new': () => ({ options: { worker: new FakeWorker() } }),
  startBlockingHelper: 'accepts no arguments',
};

/** An object of a browser class is not an ordinary object: its members are not replaced. */
class FakeWorker {
  postMessage() {}
  addEventListener() {}
  removeEventListener() {}
  terminate() {}
}

/** Of node:worker_threads. */
class FakeThread {
  on() {}
  postMessage() {}
  terminate() {}
  ref() {}
  unref() {}
}

export const NODE_CALLS: Calls = {
  'TFLiteWorker.new': () => ({ options: { url: './no_such_worker.mjs', worker: new FakeThread() } }),
  ThreadAsWorker: INTERNAL,
  startBlockingHelper: 'accepts no arguments',
};

export const MODELS_CALLS: Calls = { quantize: () => ({ values: [1, 2] }) };

export const EXPLAIN_CALLS: Calls = {
  describeFile: () => ({ bytes: bytes() }),
  explainModel: () => ({
    source: bytes(),
    limits: {},
    options: { excludedNodes: [], enableXnnpackDelegate: true, wasmPath: 'no/such/directory/' },
  }),
  planMemory: () => ({
    source: bytes(),
    options: { limits: {}, enableXnnpackDelegate: true, wasmPath: 'no/such/directory/' },
  }),
  exportGraphsAsJson: () => ({ explanation: { graphs: [], heap: () => new Uint8Array() } }),
  exportGraphsAsScript: () => ({ explanation: { graphs: [], heap: () => new Uint8Array() }, title: 'model' }),
  renderMemoryPlan: () => ({ plan: { subgraphs: [], delegated: [] } }),
  renderMetadata: 'needs what describeFile() returns: tested with it',
  renderReport: 'needs a report: tested with the runtime',
};

export const POLYFILL_CALLS: Calls = {
  install: () => ({ options: { engine: { open: () => null }, force: false } }),
  webnnOf: () => ({ engine: 'tflite' }),
  tfliteEngine: () => ({
    options: { wasmPath: 'wasm/', variant: 'simd', thread: 'own', workerUrl: 'polyfill_worker.mjs' },
  }),
  graphToTFLite: "throws WebNN's TypeErrors, as build() does",
};
