/** The part of a model's interface that deals in MLTensors. */

import type { SignatureInfo, TensorInfo } from '../description.js';
import type { TypedArray } from '../dtypes.js';
import { ContextLostError } from '../errors.js';
import type { PreparedModel } from '../model/prepared_model.js';
import { type RunOptions, type StreamOptions, streamOptions } from '../model/run_options.js';
import { type Direction, type ModelInputs, resolveInputs } from '../tensors/inputs_outputs.js';
import type { ResultsOf } from '../tensors/results.js';
import { lossOf } from '../webnn/excluded_nodes.js';
import type { MLContext, MLTensor, MLTensorDescriptor } from '../webnn_types.js';
import { DirectGraph, type PerTensor, type TensorKey } from './direct_graph.js';
import { oneByOne, runThrough, type StreamSource, TensorRing } from './stream.js';
import {
  createTensor,
  type DispatchInputs,
  type DispatchOutputs,
  descriptorAt,
  directGraph,
  dispatchGraph,
  readTensor,
  type TensorFlags,
  writeTensor,
} from './tensor_io.js';

/**
 * A model that reads and writes MLTensors, where it runs in direct mode.
 *
 * Everything here happens on the timeline of the model's context: calls are queued in the order in which they are
 * created, over all models of the context, so nothing needs to be awaited between them.
 */
export abstract class MLTensorModel {
  /** The model's inputs, in its order. */
  abstract readonly inputs: readonly TensorInfo[];
  /** The model's outputs, in its order. */
  abstract readonly outputs: readonly TensorInfo[];
  /** The model's named entry points; often none. */
  abstract readonly signatures: readonly SignatureInfo[];
  readonly #rings = new Set<TensorRing>();

  /**
   * The MLContext that the model runs on: the model can use MLTensors created on it, and other models may be loaded
   * on it. Null where the model runs on the CPU, and in blocking mode. After a loss it is another one. The model
   * destroys it with itself, unless it was provided with `webnnDelegateOptions.context`.
   *
   * @throws ModelDisposedError
   */
  get context(): MLContext | null {
    this.checkUsable();
    const { webnn } = this.prepared;
    return webnn === null || webnn.Builder === null ? null : webnn.context;
  }

  /**
   * Data type and shape of an MLTensor for an input. An int16 input's is int32: WebNN has no int16.
   *
   * @param input - Position or name.
   */
  inputTensorDescriptor(input: TensorKey): MLTensorDescriptor {
    return this.#descriptor('input', input);
  }

  /**
   * Data type and shape of an MLTensor for an output. An int16 output's is int32: WebNN has no int16.
   *
   * @param output - Position or name.
   */
  outputTensorDescriptor(output: TensorKey): MLTensorDescriptor {
    return this.#descriptor('output', output);
  }

  /**
   * Creates an MLTensor for an input. The caller destroys it; the model's context takes it along where that goes first.
   * Where the context was lost, the model is first rebuilt on a new one.
   *
   * @param input - Position or name.
   * @param flags - By default it is writable, not readable.
   * @throws TensorError, also where the model is not in direct mode; ModelDisposedError; WebnnRunError where the
   *   browser cannot create it.
   */
  createInputTensor(input: TensorKey, flags: TensorFlags = {}): Promise<MLTensor> {
    return this.#create('input', input, flags);
  }

  /**
   * Creates an MLTensor for an output, as createInputTensor() does for an input.
   *
   * @param output - Position or name.
   * @param flags - By default it is readable, not writable.
   */
  createOutputTensor(output: TensorKey, flags: TensorFlags = {}): Promise<MLTensor> {
    return this.#create('output', output, flags);
  }

  /**
   * Queues one inference and returns. Inputs and outputs are the only one, lists in the model's order, or records by
   * name. What writes an input tensor must have been queued before, what reads an output tensor comes after: no await
   * is needed in between. An MLTensor may be an output of one dispatch and an input of the next, of any model on the
   * same context.
   *
   * @param inputs - MLTensors, or arrays, which are copied immediately.
   * @param outputs - MLTensors.
   * @throws TensorError, InputError, OutputError, ContextLostError, ModelDisposedError: synchronously, and nothing is
   *   queued then.
   *
   * @example
   * const scores = await model.createOutputTensor(0);
   * model.dispatch(pixels, scores);
   * console.log(await model.readTensor(scores));
   */
  dispatch(inputs: DispatchInputs, outputs: PerTensor<MLTensor>): void;
  /**
   * Queues one inference with arrays among the outputs.
   *
   * @param inputs - MLTensors, or arrays, which are copied immediately.
   * @param outputs - MLTensors, or arrays to fill.
   * @returns A promise that settles when the arrays are filled; leave them alone until then.
   */
  dispatch(inputs: DispatchInputs, outputs: DispatchOutputs): Promise<void>;
  dispatch(inputs: DispatchInputs, outputs: DispatchOutputs): Promise<void> | undefined {
    this.checkUsable();
    const reading = dispatchGraph(directGraph(this.prepared), inputs, outputs);
    return reading === null ? undefined : this.track(reading);
  }

