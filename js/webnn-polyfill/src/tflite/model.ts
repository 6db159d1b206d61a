/** A TensorFlow Lite model of one subgraph, as plain data: what the serialiser makes and the file writer takes. */

import type { BuiltinName, TensorType } from './schema.js';

/** What the integers of a tensor mean: (integer - zero point) * scale, with one scale, or one per index of `axis`. */
export interface Quantization {
  readonly scales: readonly number[];
  readonly zeroPoints: readonly number[];
  readonly axis: number;
}

export interface ModelTensor {
  readonly name: string;
  readonly type: TensorType;
  readonly shape: readonly number[];
  readonly quantization?: Quantization | undefined;
  /** Whether it is declared sparse; its content is written with all of its zeros nevertheless. */
  readonly isSparse?: true | undefined;
  /** Content of a constant. Tensors that are given the same array share it in the file. */
  readonly data?: Uint8Array | undefined;
}

/** Options of a builtin by their names in the schema; those left out have the schema's default. */
export type NodeOptions = Readonly<Record<string, number | boolean | string>>;

/** In a node's inputs: an optional tensor that is not there. */
export const NO_TENSOR = -1;

export interface ModelNode {
  readonly op: BuiltinName;
  /** Indices of tensors, or {@link NO_TENSOR}. */
  readonly inputs: readonly number[];
  readonly outputs: readonly number[];
  readonly options: NodeOptions;
}

/** A tensor as an input or output of the model; the name is the signature's. */
export interface ModelPort {
  readonly name: string;
  readonly tensor: number;
}

export interface Model {
  readonly tensors: readonly ModelTensor[];
  /** In the order of execution. */
  readonly nodes: readonly ModelNode[];
  readonly inputs: readonly ModelPort[];
  readonly outputs: readonly ModelPort[];
}
