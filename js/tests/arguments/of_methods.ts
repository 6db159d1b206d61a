/** Right arguments of methods: of models, their states, workers, and tokenizers. */

import { TFLiteModel as TfModel } from '@tflite-webnn/compat-tfjs';
import { CpuModel, createTFLite, TFLiteCpu } from '@tflite-webnn/cpu';
import { openTokenizer } from '@tflite-webnn/tasks/text';
import * as comlink from 'comlink';
import {
  FakeContext,
  FakeWasm,
  loadOn,
  ON_CPU,
  sinRunner,
  TOTAL_DIRECT,
  TOTAL_ON_CPU,
  totalRunner,
} from 'tflite-webnn/fakes';
import { WasmRunner } from 'tflite-webnn/wasm/wasm_runner';
import { TFLiteWorker } from 'tflite-webnn/worker';
import { TFLiteModel } from '../../packages/core/src/load/tflite_model.js';
import { ResidentState } from '../../packages/core/src/model/state.js';
import { makeModelServer } from '../../packages/core/src/worker/model_server.js';
import { WorkerModel } from '../../packages/core/src/worker/worker_model.js';
import { WorkerState } from '../../packages/core/src/worker/worker_state.js';
import { type Methods, methodsOf, OfObject, read } from './methods.js';
import { INDEX_CALLS } from './of_runtime.js';
import type { Calls } from './wrong_arguments.js';

const INTERNAL = 'not for users of the package';
const NEEDS_WEBNN = 'of a model that WebNN runs entirely: in another row';
const NEEDS_CPU = 'of a model that a call can wait for: in another row';

const onWebnn = () => loadOn([new FakeContext()], totalRunner(TOTAL_DIRECT));
const onCpu = () => loadOn([], totalRunner(TOTAL_ON_CPU), { enableWebnnDelegate: false });
const values = () => new Float32Array(4);
const inputs = () => ({ x: values(), total: { data: values(), shape: [4] } });
const outputs = () => ({ y: values(), total: values() });
const options = () => ({ transfer: false, signal: new AbortController().signal });

const ALL_MODELS_CALLS: Calls = {
  run: () => ({ inputs: inputs(), options: { outputs: outputs(), ...options() } }),
  runSignature: () => ({ key: 'step', inputs: inputs(), options: { outputs: outputs(), ...options() } }),
  stream: () => ({ source: [inputs()], options: { inFlight: 2, ...options() } }),
  resizeInputs: () => ({ shapes: { x: [4], total: [4] }, signature: 'step' }),
  createState: () => ({ tensors: { total: 'total' } }),
  resetState: () => ({}),
  report: () => ({}),
  getProfilingResults: () => ({}),
  getProfilingSummary: () => ({}),
  dispose: () => ({}),
};
const OWN_MODELS_CALLS: Calls = {
  ...ALL_MODELS_CALLS,
  metadataParts: INTERNAL,
  onCpu: INTERNAL,
  recover: INTERNAL,
  track: INTERNAL,
  checkUsable: INTERNAL,
  openRing: INTERNAL,
  closeRings: INTERNAL,
};
const SYNC_CALLS: Calls = {
  runSync: () => ({ inputs: inputs(), options: { outputs: outputs() } }),
};
const tensor = () => new OfObject<TFLiteModel>((model) => model.createInputTensor('x', { readable: true }));
const TENSORS_CALLS: Calls = {
  inputTensorDescriptor: () => ({ input: 'total' }),
  outputTensorDescriptor: () => ({ output: 'total' }),
  createInputTensor: () => ({ input: 'total', flags: { readable: true, writable: true } }),
  createOutputTensor: () => ({ output: 'total', flags: { readable: true, writable: true } }),
  dispatch: () => ({ inputs: inputs(), outputs: outputs() }),
  writeTensor: () => ({ tensor: tensor(), data: values() }),
  readTensor: () => ({ tensor: tensor(), output: values() }),
};

const reasonFor = (calls: Calls, reason: string) =>
  Object.fromEntries(Object.keys(calls).map((name) => [name, reason]));

/** Runs with a state that another model has created: its kind is looked at first. */
const STATEFUL_RUNS_CALLS: Calls = {
  run: () => ({ options: { state: new (class State {})() } }),
  runSignature: () => ({ options: { state: new (class State {})() } }),
  stream: () => ({ options: { state: new (class State {})(), inFlight: 1 } }),
};
const sinOnCpu = () => loadOn([], sinRunner(ON_CPU), { enableWebnnDelegate: false });
const STATEFUL_RUNS: Methods = {
  run: async (provided) => (await sinOnCpu()).run(values(), provided as object),
  runSignature: async (provided) =>
    (await sinOnCpu()).runSignature('serving_default', { angle: values() }, provided as object),
  stream: async (provided) => read((await sinOnCpu()).stream([values()], provided as object)),
};

const STATES_CALLS: Calls = {
  read: () => ({ name: 'total', output: values() }),
  write: () => ({ name: 'total', values: { data: values(), shape: [4] } }),
  reset: () => ({}),
  dispose: () => ({}),
  checkUsable: INTERNAL,
};

