/** A TensorFlow Lite model of one subgraph as plain data, between the serializer and the file writer. */

import type { BUILTINS, TENSOR_TYPES } from './tflite_schema.js';

export type TensorType = keyof typeof TENSOR_TYPES;
export type BuiltinName = keyof typeof BUILTINS;

/** The meaning of a tensor's integers: (integer - zero point) * scale, with one scale, or one per index of `axis`. */
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
  /** Whether it is declared sparse; its content still includes all zeros. */
  readonly isSparse?: true | undefined;
  /** Content of a constant. Tensors with the same array share it in the file. */
  readonly data?: Uint8Array | undefined;
}

/** Options of a builtin by their names in the schema; absent ones have the schema's default. */
export type NodeOptions = Readonly<Record<string, number | boolean | string>>;

/** An absent optional tensor in a node's inputs. */
export const NO_TENSOR = -1;

export interface ModelNode {
  readonly op: BuiltinName;
  /** Indices of tensors, or {@link NO_TENSOR}. */
  readonly inputs: readonly number[];
  readonly outputs: readonly number[];
  readonly options: NodeOptions;
}

/** An input or output of the model, with its name in the signature. */
export interface SignatureTensor {
  readonly name: string;
  readonly tensor: number;
}

export interface Model {
  readonly tensors: readonly ModelTensor[];
  /** In the order of execution. */
  readonly nodes: readonly ModelNode[];
  readonly inputs: readonly SignatureTensor[];
  readonly outputs: readonly SignatureTensor[];
}
