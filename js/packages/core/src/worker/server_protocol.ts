/** What a page and its worker say to each other. Models and pipelines are numbers: only plain data crosses. */

import type { SignatureInfo, SubgraphInfo, TensorInfo } from '../description.js';
import type { TypedArray } from '../dtypes.js';
import type { ModelSource } from '../load/model_source.js';
import type { MetadataParts } from '../metadata/metadata_parts.js';
import type { ProfileItem } from '../model/run_profile.js';
import type { ExecutionMode } from '../model/schedule.js';
import type { GivenShapes } from '../model/shaped_models.js';
import type { StateTensors } from '../model/state_names.js';
import type { StateTensorInfo } from '../model/state_tensor.js';
import type { TFLiteModelOptions } from '../options.js';
import type { ModelReport } from '../report/report.js';
import type { ProgressListener } from '../support/load_watch.js';
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
export interface ModelCard extends Placing {
  readonly inputs: readonly TensorInfo[];
  readonly outputs: readonly TensorInfo[];
  readonly signatures: readonly SignatureInfo[];
  readonly subgraphs: readonly SubgraphInfo[];
}

/** A TensorResult as it crosses: its methods stay behind. */
export type ResultData = Omit<TensorResult, 'dequantized'>;

/** The results of an inference, in the model's order or in that of a signature. */
export interface Answer {
  readonly results: readonly ResultData[];
  readonly placing: Placing;
  /** How many inferences the pipeline may have under way; 1 for ordinary runs. */
  readonly limit: number;
}

/** A state by its number, and its tensors. */
export interface StateCard {
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

/** What the worker does for its page. Inputs are checked, in the model's order, and without those of a given state. */
export interface ModelServer {
  /** `model` is the number that it will have, and the call's. */
  load(
    model: number,
    source: WorkerSource,
    options: WorkerOptions,
    onProgress: ProgressListener | null,
  ): Promise<ModelCard>;
  /** Ends a call by its number: a loading, or a run that waits. */
  abort(call: number): void;
  run(model: number, inputs: readonly TypedArray[], options: RemoteRunOptions): Promise<Answer>;
  runSignature(
    model: number,
    key: string,
    inputs: Readonly<Record<string, TypedArray>>,
    options: RemoteRunOptions,
  ): Promise<Answer>;
  createState(model: number, tensors: StateTensors | undefined): Promise<StateCard>;
  readState(state: number, name: string): Promise<TypedArray>;
  writeState(state: number, name: string, values: TypedArray): Promise<void>;
  resetStateTensors(state: number): Promise<void>;
  disposeState(state: number): void;
  /** @returns the pipeline and how many inferences it may have under way. */
  openPipeline(model: number, inFlight: number): readonly [pipeline: number, limit: number];
  runPipelined(pipeline: number, inputs: readonly TypedArray[]): Promise<Answer>;
  closePipeline(pipeline: number): void;
  resizeInputs(model: number, shapes: GivenShapes, signature?: string): Promise<ModelCard>;
  resetState(model: number): Promise<void>;
  metadata(model: number): Promise<MetadataParts>;
  report(model: number): Promise<ModelReport>;
  profile(model: number): Promise<ProfileItem[]>;
  dispose(model: number): void;
}
