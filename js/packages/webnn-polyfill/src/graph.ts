/**
 * The recording of an MLGraphBuilder: plain data that can be posted to a worker. It is validated, and every
 * option has the default of the specification (https://www.w3.org/TR/webnn/), so engines need no defaults.
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
  /** The page's label; empty without one. */
  readonly label: string;
  /**
   * Ids of the operands by the IDL's name of the parameter or option: `input`, `filter`, `bias`, `a`, `b`; `inputs` of
   * concat is an array. Absent options are omitted.
   */
  readonly operands: Readonly<Record<string, number | readonly number[] | undefined>>;
  /**
   * All other arguments and options by their names in the IDL. Defaults that depend on the operands are
   * resolved: e.g. `axes`, `strides`, `padding`, `windowDimensions`, `permutation`, `activations`.
   */
  readonly attributes: Readonly<Record<string, unknown>>;
  /** Ids of its results, in the method's order. */
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
  /** The bytes belong to a tensor that other graphs use, too. Otherwise they are the engine's, to keep or to free. */
  readonly isShared?: true;
}

/**
 * A named input or output of a graph.
 *
 * @group polyfill.mjs
 */
export interface NamedOperand {
  /** The name that the page passed. */
  readonly name: string;
  /** Id of the operand. */
  readonly operand: number;
}

/**
 * A graph, with only the operators that its outputs need.
 *
 * @group polyfill.mjs
 */
export interface RecordedGraph {
  /** All operands; an id is an index into it. */
  readonly operands: readonly OperandDescriptor[];
  /** Inputs of a dispatch. */
  readonly inputs: readonly NamedOperand[];
  /** Constants. */
  readonly constants: readonly RecordedConstant[];
  /** In topological order. */
  readonly operators: readonly RecordedOperator[];
  /** Outputs of a dispatch. */
  readonly outputs: readonly NamedOperand[];
}
