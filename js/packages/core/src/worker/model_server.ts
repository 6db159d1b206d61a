/**
 * The worker's part: models, states and pipelines by number. It is the protocol, too: the page imports its types.
 */

import * as comlink from 'comlink';
import type { SignatureInfo, SubgraphInfo, TensorInfo } from '../description.js';
import type { TypedArray } from '../dtypes.js';
import { ModelDisposedError } from '../errors.js';
import { loadTFLiteModel } from '../load/load_tflite_model.js';
import type { ModelSource } from '../load/model_source.js';
import type { TFLiteModel } from '../load/tflite_model.js';
import type { TensorRing } from '../ml_tensors/stream.js';
import type { CallOptions } from '../model/run_options.js';
import type { ExecutionMode } from '../model/schedule.js';
import type { RequestedShapes } from '../model/shapes.js';
import type { ModelState } from '../model/state.js';
import type { StateTensors } from '../model/state_names.js';
import type { StateTensorInfo } from '../model/state_tensor.js';
import type { TFLiteModelOptions } from '../options.js';
import type { LoadProgress, ProgressListener } from '../support/tasks.js';
import type { TensorResult } from '../tensors/results.js';

/** What can be cloned or transferred of a model's source. */
export type WorkerSource = Exclude<ModelSource, URL | Response>;

/** Options that can cross: the others are the page's own, or go another way. */
export type WorkerOptions = Omit<TFLiteModelOptions, 'signal' | 'onProgress'>;

/** How a model runs: that may change with each inference. */
export interface Placing {
  readonly executionMode: ExecutionMode;
  readonly device: string;
}

/** A model as it is now. */
export interface ModelInfo extends Placing {
  readonly inputs: readonly TensorInfo[];
  readonly outputs: readonly TensorInfo[];
  readonly signatures: readonly SignatureInfo[];
  readonly subgraphs: readonly SubgraphInfo[];
}

/** A TensorResult as it crosses: its methods stay behind. */
export type ResultData = Omit<TensorResult, 'dequantized'>;

/** The results of an inference, in the model's order or in that of a signature. */
export interface WorkerResponse {
  readonly results: readonly ResultData[];
  readonly placing: Placing;
  /** How many inferences the pipeline may have in flight; 1 for ordinary runs. */
  readonly limit: number;
}

/** A state by its number, and its tensors. */
export interface StateInfo {
  readonly id: number;
  readonly tensors: readonly StateTensorInfo[];
}

/** How a model runs. */
export interface RemoteRunOptions {
  /** The state's number. */
  readonly state: number | null;
  /** The call's number, by which it is aborted; null without a signal. */
  readonly call: number | null;
}

interface OpenState {
  readonly model: TFLiteModel;
  readonly state: ModelState;
}

interface OpenPipeline {
  readonly model: TFLiteModel;
  readonly ring: TensorRing;
}

/** What the worker does for its page: see makeModelServer(). */
export type ModelServer = ReturnType<typeof makeModelServer>;

