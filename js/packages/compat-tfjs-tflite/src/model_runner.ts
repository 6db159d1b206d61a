/**
 * A model as `@tensorflow/tfjs-tflite` runs it: embind's view of the C++ class `TFLiteWebModelRunner`, its tensors
 * and times of nodes.
 */

import type { TensorInfo as Description } from 'tflite-webnn';
import { type TypedArray, typedArrayConstructor } from 'tflite-webnn/dtypes';
import { InterpreterError, messageOf } from 'tflite-webnn/errors';
import type { NodeTime, WasmRunner } from 'tflite-webnn/wasm/wasm_runner';
import { CppVector } from './cpp_values.js';
import { type Prepare, RetryingModel } from './retrying_model.js';

/** An input or output tensor: embind's interface of `TFLiteWebModelRunnerTensorInfo`. */
export interface TFLiteTensorInfo {
  readonly id: number;
  readonly dataType: string;
  readonly name: string;
  /** E.g. `1,224,224,3`; a run may change it. */
  readonly shape: string;
  /** The tensor's values in the wasm heap, to read and write; valid until the next call into wasm. Of int64 a copy. */
  data(): TypedArray;
}

const [MIN, MAX] = [-(2 ** 31), 2 ** 31 - 1];

/** @param runner - Returns the runner at the time of each call: a loss of WebNN replaces it. */
export function tensorInfo(runner: () => WasmRunner, description: Description): TFLiteTensorInfo {
  const { index, dtype, name } = description;
  return {
    id: index,
    // TensorFlow.js has no int64, and its client would leave such an input as it is.
    dataType: dtype === 'int64' ? 'int32' : dtype,
    name,
    get shape() {
      return runner().tensorShape(index).join(',');
    },
    data: () => {
      const found = values(runner(), description);
      return found instanceof BigInt64Array ? narrowed(found) : found;
    },
  };
}

/** A copy as int32; what is set is set in the heap, too. */
function narrowed(wide: BigInt64Array): Int32Array {
  const near = (value: bigint) => Math.min(MAX, Math.max(MIN, Number(value)));
  const set = (provided: ArrayLike<number>) => wide.set(Array.from(provided, BigInt));
  return Object.assign(Int32Array.from(wide, near), { set });
}

function values(runner: WasmRunner, { index, dtype, name }: Description): TypedArray {
  const array = typedArrayConstructor(dtype);
  if (array === null) {
    throw new InterpreterError('UNSUPPORTED_DTYPE', `JavaScript has no array for tensor ${name} of type ${dtype}.`);
  }
  const bytes = runner.tensorBytes(index);
  return new array(bytes.buffer, bytes.byteOffset, bytes.byteLength / array.BYTES_PER_ELEMENT);
}

/** Duration of one node in one run: a `ProfileItem` of `@tensorflow/tfjs-tflite`. */
export interface ProfileItem {
  readonly nodeType: string;
  readonly nodeName: string;
  readonly nodeExecMs: number;
}

interface Row {
  readonly title: string;
  runs: number;
  ms: number;
}

/** Collects the times of runs. */
export class Profile {
  #lastRun: readonly ProfileItem[] = [];
  readonly #nodes = new Map<string, Row>();
  readonly #types = new Map<string, Row>();

  /** The last run's nodes, in the order in which they ran. */
  get lastRun(): readonly ProfileItem[] {
    return this.#lastRun;
  }

  /** Accepts the times of one run. */
  record(items: readonly ProfileItem[]): void {
    this.#lastRun = items;
    for (const { nodeType, nodeName, nodeExecMs } of items) {
      add(this.#nodes, `${nodeType} ${nodeName}`, nodeExecMs);
      add(this.#types, nodeType, nodeExecMs);
    }
  }

  /** Two tables, slowest first: all nodes, and all types of nodes; empty without a recorded run. */
  summary(): string {
    if (this.#nodes.size === 0) return '';
    return `${table('Nodes', this.#nodes)}\n${table('Types of nodes', this.#types)}`;
  }
}

function add(rows: Map<string, Row>, title: string, ms: number): void {
  const row = rows.get(title) ?? { title, runs: 0, ms: 0 };
  row.runs++;
  row.ms += ms;
  rows.set(title, row);
}

function table(title: string, rows: ReadonlyMap<string, Row>): string {
  const total = [...rows.values()].reduce((sum, { ms }) => sum + ms, 0);
  const share = (ms: number) => `${total === 0 ? '0.0' : ((100 * ms) / total).toFixed(1)} %`;
  const lines = [...rows.values()]
    .sort((a, b) => b.ms - a.ms)
    .map(({ title, runs, ms }) => line(`${(ms / runs).toFixed(3)}`, share(ms), String(runs), title));
  return `${title}\n${line('avg ms', 'share', 'times', 'what')}${lines.join('')}`;
}

function line(ms: string, share: string, times: string, what: string): string {
  return `${ms.padStart(10)}${share.padStart(9)}${times.padStart(8)}  ${what}\n`;
}

/**
 * Runs one model, on the CPU, or on WebNN while its caller waits. The names are C++'s, because the client calls them.
 */
export class TFLiteWebModelRunner {
  readonly #profile = new Profile();
  readonly #model: RetryingModel;

  constructor(file: Uint8Array, prepare: Prepare) {
    this.#model = new RetryingModel(file, prepare);
  }

  GetInputs(): CppVector<TFLiteTensorInfo> {
    return new CppVector(this.#runner.description.inputs.map((input) => tensorInfo(() => this.#runner, input)));
  }

  /** The client asks before it runs the model, and reads data and shape afterwards. */
  GetOutputs(): CppVector<TFLiteTensorInfo> {
    return new CppVector(this.#runner.description.outputs.map((output) => tensorInfo(() => this.#runner, output)));
  }

  /** Runs the model on what its inputs hold. The client only learns whether it failed; the console gets the reason. */
  Infer(): boolean {
    try {
      this.#model.invoke();
      this.#profile.record(this.#runner.takeProfile().map(profileItem));
    } catch (error) {
      console.error(`tflite-webnn: ${messageOf(error)}`);
      return false;
    }
    return true;
  }

  /** Times of the last run's nodes; empty without `enableProfiling`. */
  GetProfilingResults(): CppVector<ProfileItem> {
    return new CppVector(this.#profile.lastRun);
  }

  /** Times over all runs, for people. */
  GetProfilingSummary(): string {
    return this.#profile.summary();
  }

  /** Frees the model. */
  delete(): void {
    this.#model.delete();
  }

  get #runner(): WasmRunner {
    return this.#model.runner;
  }
}

function profileItem({ op, name, ms }: NodeTime): ProfileItem {
  return { nodeType: op, nodeName: name, nodeExecMs: ms };
}
