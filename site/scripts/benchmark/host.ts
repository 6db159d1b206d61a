/** The page's half of a runtime's worker. */

import { type Remote, transfer } from 'comlink';
import type { HostCalls } from '../../classic_scripts/benchmark_host.js';
import type { PickedModel } from '../common/model_picker.js';
import { callsOf } from '../common/worker_calls.js';
import type { InputInfo } from './inputs.js';
import type { Candidate } from './run_benchmark.js';
import type { Library, Runtime } from './runtime.js';

/** Directory of each library on the site. */
const DIRECTORIES: Readonly<Record<Library, string>> = {
  tflite_webnn: 'package/',
  litert: 'vendor/litert/',
  tfjs_tflite: 'vendor/tfjs_tflite/',
};

interface Host {
  readonly calls: Remote<HostCalls>;
  end(): void;
}

/** A model's inputs, and a value for each. */
export interface ModelInputs {
  readonly infos: readonly InputInfo[];
  readonly values: readonly ArrayBufferView[];
}

/** Creates a runtime's candidate for a model. */
export function hostedCandidate(runtime: Runtime, model: PickedModel, { infos, values }: ModelInputs): Candidate {
  const { calls, end } = startHost();
  return {
    async load() {
      const { library, openOptions, loadOptions } = runtime;
      const directory = new URL(DIRECTORIES[library], document.baseURI).href;
      const bytes = model.bytes.slice();
      const task = { library, directory, openOptions, loadOptions, bytes, inputs: infos };
      return calls.load(transfer(task, [bytes.buffer]));
    },
    firstRun: async () => calls.firstRun(values),
    turn: async (minMs) => calls.turn(minMs),
    dispose: end,
  };
}

/** Loads a model to read its inputs. */
export async function inputsOf(model: PickedModel): Promise<readonly InputInfo[]> {
  const { calls, end } = startHost();
  try {
    const directory = new URL(DIRECTORIES.tflite_webnn, document.baseURI).href;
    const bytes = model.bytes.slice();
    const options = {
      library: 'tflite_webnn',
      openOptions: {},
      loadOptions: { device: 'cpu', numThreads: 1 },
      inputs: [],
    } as const;
    const { inputs } = await calls.load(transfer({ ...options, directory, bytes }, [bytes.buffer]));
    return inputs ?? [];
  } finally {
    end();
  }
}

function startHost(): Host {
  const worker = new Worker(new URL('./benchmark_host.js', import.meta.url));
  return { calls: callsOf<HostCalls>(worker), end: () => worker.terminate() };
}
