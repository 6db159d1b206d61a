/**
 * The part of the WebNN API (https://www.w3.org/TR/webnn/) that this package uses: MLTensor and dispatch, no compute().
 * TypeScript's own library does not have it yet. The types are structural, so a native context, a polyfill's and a
 * test's fake all fit: they have only members that every browser has. tests/webnn_types.test.ts compares them with the
 * IDL's, from which the polyfill's types are generated.
 */

/** Element types of WebNN operands (the IDL's MLOperandDataType). */
export type MLOperandDataType =
  | 'float32'
  | 'float16'
  | 'int32'
  | 'uint32'
  | 'int64'
  | 'uint64'
  | 'int8'
  | 'uint8'
  | 'int4'
  | 'uint4';

/** Data type and shape of an operand; `shape` is `[]` for a scalar. */
export interface MLOperandDescriptor {
  /** Element type. */
  dataType: MLOperandDataType;
  /** Sizes, outermost dimension first. */
  shape: readonly number[];
}

/** Descriptor of a tensor that lives in an MLContext. */
export interface MLTensorDescriptor extends MLOperandDescriptor {
  /** Whether readTensor() accepts it. Default: false. */
  readable?: boolean;
  /** Whether writeTensor() accepts it. Default: false. */
  writable?: boolean;
}

/** A tensor that lives on the context's device. */
export interface MLTensor {
  /** Element type. */
  readonly dataType: MLOperandDataType;
  /** Sizes, outermost dimension first. */
  readonly shape: readonly number[];
  /** Whether readTensor() accepts it. */
  readonly readable?: boolean;
  /** Whether writeTensor() accepts it. */
  readonly writable?: boolean;
  /** Frees its memory once what is queued has run. */
  destroy(): void;
}

/** A compiled graph. */
export interface MLGraph {
  /** The devices that it runs on; only some browsers report them. */
  readonly devices?: readonly string[];
  /** Frees it once what is queued has run; not every browser has this. */
  destroy?(): void;
}

/** A value inside a graph that is being built; its identity is all there is to know about it. */
export interface MLOperand {
  readonly dataType: MLOperandDataType;
  readonly shape: readonly number[];
}

/** Allowed types and ranks of one operand, as `opSupportLimits()` returns them. */
export interface MLTensorLimits {
  dataTypes: readonly string[];
  rankRange?: { min: number; max: number };
}

/** Result of `opSupportLimits()`: scalars, rows of tensor limits, and per operator a dictionary of such rows. */
export type MLOpSupportLimits = object;

/** Why a context was lost. */
export interface MLContextLostInfo {
  /** The browser's message, if it has any. */
  readonly message?: string;
}

/** The connection to one device. */
export interface MLContext {
  /** Settles when the browser takes the context away. */
  readonly lost?: Promise<MLContextLostInfo>;
  /** The types and ranks that the context computes. */
  opSupportLimits(): MLOpSupportLimits;
  /**
   * Creates a tensor.
   *
   * @param descriptor - Its type, shape and flags.
   */
  createTensor(descriptor: MLTensorDescriptor): Promise<MLTensor>;
  /**
   * Queues a copy into a tensor.
   *
   * @param tensor - A writable tensor.
   * @param data - As many bytes as it has.
   */
  writeTensor(tensor: MLTensor, data: ArrayBufferLike | ArrayBufferView): void;
  /**
   * Reads a tensor once what is queued has run.
   *
   * @param tensor - A readable tensor.
   */
  readTensor(tensor: MLTensor): Promise<ArrayBuffer>;
  /**
   * Reads a tensor into memory of the caller.
   *
   * @param tensor - A readable tensor.
   * @param output - Where its bytes go.
   */
  readTensor(tensor: MLTensor, output: ArrayBufferLike | ArrayBufferView): Promise<void>;
  /**
   * Queues a run of a graph.
   *
   * @param graph - A graph that was built on this context.
   * @param inputs - Tensors by the names of its inputs.
   * @param outputs - Tensors by the names of its outputs.
   */
  dispatch(graph: MLGraph, inputs: Record<string, MLTensor>, outputs: Record<string, MLTensor>): void;
  /** Frees it with all that was created on it; not every browser has this. */
  destroy?(): void;
}

/** Options of `navigator.ml.createContext`: the present ones and `deviceType`, which browsers still read. */
export interface MLContextOptions {
  deviceType?: 'cpu' | 'gpu' | 'npu';
  accelerated?: boolean;
  powerPreference?: 'default' | 'high-performance' | 'low-power';
}

/** `navigator.ml`. */
export interface ML {
  /** Not in the standard: this project's polyfill says what it is. */
  readonly polyfill?: { readonly engine: string; readonly version: string };
  createContext(options?: MLContextOptions): Promise<MLContext>;
}

/** Builder of a graph. The operator methods (conv2d, add, ...) are called by name, see graph_executor.ts. */
export interface MLGraphBuilder {
  input(name: string, descriptor: MLOperandDescriptor): MLOperand;
  constant(descriptor: MLOperandDescriptor, data: ArrayBufferLike | ArrayBufferView): MLOperand;
  build(outputs: Record<string, MLOperand>): Promise<MLGraph>;
}

/** `globalThis.MLGraphBuilder`. */
export type MLGraphBuilderConstructor = new (context: MLContext) => MLGraphBuilder;
