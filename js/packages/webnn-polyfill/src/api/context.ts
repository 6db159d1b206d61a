/** MLContext, MLTensor and MLGraph: their states, and the checks of each call. */

import { byteLength, sameShape } from '../data_types.js';
import type {
  EngineContext,
  EngineGraph,
  EngineTensor,
  ExportableEngineTensor,
  NamedOperand,
  OperandDescriptor,
  RecordedGraph,
} from '../engine.js';
import type { MLContextLostInfo, MLOperandDataType, MLOpSupportLimits } from '../generated/webnn_types.js';
import { type BufferSource, bytesOf, exception } from '../webidl/conversions.js';
import {
  type ContextLimits,
  checkByteLength,
  checkConstant,
  checkDescriptor,
  contextLimits,
  limitsDictionary,
} from './limits.js';

interface TensorDescriptor extends OperandDescriptor {
  readonly readable: boolean;
  readonly writable: boolean;
}

/** The connection to an engine. */
export class Context {
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
  checkOwn(tensor: Tensor, what: string): void {
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

/** A tensor of the engine or, for a constant, its bytes, which become part of graphs. */
type Content = { readonly engineTensor: EngineTensor | ExportableEngineTensor } | { readonly bytes: Uint8Array };

/** What a page may do with a tensor. */
interface Usage {
  readonly readable: boolean;
  readonly writable: boolean;
}

/** A tensor that lives on the context's timeline. */
export class Tensor implements OperandDescriptor {
  readonly dataType: MLOperandDataType;
  readonly shape: readonly number[];
  readonly byteLength: number;
  readonly readable: boolean;
  readonly writable: boolean;
  readonly constant: boolean;
  /** Pending reads; each entry aborts one. */
  readonly pending = new Set<() => void>();
  #content: Content | null;

  constructor(
    readonly context: Context,
    { dataType, shape }: OperandDescriptor,
    content: Content,
    { readable, writable }: Usage = { readable: false, writable: false },
  ) {
    this.dataType = dataType;
    this.shape = Object.freeze([...shape]);
    this.byteLength = byteLength({ dataType, shape });
    this.readable = readable;
    this.writable = writable;
    this.constant = 'bytes' in content;
    this.#content = content;
    if ('engineTensor' in content) own(this, content.engineTensor);
  }

  /** Also true after the loss of the context, which destroys all its tensors. */
  get isDestroyed(): boolean {
    return this.#content === null || this.context.isLost;
  }

  /** The engine's tensor. Throws for a destroyed tensor and for a constant. */
  get engineTensor(): EngineTensor {
    const content = this.#usable();
    if ('bytes' in content) throw new TypeError('The tensor is a constant.');
    const { engineTensor } = content;
    if ('isExported' in engineTensor && engineTensor.isExported) {
      throw exception('InvalidStateError', 'WebGPU has the tensor: destroy the GPUBuffer of exportToGPU() first.');
    }
    return engineTensor;
  }

  /** Content of a constant. Throws for a destroyed tensor and for others. */
  get bytes(): Uint8Array {
    const content = this.#usable();
    if ('engineTensor' in content) throw new TypeError('The tensor is no constant.');
    return content.bytes;
  }

  /** Exports the tensor to WebGPU. */
  exportToGPU(): GPUBuffer {
    const content = this.#usable();
    if (!('engineTensor' in content && 'isExported' in content.engineTensor)) {
      throw new TypeError('The tensor was not created by createExportableTensor().');
    }
    return content.engineTensor.exportToGPU();
  }

  #usable(): Content {
    if (this.#content === null || this.context.isLost) {
      throw exception('InvalidStateError', 'The tensor has been destroyed.');
    }
    return this.#content;
  }

  destroy(): void {
    const content = this.#content;
    if (content === null) return;
    this.#content = null;
    for (const abort of this.pending) abort();
    if ('engineTensor' in content) release(this, content.engineTensor);
  }
}

type Descriptors = ReadonlyMap<string, OperandDescriptor>;
type Tensors = ReadonlyMap<string, Tensor>;

/** A compiled graph. */
export class Graph {
  /** Kinds of the devices that it runs on. */
  readonly devices: readonly string[];
  readonly #inputs: Descriptors;
  readonly #outputs: Descriptors;
  #engineGraph: EngineGraph | null;

  constructor(
    readonly context: Context,
    { inputs, outputs, operands }: RecordedGraph,
    engineGraph: EngineGraph,
  ) {
    const named = ({ name, operand }: NamedOperand) => [name, operands[operand] as OperandDescriptor] as const;
    this.#inputs = new Map(inputs.map(named));
    this.#outputs = new Map(outputs.map(named));
    this.#engineGraph = own(this, engineGraph);
    this.devices = Object.freeze([context.accelerated ? 'gpu' : 'cpu']);
  }

  /** Queues one computation, after the checks of https://www.w3.org/TR/webnn/#api-mlcontext-dispatch. */
  dispatch(inputs: Tensors, outputs: Tensors): void {
    if (this.#engineGraph === null || this.context.isLost) {
      throw exception('InvalidStateError', 'The graph has been destroyed.');
    }
    const all = new Set([...inputs.values(), ...outputs.values()]);
    if (all.size < inputs.size + outputs.size) throw new TypeError('A tensor is there more than once.');
    for (const tensor of all) this.context.checkOwn(tensor, 'tensor');
    this.#engineGraph.dispatch(
      engineTensors('input', inputs, this.#inputs),
      engineTensors('output', outputs, this.#outputs),
    );
  }

  destroy(): void {
    const engineGraph = this.#engineGraph;
    this.#engineGraph = null;
    if (engineGraph !== null) release(this, engineGraph);
  }
}

/** https://www.w3.org/TR/webnn/#validate-tensors-with-descriptors; returns them in the order of the descriptors. */
function engineTensors(kind: string, tensors: Tensors, descriptors: Descriptors): EngineTensor[] {
  if (tensors.size !== descriptors.size) {
    const names = [...descriptors.keys()];
    throw new TypeError(`The graph has ${descriptors.size} ${kind}(s) (${names}), not ${tensors.size}.`);
  }
  const result: EngineTensor[] = [];
  for (const [name, expected] of descriptors) {
    const tensor = tensors.get(name);
    if (tensor === undefined) throw new TypeError(`The ${kind} '${name}' is missing; there is ${[...tensors.keys()]}.`);
    if (tensor.dataType !== expected.dataType || !sameShape(tensor.shape, expected.shape)) {
      throw new TypeError(
        `The ${kind} '${name}' is ${expected.dataType} [${expected.shape}], not ${tensor.dataType} [${tensor.shape}].`,
      );
    }
    result.push(tensor.engineTensor);
  }
  return result;
}

interface Destroyable {
  destroy(): void;
}

/** Frees the engine's memory after a page has dropped an object without destroying it. */
const registry = new FinalizationRegistry<Destroyable>((resource) => resource.destroy());

/** Ties the resource to its owner, which it must not reference; `owner` destroys it by calling {@link release}. */
function own<Resource extends Destroyable>(owner: object, resource: Resource): Resource {
  registry.register(owner, resource, owner);
  return resource;
}

function release(owner: object, resource: Destroyable): void {
  registry.unregister(owner);
  resource.destroy();
}