/** Creates the server of a worker. Inputs are checked, in the model's order, and without those of a provided state. */
export function makeModelServer(load = loadTFLiteModel) {
  const models = new Map<number, TFLiteModel>();
  /** By the numbers of their calls. */
  const aborts = new Map<number, AbortController>();
  const pipelines = new Map<number, OpenPipeline>();
  let pipelineCount = 0;
  const states = new Map<number, OpenState>();
  let stateCount = 0;
  const found = <T>(held: ReadonlyMap<number, T>, id: number): T => {
    const one = held.get(id);
    if (one === undefined) throw new ModelDisposedError();
    return one;
  };
  const modelOf = (id: number) => found(models, id);
  const stateOf = (id: number) => found(states, id).state;
  /** Does something until its call is aborted. */
  const abortable = async <T>(call: number, action: (signal: AbortSignal) => Promise<T>): Promise<T> => {
    const abort = new AbortController();
    aborts.set(call, abort);
    try {
      return await action(abort.signal);
    } finally {
      aborts.delete(call);
    }
  };
  const withOptions = <T>({ state, call }: RemoteRunOptions, run: (options: CallOptions) => Promise<T>): Promise<T> => {
    const options = state === null ? {} : { state: stateOf(state) };
    return call === null ? run(options) : abortable(call, (signal) => run({ ...options, signal }));
  };

  return {
    /** `id` is the number that the model will have, and the call's. */
    async load(id: number, source: WorkerSource, options: WorkerOptions, onProgress: ProgressListener | null) {
      let acknowledged: unknown; // the page's response to the last progress
      const send = (progress: LoadProgress) => {
        acknowledged = onProgress?.(progress);
      };
      try {
        const listening = onProgress && { onProgress: send };
        const model = await abortable(id, (signal) => load(source, { ...options, signal, ...listening }));
        models.set(id, model);
        await acknowledged; // progress and results go through separate MessagePorts: the model must not come before
        return infoOfModel(model);
      } finally {
        (onProgress as Partial<comlink.ProxyMethods> | null)?.[comlink.releaseProxy]?.();
      }
    },

    /** Ends a call by its number: a loading, or a run that waits. */
    abort(call: number) {
      aborts.get(call)?.abort();
    },

    async run(id: number, inputs: readonly TypedArray[], options: RemoteRunOptions) {
      const model = modelOf(id);
      return responseOf(await withOptions(options, (provided) => model.run(inputs, provided)), model, 1);
    },

    async runSignature(
      id: number,
      key: string,
      inputs: Readonly<Record<string, TypedArray>>,
      options: RemoteRunOptions,
    ) {
      const model = modelOf(id);
      const results = await withOptions(options, (provided) => model.runSignature(key, inputs, provided));
      return responseOf(Object.values(results), model, 1);
    },

    async createState(id: number, tensors: StateTensors | undefined): Promise<StateInfo> {
      const model = modelOf(id);
      const state = await model.createState(tensors);
      states.set(++stateCount, { model, state });
      return { id: stateCount, tensors: state.tensors };
    },

    async readState(state: number, name: string) {
      const values = await stateOf(state).read(name);
      return comlink.transfer(values, [values.buffer as ArrayBuffer]);
    },

    writeState: (state: number, name: string, values: TypedArray) => stateOf(state).write(name, values),

    resetStateTensors: (state: number) => stateOf(state).reset(),

    disposeState(state: number) {
      void states.get(state)?.state.dispose();
      states.delete(state);
    },

    /** @returns the pipeline and how many inferences it may have in flight. */
    openPipeline(id: number, inFlight: number): readonly [pipeline: number, limit: number] {
      const model = modelOf(id);
      const ring = model.openRing(inFlight);
      pipelines.set(++pipelineCount, { model, ring });
      return [pipelineCount, ring.limit];
    },

    async runPipelined(pipeline: number, inputs: readonly TypedArray[]) {
      const { model, ring } = found(pipelines, pipeline);
      return responseOf(await ring.start(inputs), model, ring.limit);
    },

    closePipeline(pipeline: number) {
      pipelines.get(pipeline)?.ring.close();
      pipelines.delete(pipeline);
    },

    async resizeInputs(id: number, shapes: RequestedShapes, signature?: string) {
      const model = modelOf(id);
      await model.resizeInputs(shapes, signature);
      return infoOfModel(model);
    },

    resetState: (id: number) => modelOf(id).resetState(),

    metadata: (id: number) => modelOf(id).metadataParts(),

    report: (id: number) => modelOf(id).report(),

    profile: (id: number) => modelOf(id).getProfilingResults(),

    dispose(id: number) {
      const gone = models.get(id);
      gone?.dispose();
      models.delete(id);
      for (const held of [states, pipelines]) {
        for (const [key, { model }] of held) if (model === gone) held.delete(key);
      }
    },
  };
}

function infoOfModel(model: TFLiteModel): ModelInfo {
  const { inputs, outputs, signatures, subgraphs } = model;
  return { inputs, outputs, signatures, subgraphs, ...model.placing };
}

/** The results are moved, not copied: nobody here needs them any more. */
function responseOf(results: readonly TensorResult[], model: TFLiteModel, limit: number): WorkerResponse {
  const buffers = new Set(results.map(({ data }) => data.buffer as ArrayBuffer));
  return comlink.transfer({ results, placing: model.placing, limit }, [...buffers]);
}
