/** Custom ops in JavaScript: what the option `customOps` has. */

import type { QuantizationInfo } from './description.js';
import type { ArraysByDType, DType } from './dtypes.js';

/** The element types of tensors that a custom op in JavaScript can have. */
type ValueType = Exclude<keyof ArraysByDType, 'string'>;

/**
 * A tensor of a custom op's node, of a known element type.
 *
 * @group Custom ops
 */
export interface CustomOpTensorOf<Type extends ValueType> {
  /** TFLite's tensor index; -1 for an optional input that the node leaves out, which has no elements. */
  readonly index: number;
  /** The tensor's name in the file. */
  readonly name: string;
  /** Element type. */
  readonly dtype: Type;
  /** Its shape now, outermost dimension first; `[]` for a scalar. */
  readonly shape: readonly number[];
  /** How integers stand for real numbers; null where they do not. */
  readonly quantization: QuantizationInfo | null;
  /**
   * The values in row-major order: a view of wasm's memory, as long as the call lasts. With threads that is shared memory.
   * Write to outputs only.
   */
  readonly data: ArraysByDType[Type];
}

/**
 * A tensor of a custom op's node. Its `dtype` tells which array `data` is.
 *
 * @group Custom ops
 */
export type CustomOpTensor = { [Type in ValueType]: CustomOpTensorOf<Type> }[ValueType];

/**
 * An input as `prepare()` gets it: only constants have values then.
 *
 * @group Custom ops
 */
export type CustomOpInput = { [Type in ValueType]: CustomOpInputOf<Type> }[ValueType];

/**
 * An input of a known element type, as `prepare()` gets it.
 *
 * @group Custom ops
 */
export interface CustomOpInputOf<Type extends ValueType> extends Omit<CustomOpTensorOf<Type>, 'data'> {
  /** The values of a constant, as long as the call lasts; else null. */
  readonly data: ArraysByDType[Type] | null;
}

/**
 * An output as `run()` gets it.
 *
 * @group Custom ops
 */
export type CustomOpOutput = CustomOpTensor & {
  /**
   * Sets the shape of an output that `prepare()` has returned with the shape null. Call it before `data` is read.
   *
   * @param shape - Sizes, outermost dimension first.
   */
  resize(shape: readonly number[]): void;
};

/**
 * What `prepare()` returns of an output.
 *
 * @group Custom ops
 */
export interface CustomOpOutputInfo {
  /** Its shape; null if only `run()` knows it: see {@link CustomOpOutput}. Default: as the file says. */
  readonly shape?: readonly number[] | null;
  /** Its element type, as the file says: another one is an error. */
  readonly dtype?: DType;
}

/**
 * A node that a custom op computes: the same object in all calls for this node.
 *
 * @group Custom ops
 */
export interface CustomOpNode {
  /** Name of the op. */
  readonly op: string;
  /** Index of the node in its subgraph, as in the report. */
  readonly index: number;
  /** Index of its subgraph. */
  readonly subgraph: number;
  /** The node's custom options: bytes, often a FlexBuffer, whose format only the op knows. */
  readonly options: Uint8Array;
  /** Yours: what `prepare()` computes for `run()`, for example. */
  state: unknown;
}

/**
 * A custom op. Both functions are synchronous.
 *
 * @group Custom ops
 */
export interface CustomOp {
  /**
   * Checks a node and decides the shapes of its outputs: before the first run, and whenever the inputs' shapes change.
   * Without it, outputs have the shapes that the file says.
   *
   * @param inputs - The node's inputs; constants with their values.
   * @param options - The node's custom options.
   * @param node - Which node it is.
   * @returns An entry for each output, for example `[{ shape: inputs[0].shape }]`; nothing for what the file says.
   */
  prepare?(
    inputs: readonly CustomOpInput[],
    options: Uint8Array,
    node: CustomOpNode,
    // biome-ignore lint/suspicious/noConfusingVoidType: functions without a return statement
  ): readonly CustomOpOutputInfo[] | undefined | void;
  /**
   * Computes the outputs.
   *
   * @param inputs - The node's inputs.
   * @param outputs - The node's outputs: write all elements of their `data`.
   * @param node - Which node it is.
   */
  run(inputs: readonly CustomOpTensor[], outputs: readonly CustomOpOutput[], node: CustomOpNode): void;
}

/**
 * Custom ops by the names that models have for them.
 *
 * @group Custom ops
 */
export interface CustomOps {
  readonly [name: string]: CustomOp;
}
