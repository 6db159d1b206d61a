/// <reference lib="esnext.disposable" preserve="true" />

/** What all loaded models have, wherever they run. */

import type { SignatureInfo, TensorInfo } from '../description.js';
import type { ModelMetadata } from '../metadata/model_metadata.js';
import type { StreamSource } from '../ml_tensors/stream.js';
import type { RunOptions, StreamOptions } from '../model/run_options.js';
import type { ProfileItem } from '../model/run_profile.js';
import type { ExecutionMode } from '../model/schedule.js';
import type { RequestedShapes } from '../model/shapes.js';
import type { SignatureInputs, SignatureOutputs } from '../model/signatures.js';
import type { ModelState } from '../model/state.js';
import type { StateTensors } from '../model/state_names.js';
import type { ModelReport } from '../report/report.js';
import type { ModelInputs } from '../tensors/inputs_outputs.js';
import type { InputInfo } from '../tensors/model_tensors.js';
import type { NamedResults, ResultsOf } from '../tensors/results.js';

/**
 * A loaded model in this thread (TFLiteModel) or in a worker (WorkerModel), in pages and in Node. A program that is
 * written for it runs on both: await what may be a promise.
 *
 * @example
 * async function classify(model: Model, pixels: Float32Array): Promise<Float32Array> {
 *   const [scores] = await model.run(pixels);
 *   return scores.dequantized();
 * }
 *
 * @group Models
 */
export interface Model {
  /** The model's inputs, in its order, in the shapes that it runs with now. */
  readonly inputs: readonly InputInfo[];
  /** The model's outputs, in its order. */
  readonly outputs: readonly TensorInfo[];
  /** The model's named entry points; often none. */
  readonly signatures: readonly SignatureInfo[];
  /** How the model runs; of a model in a worker, how it ran the last time. */
  readonly executionMode: ExecutionMode;
  /** What computes: `wasm`, or `webnn`, with the devices if the browser reports them: `webnn:gpu`. */
  readonly device: string;
  /** The file's metadata: labels, normalization, descriptions. Null where it has none. */
  readonly metadata: Promise<ModelMetadata | null>;

  /**
   * Runs the model once, and returns results in the structure of the inputs. Runs of one model do not overlap: each
   * waits for those before it.
   *
   * @param inputs - The only input, a list in the order of `inputs`, or a record by name.
   * @param options - Arrays for the results, a state, a signal, and whether the inputs are moved.
   * @returns For one input or a list, a list in the order of `outputs`; for a record, a record by the results' names.
   * @throws InputError, OutputError where the arrays do not fit; OptionError; the signal's reason; StateError,
   *   StateLostError; ModelDisposedError, ContextLostError, WebnnRunError, InterpreterError, WasmTrapError;
   *   WorkerFailedError.
   */
  run<Inputs extends ModelInputs>(inputs: Inputs, options?: RunOptions): Promise<ResultsOf<Inputs>>;

  /**
   * Runs one of the model's signatures.
   *
   * @param key - One of the keys of `signatures`.
   * @param inputs - All inputs by the signature's names.
   * @param options - As of run(); `outputs` are by the signature's names.
   * @returns The results by the signature's names; `runSignature<'logits'>()` tells TypeScript a name.
   * @throws SignatureError, and what run() throws.
   */
  runSignature<Name extends string = string>(
    key: string,
    inputs: SignatureInputs,
    options?: RunOptions<SignatureOutputs>,
  ): Promise<NamedResults<Name>>;

  /**
   * Runs one inference after the other and yields their results in order, each in the structure that run() returns.
   *
   * @param source - Inputs, one inference's after the other.
   * @param options - How many inferences may be in flight, a state, a signal, and whether inputs are moved.
   * @throws OptionError. What run() throws ends the stream.
   */
  stream<Inputs extends ModelInputs>(
    source: StreamSource<Inputs>,
    options?: StreamOptions,
  ): AsyncGenerator<ResultsOf<Inputs>, void, undefined>;

  /**
   * Prepares the model for other shapes of its inputs, after the runs that wait. Its state is reset.
   *
   * @param shapes - The shape of the only input, shapes in the order of `inputs`, or some by name.
   * @param signature - Resize the inputs of this signature, by its names.
   * @throws InputError where the model cannot accept the shapes; SignatureError.
   */
  resizeInputs(shapes: RequestedShapes, signature?: string): Promise<void>;

  /**
   * Creates a state: tensors that persist where the model computes, from one run to the next, for all signatures that
   * have them. All values are zero at first.
   *
   * @param tensors - Without it, all names that are an input and an output of a signature, of one type and shape, such
   *   as the cache of a language model. Else such names, where `*` stands for any characters: `['kv_cache_*']`. Or the
   *   persistent outputs, by the names of the inputs that read them: `{ state_in: 'state_out' }`.
   * @throws StateError where the model has no such tensors.
   *
   * @example
   * const state = await model.createState();
   * await model.runSignature('prefill', { tokens, input_pos }, { state });
   * const { logits } = await model.runSignature('decode', { tokens: last, input_pos: position }, { state });
   */
  createState(tensors?: StateTensors): Promise<ModelState>;

  /** Clears what the model remembers from run to run, after the runs that wait. A state of `createState()` remains. */
  resetState(): Promise<void>;

  /** Where the model's nodes run, why, and what it cost so far: each time a new report. */
  report(): Promise<ModelReport>;

  /** What the last run spent its time on, node by node; empty without the option `enableProfiling`. */
  getProfilingResults(): Promise<ProfileItem[]>;

  /** The same as text: sums by type of node. */
  getProfilingSummary(): Promise<string>;

  /** Frees what the model holds, after what is in flight. */
  dispose(): void | Promise<void>;

  /** The same, for `using`. */
  [Symbol.dispose](): void;
  /** The same, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}
