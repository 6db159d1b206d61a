/** The signatures of a model: their inputs and outputs in the order that LiteRT.js has, and their runs. */

import {
  type DType,
  InputError,
  type InputShapes,
  kindOf,
  ModelDisposedError,
  type ShapedValues,
  type SignatureInfo,
  type SignatureTensor,
  type TensorInfo,
  type TensorResult,
  type TFLiteModel,
} from 'tflite-webnn';
import type { FilledOptions } from './compile_options.js';
import { Tensor } from './tensor.js';
import { TensorBufferType } from './tensor_types.js';

/** Description of an input or output. */
export interface TensorDetails {
  /** The signature's name of it; the tensor's own without a signature. */
  readonly name: string;
  /** Its position. */
  readonly index: number;
  /** Element type. */
  readonly dtype: DType;
  /** Its shape. -1 where a size may vary, but for the first one, the batch, which is 1 by default. */
  readonly shape: Int32Array;
  /** Kinds of memory that it may be in: HOST_MEMORY. */
  readonly supportedBufferTypes: ReadonlySet<TensorBufferType>;
}

/** The key that LiteRT assigns to a model without signatures. */
const NO_SIGNATURE = '<placeholder signature>';

/** Inputs and outputs of a subgraph with their names in a signature. */
export interface ResolvedSignature {
  readonly key: string;
  readonly subgraph: number;
  readonly inputs: readonly TensorInfo[];
  readonly outputs: readonly TensorInfo[];
}

/** The signatures of a model, at least one. */
export function resolvedSignatures(model: TFLiteModel): ResolvedSignature[] {
  const { inputs, outputs, signatures, subgraphs } = model;
  if (signatures.length === 0) return [{ key: NO_SIGNATURE, subgraph: 0, inputs, outputs }];
  const parts = [{ index: 0, inputs, outputs }, ...subgraphs];
  return signatures.map((signature) =>
    named(
      signature,
      parts.find(({ index }) => index === signature.subgraph),
    ),
  );
}

function named(
  { key, subgraph, inputs, outputs }: SignatureInfo,
  part: Pick<ResolvedSignature, 'inputs' | 'outputs'> | undefined,
): ResolvedSignature {
  const tensors = part ?? { inputs: [], outputs: [] };
  // runSignature() returns what the signature names; run(), for the main subgraph, all outputs.
  const isReturned = ({ index }: TensorInfo) => !subgraph || outputs.some(({ tensor }) => tensor === index);
  return {
    key,
    subgraph,
    inputs: withNames(tensors.inputs, inputs),
    outputs: withNames(tensors.outputs.filter(isReturned), outputs),
  };
}

function withNames(infos: readonly TensorInfo[], names: readonly SignatureTensor[]): TensorInfo[] {
  return infos.map((info) => ({ ...info, name: names.find(({ tensor }) => tensor === info.index)?.name ?? info.name }));
}

/** What a program reads of them. */
export function detailsOf(infos: readonly TensorInfo[]): readonly TensorDetails[] {
  const supportedBufferTypes: ReadonlySet<TensorBufferType> = new Set([TensorBufferType.HOST_MEMORY]);
  return Object.freeze(
    infos.map(({ name, dtype, shape, shapeSignature }, index) => ({
      name,
      index,
      dtype,
      shape: Int32Array.from(shape, (size, dimension) =>
        dimension > 0 && shapeSignature[dimension] === -1 ? -1 : size,
      ),
      supportedBufferTypes,
    })),
  );
}

/** Inputs of a run: the only one, all in order, or by name. */
export type TensorInputs = Tensor | Tensor[] | Record<string, Tensor>;

/** One of a model's entry points; it runs as the model does. */
export interface SignatureRunner {
  /** Its name. */
  readonly key: string;
  /** The model's options, with the defaults. */
  readonly options: FilledOptions;
  /** Its inputs, in order. */
  getInputDetails(): readonly TensorDetails[];
  /** Its outputs, in order. */
  getOutputDetails(): readonly TensorDetails[];
  /**
   * Runs it on inputs in order.
   *
   * @param input - The tensors.
   */
  run(input: Tensor | Tensor[]): Promise<Tensor[]>;
  /**
   * Runs it on inputs by name.
   *
   * @param input - The tensors.
   */
  run(input: Record<string, Tensor>): Promise<Record<string, Tensor>>;
  /**
   * Runs it, and returns results in the structure of the inputs.
   *
   * @param input - The tensors, in order or by name.
   */
  run(input: TensorInputs): Promise<Tensor[] | Record<string, Tensor>>;
}

/** Runs tasks one after the other. The package's own class is not in the types that are published. */
interface TaskQueue {
  add<T>(task: () => Promise<T>): Promise<T>;
}

