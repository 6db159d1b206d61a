/** The worker's side: models by number. */

import * as comlink from 'comlink';
import { ModelDisposedError } from '../errors.js';
import { loadTFLiteModel } from '../load/load_tflite_model.js';
import type { TFLiteModel } from '../load/tflite_model.js';
import type { TensorRing } from '../ml_tensors/tensor_ring.js';
import type { ModelState } from '../model/model_state.js';
import type { CallOptions } from '../model/run_options.js';
import type { LoadProgress } from '../support/load_watch.js';
import type { TensorResult } from '../tensors/results.js';
import type { Answer, ModelCard, ModelServer, RemoteRunOptions } from './server_protocol.js';

interface OpenPipeline {
  readonly model: TFLiteModel;
  readonly ring: TensorRing;
}

/** Makes the server of one worker. */
export function makeModelServer(load = loadTFLiteModel): ModelServer {
  const models = new Map<number, TFLiteModel>();
  /** By the numbers of their calls. */
  const aborts = new Map<number, AbortController>();
  const pipelines = new Map<number, OpenPipeline>();
  let pipelineCount = 0;
  const states = new Map<number, ModelState>();
  let stateCount = 0;
  const modelOf = (id: number) => {
    const model = models.get(id);
    if (model === undefined) throw new ModelDisposedError();
    return model;
  };
  const stateOf = (id: number) => states.get(id) as ModelState;
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
    async load(id, source, options, onProgress) {
      let heard: unknown; // the page's answer to the last progress
      const send = (progress: LoadProgress) => {
        heard = onProgress?.(progress);
      };
      try {
        const listening = onProgress && { onProgress: send };
        const model = await abortable(id, (signal) => load(source, { ...options, signal, ...listening }));
        models.set(id, model);
        await heard; // progress and results go by separate ports: the model must not come before
        return cardOf(model);
      } finally {
        (onProgress as Partial<comlink.ProxyMethods> | null)?.[comlink.releaseProxy]?.();
      }
    },

    abort(call) {
      aborts.get(call)?.abort();
    },

    async run(id, inputs, options) {
      const model = modelOf(id);
      return answer(await withOptions(options, (given) => model.run(inputs, given)), model, 1);
    },

    async runSignature(id, key, inputs, options) {
      const model = modelOf(id);
      const results = await withOptions(options, (given) => model.runSignature(key, inputs, given));
      return answer(Object.values(results), model, 1);
    },

    async createState(id, tensors) {
      const state = await modelOf(id).createState(tensors);
      states.set(++stateCount, state);
      return { id: stateCount, tensors: state.tensors };
    },

    async readState(state, name) {
      const values = await stateOf(state).read(name);
      return comlink.transfer(values, [values.buffer as ArrayBuffer]);
    },

    writeState: (state, name, values) => stateOf(state).write(name, values),

    resetStateTensors: (state) => stateOf(state).reset(),

    disposeState(state) {
      void stateOf(state).dispose();
      states.delete(state);
    },

    openPipeline(id, inFlight) {
      const model = modelOf(id);
      const ring = model.openRing(inFlight);
      pipelines.set(++pipelineCount, { model, ring });
      return [pipelineCount, ring.limit];
    },

    async runPipelined(pipeline, inputs) {
      const { model, ring } = pipelines.get(pipeline) as OpenPipeline;
      return answer(await ring.start(inputs), model, ring.limit);
    },

    closePipeline(pipeline) {
      pipelines.get(pipeline)?.ring.close();
      pipelines.delete(pipeline);
    },

    async resizeInputs(id, shapes, signature) {
      const model = modelOf(id);
      await model.resizeInputs(shapes, signature);
      return cardOf(model);
    },

    resetState: (id) => modelOf(id).resetState(),

    metadata: (id) => modelOf(id).metadataParts(),

    report: (id) => modelOf(id).report(),

    profile: (id) => modelOf(id).getProfilingResults(),

    dispose(id) {
      models.get(id)?.dispose();
      models.delete(id);
    },
  };
}

function cardOf(model: TFLiteModel): ModelCard {
  const { inputs, outputs, signatures, subgraphs } = model;
  return { inputs, outputs, signatures, subgraphs, ...model.placing };
}

/** The results are moved, not copied: nobody here needs them any more. */
function answer(results: readonly TensorResult[], model: TFLiteModel, limit: number): Answer {
  const buffers = new Set(results.map(({ data }) => data.buffer as ArrayBuffer));
  return comlink.transfer({ results, placing: model.placing, limit }, [...buffers]);
}

/** loadTFLiteModel() of a script that has all parts of it. */
