/** Each export, called with wrong arguments, throws an error of the package or returns a correct result. */

import * as litert from '@tflite-webnn/compat-litert';
import * as vision from '@tflite-webnn/compat-mediapipe';
import * as tfjs from '@tflite-webnn/compat-tfjs';
import * as cpu from '@tflite-webnn/cpu';
import * as image from '@tflite-webnn/media/images';
import * as results from '@tflite-webnn/media/results';
import * as sound from '@tflite-webnn/media/sound';
import * as tasks from '@tflite-webnn/tasks';
import * as language from '@tflite-webnn/tasks/language';
import * as text from '@tflite-webnn/tasks/text';
import * as index from 'tflite-webnn';
import { TFLiteWebnnError } from 'tflite-webnn';
import * as explain from 'tflite-webnn/explain';
import * as metadata from 'tflite-webnn/metadata';
import * as worker from 'tflite-webnn/worker';
import { afterEach, describe, expect, it, vi } from 'vitest';
import * as nodeWorker from '../packages/core/src/node_worker.js';
import { asInputs } from '../packages/core/src/tensors/model_tensors.js';
import * as polyfill from '../packages/webnn-polyfill/src/polyfill.js';
import { DROP_IN_METHODS, LITERT_CALLS, VISION_CALLS } from './arguments/of_drop_ins.js';
import { IMAGE_CALLS, RESULTS_CALLS, SOUND_CALLS, TEXT_CALLS } from './arguments/of_helpers.js';
import { CPU_CALLS, METHODS, TFJS_CALLS } from './arguments/of_methods.js';
import {
  EXPLAIN_CALLS,
  INDEX_CALLS,
  METADATA_CALLS,
  MODELS_CALLS,
  NODE_CALLS,
  POLYFILL_CALLS,
  WORKER_CALLS,
} from './arguments/of_runtime.js';
import { imageModel, LANGUAGE_CALLS, TASK_METHODS, TASK_METHODS_CALLS, TASKS_CALLS } from './arguments/of_tasks.js';
import { type Calls, hasNaN, isOfAnotherKind, shown, type WrongCall, wrongCalls } from './arguments/wrong_arguments.js';

type Export = (...provided: unknown[]) => unknown;

const IMAGE = imageModel().inputs[0] as index.TensorInfo;
const INPUTS_CALLS = {
  quantize: (values: number[]) => asInputs([{ ...IMAGE }])[0]?.quantize(values),
};

const ENTRIES: Readonly<Record<string, readonly [exports: object, calls: Calls]>> = {
  image: [image, IMAGE_CALLS],
  results: [results, RESULTS_CALLS],
  sound: [sound, SOUND_CALLS],
  text: [text, TEXT_CALLS],
  index: [index, INDEX_CALLS],
  worker: [worker, WORKER_CALLS],
  metadata: [metadata, METADATA_CALLS],
  'inputs of models': [INPUTS_CALLS, MODELS_CALLS],
  explain: [explain, EXPLAIN_CALLS],
  polyfill: [polyfill, POLYFILL_CALLS],
  tasks: [tasks, TASKS_CALLS],
  language: [language, LANGUAGE_CALLS],
  'methods of tasks': [TASK_METHODS, TASK_METHODS_CALLS],
  cpu: [cpu, CPU_CALLS],
  'the Node entry': [nodeWorker, NODE_CALLS],
  litert: [litert, LITERT_CALLS],
  tfjs: [tfjs, TFJS_CALLS],
  vision: [vision, VISION_CALLS],
  ...METHODS,
  ...DROP_IN_METHODS,
};

