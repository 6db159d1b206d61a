/** Worker of one engine on the benchmark page. A classic script: other libraries call importScripts(). */

import * as litert from '../../js/apps/libraries/litert.mjs';
import * as tfjs_tflite from '../../js/apps/libraries/tfjs_tflite.mjs';
import * as tflite_webnn from '../../js/apps/libraries/tflite_webnn.mjs';
import { turn } from '../../js/apps/libraries/turn.mjs';
import type { InputInfo } from '../scripts/benchmark/inputs.js';
import type { RuntimeOutputs, Values } from '../scripts/benchmark/outputs.js';
import type { ModelInfo } from '../scripts/benchmark/run_benchmark.js';
import type { Library } from '../scripts/benchmark/runtime.js';
import { exposeCalls } from '../scripts/common/expose_calls.js';

/** A model as the adapters in js/apps/libraries return it. */
interface HostedModel {
  readonly inputs?: readonly InputInfo[];
  readonly outputNames: readonly string[];
  readonly report?: ModelInfo;
  run(inputs: readonly ArrayBufferView[]): Promise<readonly Values[]>;
}

interface Adapter {
  open(options: object): Promise<{ load(task: object): Promise<HostedModel> }>;
}

/** What a host loads. URLs are absolute. */
export interface HostTask {
  readonly library: Library;
  readonly directory: string;
  readonly openOptions: object;
  readonly loadOptions: object;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly inputs: readonly InputInfo[];
}

const ADAPTERS: Readonly<Record<Library, object>> = { tflite_webnn, litert, tfjs_tflite };

let model: HostedModel | null = null;
let inputs: readonly ArrayBufferView[] = [];

const calls = {
  /** Fetches the library and loads the model; `ms` times the loading of the model. */
  async load({ library, directory, openOptions, loadOptions, bytes, inputs: infos }: HostTask) {
    const opened = await (ADAPTERS[library] as Adapter).open({ directory, ...openOptions });
    // All libraries accept a URL; a blob URL stands for a file of the visitor.
    const url = URL.createObjectURL(new Blob([bytes]));
    const start = performance.now();
    model = await opened.load({ url, inputs: infos, options: loadOptions });
    const ms = performance.now() - start;
    URL.revokeObjectURL(url);
    return { ms, report: model.report ?? null, inputs: model.inputs ?? null };
  },

  /** Runs the model for the first time; later runs reuse these inputs. */
  async firstRun(values: readonly ArrayBufferView[]): Promise<{ ms: number; outputs: RuntimeOutputs }> {
    inputs = values;
    const start = performance.now();
    const results = await loaded().run(inputs);
    const ms = performance.now() - start;
    return { ms, outputs: { names: loaded().outputNames, values: results } };
  },

  /** Runs the model for its turn in a round; returns milliseconds per run. */
  turn(minMs: number): Promise<number> {
    return turn(loaded(), inputs, minMs);
  },
};

/** Calls from the benchmark page to a host. */
export type HostCalls = typeof calls;

function loaded(): HostedModel {
  if (model === null) throw new Error('No model is loaded.');
  return model;
}

exposeCalls(calls);