  /**
   * Queues a copy of an array into a writable MLTensor of this context. The array may be changed immediately.
   *
   * @param tensor - A writable MLTensor.
   * @param data - Values of the tensor's type, as many as it has.
   * @throws TensorError, ContextLostError.
   */
  writeTensor(tensor: MLTensor, data: TypedArray): void {
    this.checkUsable();
    writeTensor(directGraph(this.prepared), tensor, data);
  }

  /**
   * Reads a readable MLTensor of this context, once everything that was queued before has run.
   *
   * @param tensor - A readable MLTensor.
   * @param output - The array to fill; without it a new one is created.
   * @throws As writeTensor().
   */
  async readTensor(tensor: MLTensor, output?: TypedArray): Promise<TypedArray> {
    this.checkUsable();
    return this.track(readTensor(directGraph(this.prepared), tensor, output));
  }

  /**
   * Runs one inference after the other and yields their results in order. A model in direct mode has several of them
   * in flight at the same time, on a small ring of MLTensors; others do one at a time. Items are taken from the source
   * only while there is space for them. An array that the source has provided must not be changed before its result is
   * there.
   *
   * An error, the source's or an inference's, comes after the results before it and ends the stream. Leaving the loop
   * early closes the source and frees the ring. A lost context does not end the stream.
   *
   * @param source - Inputs, one inference's after the other.
   * @param options - How many inferences may be in flight, a state, and a signal.
   * @returns The results of each inference, in the structure that run() returns.
   * @throws OptionError; ModelDisposedError. What run() throws ends the stream.
   *
   * @example
   * for await (const [scores] of model.stream(frames(), { inFlight: 3 })) show(scores.data);
   */
  stream<Inputs extends ModelInputs>(
    source: StreamSource<Inputs>,
    options?: StreamOptions,
  ): AsyncGenerator<ResultsOf<Inputs>, void, undefined> {
    this.checkUsable();
    const { inFlight, state, signal } = streamOptions(source, options);
    const pipeline =
      state === undefined ? this.openRing(inFlight) : oneByOne((inputs) => this.run(inputs, { state, signal }));
    return runThrough(source, pipeline, signal);
  }

  /** @internal A pipeline for a stream; it is freed with the model at the latest. */
  openRing(inFlight: number): TensorRing {
    const ring = new TensorRing(
      {
        directGraph: () => DirectGraph.of(this.prepared),
        resolveInputs: (inputs) => {
          this.checkUsable();
          return resolveInputs(inputs, this);
        },
        run: (inputs) => this.run(inputs),
        track: (work) => this.track(work),
        closed: () => this.#rings.delete(ring),
      },
      inFlight,
    );
    this.#rings.add(ring);
    return ring;
  }

  /** Runs the model once on typed arrays. */
  abstract run<Inputs extends ModelInputs>(inputs: Inputs, options?: RunOptions): Promise<ResultsOf<Inputs>>;

  /** @internal The model as it is now. */
  protected abstract get prepared(): PreparedModel;

  /** @internal Prepares the model again if its context was lost, after earlier runs. */
  protected abstract recover(): Promise<void>;

  /** @internal Keeps the model from being freed until `work` has settled. */
  protected abstract track<T>(work: Promise<T>): Promise<T>;

  /** @internal Throws where the model was disposed. */
  protected abstract checkUsable(): void;

  /** @internal Frees the MLTensors of streams that nobody has finished. */
  protected closeRings(): void {
    for (const ring of this.#rings) ring.close();
  }

  #descriptor(direction: Direction, key: TensorKey): MLTensorDescriptor {
    this.checkUsable();
    return descriptorAt(directGraph(this.prepared), direction, key);
  }

  async #create(direction: Direction, key: TensorKey, flags: TensorFlags): Promise<MLTensor> {
    this.checkUsable();
    const { webnn } = this.prepared;
    try {
      return await this.track(createTensor(directGraph(this.prepared), direction, key, flags));
    } catch (error) {
      if (!(error instanceof ContextLostError)) throw error;
      if (webnn !== null) await lossOf(webnn); // which may be known a moment later
      await this.recover();
      this.checkUsable();
      return this.track(createTensor(directGraph(this.prepared), direction, key, flags));
    }
  }
}
