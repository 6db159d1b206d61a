/** MLContext. */

import type { EngineContext } from '../engine.js';
import { exception } from '../errors.js';
import type { MLContextLostInfo, MLOpSupportLimits } from '../generated/webnn_types.js';
import type { OperandDescriptor, RecordedGraph } from '../graph.js';
import { type ContextLimits, contextLimits, limitsDictionary } from '../limits.js';
import { type BufferSource, bytesOf } from '../webidl/buffer_source.js';
import { checkByteLength, checkConstant, checkDescriptor } from './descriptors.js';
import { Graph } from './graph.js';
import type { Owned, Owner } from './owner.js';
import { own, release } from './reclaim.js';
import { Tensor } from './tensor.js';

interface TensorDescriptor extends OperandDescriptor {
  readonly readable: boolean;
  readonly writable: boolean;
}

/** The connection to an engine. */
export class Context implements Owner {
  readonly accelerated: boolean;
  readonly lost: Promise<MLContextLostInfo>;
  readonly limits: ContextLimits;
  readonly #engine: EngineContext;
  #loseWith: (info: MLContextLostInfo) => void = () => {};
  #isLost = false;
  /** Pending operations; each entry aborts one. */
  readonly #pending = new Set<() => void>();

  constructor(engine: EngineContext) {
    this.#engine = engine;
    this.accelerated = engine.accelerated;
    this.limits = contextLimits(engine.limits);
    this.lost = new Promise((resolve) => {
      this.#loseWith = resolve;
    });
    Context.#watch(own(this, engine).lost, new WeakRef(this));
  }

