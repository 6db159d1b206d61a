/**
 * The part of the WebNN API (https://www.w3.org/TR/webnn/) that this package uses: MLTensor and dispatch, no compute().
 * TypeScript's own library does not have it yet. The types are structural, so a native context, a polyfill's and a
 * test's fake all fit.
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
  dataType: MLOperandDataType;
  shape: number[];
}

/** Descriptor of a tensor that lives in an MLContext. */
export interface MLTensorDescriptor extends MLOperandDescriptor {
  readable?: boolean;
  writable?: boolean;
}

/** A tensor that lives on the context's device. */
export interface MLTensor {
  readonly dataType: MLOperandDataType;
  readonly shape: readonly number[];
  /** Whether readTensor() takes it. */
  readonly readable?: boolean;
  /** Whether writeTensor() takes it. */
  readonly writable?: boolean;
  destroy(): void;
}

/** A compiled graph. */
export interface MLGraph {
  /** The devices that it runs on; only some browsers tell. */
  readonly devices?: readonly string[];
  destroy?(): void;
}

/** A value inside a graph that is being built; its identity is all there is to know about it. */
export type MLOperand = object;

/** Allowed types and ranks of one operand, as `opSupportLimits()` tells them. */
export interface MLTensorLimits {
  dataTypes: readonly string[];
  rankRange?: { min: number; max: number };
}

/** Answer of `opSupportLimits()`: scalars, rows of tensor limits, and per operator a dictionary of such rows. */
export type MLOpSupportLimits = Readonly<Record<string, unknown>>;

/** Why a context was lost. */
export interface MLContextLostInfo {
  readonly message: string;
}

/** The connection to one device. */
export interface MLContext {
  readonly lost?: Promise<MLContextLostInfo>;
  /** Not in the standard: a polyfill may tell which engine it runs on. */
  readonly backend?: string;
  opSupportLimits(): MLOpSupportLimits;
  createTensor(descriptor: MLTensorDescriptor): Promise<MLTensor>;
  writeTensor(tensor: MLTensor, data: AllowSharedBufferSource): void;
  readTensor(tensor: MLTensor): Promise<ArrayBuffer>;
  readTensor(tensor: MLTensor, output: AllowSharedBufferSource): Promise<void>;
  dispatch(graph: MLGraph, inputs: Record<string, MLTensor>, outputs: Record<string, MLTensor>): void;
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
  createContext(options?: MLContextOptions): Promise<MLContext>;
}

/** Builder of a graph. The operator methods (conv2d, add, ...) are called by name, see graph_executor.ts. */
export interface MLGraphBuilder {
  input(name: string, descriptor: MLOperandDescriptor): MLOperand;
  constant(descriptor: MLOperandDescriptor, data: AllowSharedBufferSource): MLOperand;
  build(outputs: Record<string, MLOperand>): Promise<MLGraph>;
}

/** `globalThis.MLGraphBuilder`. */
export type MLGraphBuilderConstructor = new (context: MLContext) => MLGraphBuilder;
