/** A loaded model, as LiteRT.js's programs see it. */

import { InputError, ModelDisposedError, Queue, SignatureError, type TFLiteModel } from 'tflite-webnn';
import type { FilledOptions } from './compile_options.js';
import {
  ModelSignature,
  resolvedSignatures,
  type SignatureRunner,
  type TensorDetails,
  type TensorInputs,
} from './signature_runner.js';
import type { Tensor } from './tensor.js';

/** A loaded model. Created by `loadAndCompile()`. It runs its first signature unless another one is named. */
export class CompiledModel implements SignatureRunner {
  /** Its options, with the defaults. */
  readonly options: FilledOptions;
  /** The key of its first signature; LiteRT's placeholder where the file has none. */
  readonly key: string;
  readonly #model: TFLiteModel;
  readonly #signatures: Readonly<Record<string, ModelSignature>>;
  readonly #first: ModelSignature;
  readonly #onDelete: () => void;
  #deleted = false;

  /** @internal */
  static of(model: TFLiteModel, options: FilledOptions, onDelete: () => void): CompiledModel {
    return new CompiledModel(model, options, onDelete);
  }

  private constructor(model: TFLiteModel, options: FilledOptions, onDelete: () => void) {
    const queue = new Queue(); // one for all: the shapes of its inputs are the model's
    const signatures = resolvedSignatures(model).map(
      (signature) => new ModelSignature(model, signature, options, queue),
    );
    this.options = options;
    this.#model = model;
    this.#signatures = Object.freeze(Object.fromEntries(signatures.map((signature) => [signature.key, signature])));
    this.#first = signatures[0] as ModelSignature;
    this.key = this.#first.key;
    this.#onDelete = onDelete;
  }

  /** Its signatures by key, at least one. */
  get signatures(): Record<string, SignatureRunner> {
    this.#checkUsable();
    return this.#signatures;
  }

  /** The first signature's inputs, in order. */
  getInputDetails(): readonly TensorDetails[] {
    this.#checkUsable();
    return this.#first.getInputDetails();
  }

  /** The first signature's outputs, in order. */
  getOutputDetails(): readonly TensorDetails[] {
    this.#checkUsable();
    return this.#first.getOutputDetails();
  }

  /**
   * Runs the first signature.
   *
   * @param input - Tensors in order.
   * @returns The outputs in order.
   * @throws InputError, also where inputs are missing or too many; ModelDisposedError;
   *   what `run()` of tflite-webnn throws.
   */
  run(input: Tensor | Tensor[]): Promise<Tensor[]>;
  /**
   * Runs the first signature.
   *
   * @param input - Tensors by name.
   * @returns The outputs by name.
   */
  run(input: Record<string, Tensor>): Promise<Record<string, Tensor>>;
  /**
   * Runs a signature.
   *
   * @param signatureName - Its key.
   * @param input - Tensors in order.
   * @returns The outputs in order.
   * @throws SignatureError where there is no such signature; what the others throw.
   */
  run(signatureName: string, input: Tensor | Tensor[]): Promise<Tensor[]>;
  /**
   * Runs a signature.
   *
   * @param signatureName - Its key.
   * @param input - Tensors by name.
   * @returns The outputs by name.
   */
  run(signatureName: string, input: Record<string, Tensor>): Promise<Record<string, Tensor>>;
  /**
   * Runs the first signature, and returns results in the structure of the inputs.
   *
   * @param input - Tensors in order or by name.
   */
  run(input: TensorInputs): Promise<Tensor[] | Record<string, Tensor>>;
  /**
   * Runs a signature, and returns results in the structure of the inputs.
   *
   * @param signatureName - Its key.
   * @param input - Tensors in order or by name.
   */
  run(signatureName: string, input: TensorInputs): Promise<Tensor[] | Record<string, Tensor>>;
  async run(first: string | TensorInputs, second?: TensorInputs): Promise<Tensor[] | Record<string, Tensor>> {
    this.#checkUsable();
    if (typeof first !== 'string') return this.#first.run(first);
    const signature = Object.hasOwn(this.#signatures, first) ? this.#signatures[first] : undefined;
    if (signature === undefined) {
      const keys = Object.keys(this.#signatures).join(', ');
      throw new SignatureError(`The model has no signature ${first}. It has: ${keys}.`, { details: { key: first } });
    }
    if (second === undefined) throw new InputError('LITERT_INPUT', `The signature ${first} got no inputs.`);
    return signature.run(second);
  }

  /** Whether `delete()` was called. */
  get deleted(): boolean {
    return this.#deleted;
  }

  /** Whether all of it runs where the options request it: on WebNN for `webnn` and `webgpu`; always for `wasm`. */
  get isFullyAccelerated(): boolean {
    this.#checkUsable();
    return this.options.accelerator === 'wasm' || this.#model.executionMode === 'direct';
  }

  /** Frees the model, after what is in flight. */
  delete(): void {
    if (this.#deleted) return;
    this.#deleted = true;
    for (const signature of Object.values(this.#signatures)) signature.delete();
    this.#model.dispose();
    this.#onDelete();
  }

  #checkUsable(): void {
    if (this.#deleted) throw new ModelDisposedError('The model is deleted and cannot be used.');
  }
}
