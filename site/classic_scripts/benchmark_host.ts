/** Where one engine of the benchmark page runs. It is no module: libraries of others load their scripts by importScripts(). */

import { expose } from 'comlink';
import * as litert from '../../js/engines/litert.mjs';
import * as tfjs_tflite from '../../js/engines/tfjs_tflite.mjs';
import * as tflite_webnn from '../../js/engines/tflite_webnn.mjs';
import { turn } from '../../js/engines/turn.mjs';
import type { Answer, Values } from '../scripts/benchmark/answers.js';
import type { ModelFacts } from '../scripts/benchmark/contest.js';
import type { Library } from '../scripts/benchmark/engine.js';
import type { InputInfo } from '../scripts/benchmark/inputs.js';

/** A model, as the adapters in js/engines give it. */
interface HostedModel {
  readonly inputs?: readonly InputInfo[];
  readonly outputNames: readonly string[];
  readonly report?: ModelFacts;
  run(inputs: readonly ArrayBufferView[]): Promise<readonly Values[]>;
}

interface Adapter {
  open(options: object): Promise<{ load(task: object): Promise<HostedModel> }>;
}

/** What a host is asked to load. Addresses are absolute. */
export interface HostTask {
  readonly library: Library;
  readonly folder: string;
  readonly openOptions: object;
  readonly loadOptions: object;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly inputs: readonly InputInfo[];
}

const ADAPTERS: Readonly<Record<Library, object>> = { tflite_webnn, litert, tfjs_tflite };

let model: HostedModel | null = null;
let inputs: readonly ArrayBufferView[] = [];

const calls = {
  /** Gets the library and loads the model; the milliseconds of the second. */
  async load({ library, folder, openOptions, loadOptions, bytes, inputs: infos }: HostTask) {
    const opened = await (ADAPTERS[library] as Adapter).open({ folder, ...openOptions });
    // All of them take an address; a file that never left the page has one like this.
    const url = URL.createObjectURL(new Blob([bytes]));
    const start = performance.now();
    model = await opened.load({ url, inputs: infos, options: loadOptions });
    const ms = performance.now() - start;
    URL.revokeObjectURL(url);
    return { ms, report: model.report ?? null, inputs: model.inputs ?? null };
  },

  /** Runs the model for the first time; its later runs have the same inputs. */
  async firstRun(values: readonly ArrayBufferView[]): Promise<{ ms: number; answer: Answer }> {
    inputs = values;
    const start = performance.now();
    const outputs = await loaded().run(inputs);
    const ms = performance.now() - start;
    return { ms, answer: { names: loaded().outputNames, outputs } };
  },

  /** The model's turn in a round. */
  turn(leastMs: number): Promise<number> {
    return turn(loaded(), inputs, leastMs);
  },
};

/** What the benchmark page asks of a host. */
export type HostCalls = typeof calls;

function loaded(): HostedModel {
  if (model === null) throw new Error('No model is loaded.');
  return model;
}

expose(calls);
