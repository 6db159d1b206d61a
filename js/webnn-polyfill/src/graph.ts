/**
 * What an MLGraphBuilder has recorded: plain data that can be posted to a worker. It has been validated, and every
 * option is there with the default of the specification (https://www.w3.org/TR/webnn/), so engines know no defaults.
 */

import type { MLOperandDataType } from './generated/webnn_types.js';

/**
 * Data type and shape of a value; `shape` is `[]` for a scalar.
 *
 * @group polyfill.mjs
 */
export interface OperandDescriptor {
  /** Type of the elements. */
  readonly dataType: MLOperandDataType;
  /** Sizes of the dimensions. */
  readonly shape: readonly number[];
}

/**
 * One call of an operator's method.
 *
 * @group polyfill.mjs
 */
export interface RecordedOperator {
  /** Name of the method in the IDL, e.g. `conv2d`. */
  readonly op: string;
  /** What the page calls it; empty where it gave no label. */
  readonly label: string;
  /**
   * Ids of the operands by the IDL's name of the parameter or option: `input`, `filter`, `bias`, `a`, `b`; `inputs` of
   * concat is an array. An option that was not given is not there.
   */
  readonly operands: Readonly<Record<string, number | readonly number[] | undefined>>;
  /**
   * All other arguments and options by their names in the IDL. Options whose default depends on the operands are
   * resolved: e.g. `axes`, `strides`, `padding`, `windowDimensions`, `permutation`, `activations`.
   */
  readonly attributes: Readonly<Record<string, unknown>>;
  /** Ids of what it computes, in the order in which the method returns them. */
  readonly outputs: readonly number[];
}

/**
 * A constant operand with its content.
 *
 * @group polyfill.mjs
 */
export interface RecordedConstant {
  /** Id of the operand. */
  readonly operand: number;
  /** Values in row-major order, little endian, of exactly the operand's size. */
  readonly bytes: Uint8Array;
  /** The bytes are a tensor's, which other graphs use, too. Others are the engine's, to keep or to free. */
  readonly isShared?: true;
}

/**
 * A named input or output of a graph.
 *
 * @group polyfill.mjs
 */
export interface NamedOperand {
  /** The name that the page gave. */
  readonly name: string;
  /** Id of the operand. */
  readonly operand: number;
}

/**
 * A graph as it is built: only what its outputs need.
 *
 * @group polyfill.mjs
 */
export interface RecordedGraph {
  /** All operands; their ids are their places here. */
  readonly operands: readonly OperandDescriptor[];
  /** What dispatching reads. */
  readonly inputs: readonly NamedOperand[];
  /** What is known when it is built. */
  readonly constants: readonly RecordedConstant[];
  /** In an order in which each comes after those that compute its operands. */
  readonly operators: readonly RecordedOperator[];
  /** What dispatching writes. */
  readonly outputs: readonly NamedOperand[];
}