  /** The engine does not keep a context alive that the page has dropped. */
  static #watch(lost: Promise<string>, context: WeakRef<Context>): void {
    lost.then((message) => {
      const present = context.deref();
      if (present !== undefined) present.#lose(message);
    });
  }

  get isLost(): boolean {
    return this.#isLost;
  }

  async createTensor(descriptor: TensorDescriptor): Promise<Tensor> {
    this.#checkNotLost();
    checkDescriptor(descriptor, this.limits.graph.input, this.limits.maxTensorByteLength, 'the tensor');
    try {
      return new Tensor(this, descriptor, { engineTensor: this.#engine.createTensor(descriptor) }, descriptor);
    } catch (error) {
      throw exception('UnknownError', 'The tensor could not be created', error);
    }
  }

  async createConstantTensor(descriptor: OperandDescriptor, inputData: BufferSource): Promise<Tensor> {
    this.#checkNotLost();
    checkDescriptor(descriptor, this.limits.graph.constant, this.limits.maxTensorByteLength, 'the constant');
    checkConstant(inputData, descriptor);
    return new Tensor(this, descriptor, { bytes: shareableCopy(bytesOf(inputData)) });
  }

  async createExportableTensor(descriptor: TensorDescriptor, device: GPUDevice): Promise<Tensor> {
    this.#checkNotLost();
    checkDescriptor(descriptor, this.limits.graph.input, this.limits.maxTensorByteLength, 'the tensor');
    if (this.#engine.createExportableTensor === undefined) {
      throw exception('NotSupportedError', 'This context has no tensors that can be exported to a GPU.');
    }
    try {
      const engineTensor = this.#engine.createExportableTensor(descriptor, device);
      return new Tensor(this, descriptor, { engineTensor }, descriptor);
    } catch (error) {
      throw exception('NotSupportedError', 'The tensor cannot be exported to this GPU', error);
    }
  }

  exportToGPU(tensor: Tensor): GPUBuffer {
    this.checkOwn(tensor, 'tensor');
    return tensor.exportToGPU();
  }

  async readTensor(tensor: Tensor, outputData?: BufferSource): Promise<ArrayBuffer | undefined> {
    this.checkOwn(tensor, 'tensor');
    if (!tensor.readable) throw new TypeError('The tensor is not readable.');
    if (outputData !== undefined) checkByteLength(outputData, tensor.byteLength, 'atLeast');
    const target = outputData && bytesOf(outputData, tensor.byteLength);
    const reading = tensor.engineTensor.read(target);
    const failure = 'The tensor cannot be read';
    const isDone = reading instanceof Uint8Array;
    const bytes = await (isDone ? reading : this.#abortable(reading, 'UnknownError', failure, tensor));
    this.checkOwn(tensor, 'tensor'); // it may have been destroyed meanwhile
    if (outputData === undefined) return bufferOf(bytes);
    checkByteLength(outputData, tensor.byteLength, 'atLeast'); // it may have been detached meanwhile
    if (bytes !== target) target?.set(bytes);
    return undefined;
  }

  writeTensor(tensor: Tensor, inputData: BufferSource): void {
    this.checkOwn(tensor, 'tensor');
    if (!tensor.writable) throw new TypeError('The tensor is not writable.');
    // The type of a view does not matter to browsers, nor to the W3C's tests, which write uint32 values to int32.
    checkByteLength(inputData, tensor.byteLength, 'equal');
    tensor.engineTensor.write(bytesOf(inputData));
  }

  dispatch(graph: Graph, inputs: ReadonlyMap<string, Tensor>, outputs: ReadonlyMap<string, Tensor>): void {
    if (graph.context !== this) throw new TypeError('The graph belongs to another context.');
    graph.dispatch(inputs, outputs);
  }

  opSupportLimits(): MLOpSupportLimits {
    return limitsDictionary(this.limits);
  }

  destroy(): void {
    if (this.#isLost) return;
    this.#lose('The context was lost because destroy() was called.');
    release(this, this.#engine);
  }

  /** Compiles what a builder has recorded. */
  async build(recorded: RecordedGraph): Promise<Graph> {
    const engineGraph = this.#engine.build(recorded);
    return new Graph(this, recorded, await this.#abortable(engineGraph, 'OperationError', 'The graph cannot be built'));
  }

  /** Checks that a tensor is of this context and not destroyed. */
  checkOwn(tensor: Owned, what: string): void {
    if (tensor.context !== this) throw new TypeError(`The ${what} belongs to another context.`);
    if (tensor.isDestroyed) throw exception('InvalidStateError', `The ${what} has been destroyed.`);
  }

  #checkNotLost(): void {
    if (this.#isLost) throw exception('InvalidStateError', 'The context is lost.');
  }

  #lose(message: string): void {
    if (this.#isLost) return;
    this.#isLost = true;
    this.#loseWith({ message });
    for (const abort of this.#pending) abort();
  }

  /** Waits for the engine, until the context is lost or the tensor destroyed. */
  #abortable<T>(
    result: Promise<T>,
    failure: 'OperationError' | 'UnknownError',
    message: string,
    tensor?: Tensor,
  ): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const abort = () =>
        reject(exception('InvalidStateError', `${message}: the context is lost, or it was destroyed.`));
      const done = () => {
        this.#pending.delete(abort);
        tensor?.pending.delete(abort);
      };
      this.#pending.add(abort);
      tensor?.pending.add(abort);
      result.then(
        (value) => {
          done();
          resolve(value);
        },
        (error) => {
          done();
          reject(exception(failure, message, error));
        },
      );
    });
  }
}

/** A copy that an engine's worker can use without another one, if the page may share memory. */
function shareableCopy(bytes: Uint8Array): Uint8Array {
  if (globalThis.crossOriginIsolated !== true) return bytes.slice();
  const copy = new Uint8Array(new SharedArrayBuffer(bytes.byteLength));
  copy.set(bytes);
  return copy;
}

/** The bytes in an ArrayBuffer without other content. */
function bufferOf(bytes: Uint8Array): ArrayBuffer {
  const { buffer, byteLength } = bytes;
  return buffer instanceof ArrayBuffer && buffer.byteLength === byteLength ? buffer : bytes.slice().buffer;
}