/** Patterns of messages that do not name the argument or member. */
const MESSAGE_TERMS: Readonly<Record<string, string>> = {
  source: 'image|pixels|the model|a model|the inputs|input',
  inputs: 'input',
  environment: 'LiteRT is not loaded',
  signature: 'the input angle',
  floatEmbedding: 'embedding',
  otherEmbedding: 'embedding',
  fileset: '.',
  input: 'input',
  outputs: 'output',
  output: 'MLTensor',
  key: 'signature',
  name: 'the state has no tensor',
  values: 'input total',
  data: 'typed array|MLTensor|the array has',
  flags: 'option',
  tensors: 'state',
  moving: 'option',
  processing: 'option',
  destination: 'tensor has no',
  loadModel: 'is not a TFLite model',
  modelAssetPath: 'could not fetch the model|no model is provided',
  modelAssetBuffer: 'no model is provided',
  image: 'image|pixels',
  model: 'the input ',
  result: 'the result ',
  options: 'option|range|worker|the result is',
  shapes: 'input',
  webnnDelegateOptions: 'option',
};

/** What is wrong with the result of a wrong call; null where nothing is. */
async function problemOf(call: Export, wrong: WrongCall, right: string | null): Promise<string | null> {
  try {
    const result = await call(...wrong.provided);
    if (isOfAnotherKind(wrong)) return 'is accepted';
    return hasNaN(result) && !Number.isNaN(wrong.wrong) && wrong.wrong !== Infinity ? 'returns NaN' : null;
  } catch (error) {
    if (!(error instanceof TFLiteWebnnError)) return `throws ${error}`;
    if (error.message === right) return isOfAnotherKind(wrong) ? 'is accepted' : null;
    const names = wrong.path
      .filter((name) => !/^(\d+|\w)$/.test(name))
      .flatMap((name) => [name, MESSAGE_TERMS[name] ?? name]);
    return new RegExp(names.join('|'), 'i').test(error.message) ? null : `does not name the argument: ${error.message}`;
  }
}

/** Right arguments may name a file that is not a model, or a wasm module that is not there. */
async function messageOf(call: Export, provided: readonly unknown[]): Promise<string | null> {
  try {
    await call(...provided);
    return null;
  } catch (error) {
    expect(error).toBeInstanceOf(TFLiteWebnnError);
    return (error as Error).message;
  }
}

/** The class that a static method or a constructor's row is of. */
function ownerOf(name: string): string {
  return name.split('.')[0] as string;
}

function callOf(exports: object, name: string): Export {
  const [owner = '', method] = name.split('.');
  const found = exports[owner as never] as Export & Record<string, Export>;
  if (method === 'new') return (...provided) => Reflect.construct(found, provided);
  return method === undefined ? found : (...provided) => (found[method] as Export).apply(found, provided);
}

function isCalled(value: unknown): boolean {
  return typeof value === 'function' && !(value.prototype instanceof Error);
}

const GLOBALS = new Set(Object.getOwnPropertyNames(globalThis));

/** install() defines the interfaces of WebNN, which other tests look for. */
afterEach(() => {
  for (const name of Object.getOwnPropertyNames(globalThis)) {
    if (/^(ML|GPU)/.test(name) && !GLOBALS.has(name)) Reflect.deleteProperty(globalThis, name);
  }
  vi.unstubAllGlobals();
});

describe.each(Object.entries(ENTRIES))('%s', (_, [exports, calls]) => {
  const names = Object.keys(exports).filter((name) => isCalled(exports[name as never]));

  it('has a row for each export', () => {
    expect([...new Set(Object.keys(calls).map(ownerOf))].sort()).toEqual(names.sort());
  });

  it.each(Object.entries(calls).filter(([, fresh]) => typeof fresh === 'function'))('%s()', async (name, row) => {
    const call = callOf(exports, name);
    vi.stubGlobal('navigator', {});
    const fresh = row as () => Readonly<Record<string, unknown>>;
    const right = await messageOf(call, Object.values(fresh()));
    const problems: string[] = [];
    for (const wrong of wrongCalls(fresh)) {
      const problem = await problemOf(call, wrong, right);
      if (problem !== null) problems.push(`${shown(wrong)} ${problem}`);
    }
    if (problems.length > 0) throw new Error(problems.join('\n'));
  });
});