/** A Worker whose thread is this one. */
function fakeWorker(): TFLiteWorker {
  const { port1, port2 } = new MessageChannel();
  comlink.expose(makeModelServer(onWebnn), port1 as unknown as comlink.Endpoint);
  const terminate = () => port1.close();
  return new TFLiteWorker({ worker: Object.assign(port2, { terminate }) as unknown as Worker });
}

const workers = new WeakMap<object, TFLiteWorker>();

async function modelInWorker(): Promise<WorkerModel> {
  const worker = fakeWorker();
  const model = await worker.loadTFLiteModel(new Uint8Array(8));
  workers.set(model, worker);
  return model;
}

async function stateInWorker(): Promise<WorkerState> {
  const model = await modelInWorker();
  const state = (await model.createState()) as WorkerState;
  workers.set(state, workers.get(model) as TFLiteWorker);
  return state;
}

const end = (object: object) => workers.get(object)?.dispose();

/** A module of one exported function by the name that vitest.config.ts defines. */
const MODULE = new Uint8Array([
  0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 1, 4, 1, 0x60, 0, 0, 3, 2, 1, 0, 7, 5, 1, 1, 0x6d, 0, 0, 10, 4, 1, 2, 0, 0x0b,
]);
const cpuModel = () =>
  CpuModel.of(new WasmRunner(new FakeWasm(totalRunner(TOTAL_ON_CPU)).instantiateNow(), new Uint8Array(8), {}));

export const CPU_CALLS: Calls = {
  createTFLite: () => ({ options: { module: new WebAssembly.Module(MODULE) } }),
  CpuModel: 'created by loadModel()',
  TFLiteCpu: 'created by createTFLite()',
};

const SOURCES = {
  bert: { kind: 'bert', vocabulary: '[UNK]\na' },
  regex: { kind: 'regex', vocabulary: 'a 0', delimiter: ' ' },
} as const;
const TOKENIZERS_CALLS: Calls = { tokenize: () => ({ text: 'a b' }), idOf: () => ({ piece: 'a' }) };
const tokenizer = (kind: keyof typeof SOURCES): Methods => ({
  tokenize: async (text) => (await openTokenizer(SOURCES[kind])).tokenize(text as string),
  idOf: async (piece) => (await openTokenizer(SOURCES[kind])).idOf(piece as string),
});

const tf = { tensor: () => ({}) };

export const TFJS_CALLS: Calls = {
  loadTFLiteModel: () => {
    const { source, options } = (INDEX_CALLS.loadTFLiteModel as () => Record<string, object>)();
    return { source, options: { ...options, tf } };
  },
  'TFLiteModel.new': () => ({ model: { inputs: [], outputs: [], run: () => [] }, options: { tf } }),
  getDTypeFromTFLiteType: 'returns undefined for all that is no type, as its documentation says',
};

/** The methods of objects that the package creates, and their rows. */
export const METHODS: Readonly<Record<string, readonly [methods: Methods, calls: Calls]>> = {
  'a model on WebNN': [
    methodsOf(TFLiteModel, onWebnn),
    { ...OWN_MODELS_CALLS, ...TENSORS_CALLS, ...reasonFor(SYNC_CALLS, NEEDS_CPU) },
  ],
  'a model on the CPU': [
    methodsOf(TFLiteModel, onCpu),
    { ...OWN_MODELS_CALLS, ...SYNC_CALLS, ...reasonFor(TENSORS_CALLS, NEEDS_WEBNN) },
  ],
  'runs with a state': [STATEFUL_RUNS, STATEFUL_RUNS_CALLS],
  'a model on tensors': [
    methodsOf(TfModel, async () => new TfModel(await onCpu())),
    {
      predict: () => ({ inputs: inputs() }),
      predictAsync: () => ({ inputs: inputs() }),
      report: () => ({}),
      dispose: () => ({}),
    },
  ],
  'a model in a worker': [methodsOf(WorkerModel, modelInWorker, end), ALL_MODELS_CALLS],
  'a state on WebNN': [
    methodsOf(ResidentState, async () => (await onWebnn()).createState() as Promise<ResidentState>),
    { ...STATES_CALLS, tensor: INTERNAL, release: INTERNAL },
  ],
  'a state in a worker': [methodsOf(WorkerState, stateInWorker, end), STATES_CALLS],
  'a worker': [
    methodsOf(TFLiteWorker, fakeWorker, (worker) => worker.dispose()),
    {
      loadTFLiteModel: INDEX_CALLS.loadTFLiteModel as () => Record<string, unknown>,
      dispose: () => ({}),
      start: INTERNAL,
    },
  ],
  'a model of cpu.mjs': [
    methodsOf(CpuModel, cpuModel),
    {
      run: () => ({ inputs: inputs(), options: { outputs: outputs() } }),
      predict: () => ({ inputs: inputs() }),
      resetState: () => ({}),
      dispose: () => ({}),
    },
  ],
  'TFLite of cpu.mjs': [
    methodsOf(TFLiteCpu, () => createTFLite({ module: MODULE })),
    {
      loadModel: () => ({ model: new Uint8Array(8), options: { enableXnnpackDelegate: true, inputShapes: [[1]] } }),
    },
  ],
  'a tokenizer of BERT': [tokenizer('bert'), TOKENIZERS_CALLS],
  'a tokenizer of words': [tokenizer('regex'), TOKENIZERS_CALLS],
};