/** A signature of a loaded model. */
export class ModelSignature implements SignatureRunner {
  readonly key: string;
  readonly options: FilledOptions;
  readonly #model: TFLiteModel;
  readonly #signature: ResolvedSignature;
  readonly #inputDetails: readonly TensorDetails[];
  readonly #outputDetails: readonly TensorDetails[];
  readonly #isOpen: boolean;
  readonly #queue: TaskQueue;
  #deleted = false;

  /** @param queue - Of all signatures of the model: the shapes of its inputs are the model's. */
  constructor(model: TFLiteModel, signature: ResolvedSignature, options: FilledOptions, queue: TaskQueue) {
    this.key = signature.key;
    this.options = options;
    this.#model = model;
    this.#signature = signature;
    this.#inputDetails = detailsOf(signature.inputs);
    this.#outputDetails = detailsOf(signature.outputs);
    this.#isOpen = signature.inputs.some(({ shapeSignature }) => shapeSignature.includes(-1));
    this.#queue = queue;
  }

  getInputDetails(): readonly TensorDetails[] {
    this.#checkUsable();
    return this.#inputDetails;
  }

  getOutputDetails(): readonly TensorDetails[] {
    this.#checkUsable();
    return this.#outputDetails;
  }

  run(input: Tensor | Tensor[]): Promise<Tensor[]>;
  run(input: Record<string, Tensor>): Promise<Record<string, Tensor>>;
  run(input: TensorInputs): Promise<Tensor[] | Record<string, Tensor>>;
  async run(input: TensorInputs): Promise<Tensor[] | Record<string, Tensor>> {
    this.#checkUsable();
    const values = this.#inOrder(input).map((tensor) => tensor.values());
    const results = await (this.#isOpen ? this.#queue.add(() => this.#runShaped(values)) : this.#runNow(values));
    const { environment } = this.options;
    const tensors = results.map(({ data, dtype, shape }) => Tensor.owning(data, dtype, shape, environment));
    if (Array.isArray(input) || input instanceof Tensor) return tensors;
    return Object.fromEntries(tensors.map((tensor, position) => [this.#signature.outputs[position]?.name, tensor]));
  }

  delete(): void {
    this.#deleted = true;
  }

  #checkUsable(): void {
    if (this.#deleted) throw new ModelDisposedError('The model is deleted and cannot be used.');
  }

  #inOrder(input: TensorInputs): Tensor[] {
    const { key, inputs } = this.#signature;
    const list = input instanceof Tensor ? [input] : input;
    if (Array.isArray(list)) {
      if (list.length === inputs.length) return list.map((tensor, position) => checked(tensor, inputs[position]));
      throw new InputError('LITERT_INPUT', `The signature ${key} has ${inputs.length} inputs; got ${list.length}.`);
    }
    return inputs.map((info) => checked(list?.[info.name], info));
  }

  async #runNow(values: readonly ShapedValues[]): Promise<readonly TensorResult[]> {
    const { key, subgraph, inputs, outputs } = this.#signature;
    if (subgraph === 0) return this.#model.run(values);
    const named = Object.fromEntries(values.map((value, position) => [inputs[position]?.name, value]));
    const results = await this.#model.runSignature(key, named);
    return outputs.map(({ name }) => results[name] as TensorResult);
  }

  async #runShaped(values: readonly ShapedValues[]): Promise<readonly TensorResult[]> {
    const shapes = values.map(({ shape }) => shape);
    if (this.#canAccept(shapes) && !isSame(shapes, this.#shapesNow())) await this.#resize(shapes);
    return this.#runNow(values);
  }

  /** Whether the model declares the sizes that differ as open; others are the runtime's to reject. */
  #canAccept(shapes: InputShapes): boolean {
    return this.#signature.inputs.every(({ shapeSignature }, position) => {
      const shape = shapes[position] ?? [];
      return (
        shape.length === shapeSignature.length && shape.every((size, i) => [size, -1].includes(shapeSignature[i] ?? 0))
      );
    });
  }

  #shapesNow(): InputShapes {
    const { subgraph } = this.#signature;
    const part = subgraph === 0 ? this.#model : this.#model.subgraphs.find(({ index }) => index === subgraph);
    return (part?.inputs ?? []).map(({ shape }) => shape);
  }

  #resize(shapes: InputShapes): Promise<void> {
    const { key, subgraph, inputs } = this.#signature;
    if (subgraph === 0) return this.#model.resizeInputs(shapes);
    return this.#model.resizeInputs(Object.fromEntries(inputs.map(({ name }, i) => [name, shapes[i] ?? []])), key);
  }
}

function checked(tensor: Tensor | undefined, info: TensorInfo | undefined): Tensor {
  if (tensor instanceof Tensor) return tensor;
  throw new InputError(
    'LITERT_INPUT',
    `The input ${info?.name} must be a Tensor of tflite-webnn/litert; got ${kindOf(tensor)}.`,
  );
}

function isSame(shapes: InputShapes, others: InputShapes): boolean {
  return shapes.every((shape, i) => shape.every((size, dimension) => size === others[i]?.[dimension]));
}
