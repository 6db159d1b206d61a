/** Limits of a context: the specification's, narrowed by the engine's; checks of descriptors and buffers against them. */

import { ALL_DATA_TYPES, byteLength, isViewOf } from '../data_types.js';
import type { OperandDescriptor } from '../engine.js';
import type { MLOpSupportLimits, MLTensorLimits } from '../generated/webnn_types.js';
import { tensor } from '../operators/rule.js';
import { RULES } from '../operators/rules.js';
import type { BufferSource } from '../webidl/conversions.js';

/** Limits of one operator's operands. */
type OperatorLimits = Readonly<Record<string, Required<MLTensorLimits>>>;

/** Limits of a context, complete. */
export interface ContextLimits {
  readonly preferredInputLayout: 'nchw' | 'nhwc';
  readonly maxTensorByteLength: number;
  readonly graph: Readonly<Record<'input' | 'constant' | 'output', Required<MLTensorLimits>>>;
  readonly operators: Readonly<Record<string, OperatorLimits>>;
}

/** The size of an ArrayBuffer that works everywhere. */
const MAX_TENSOR_BYTES = 2 ** 31 - 1;

/** Limits of a context: those of the specification, narrowed by the engine's. */
export function contextLimits(engine: MLOpSupportLimits): ContextLimits {
  const narrowed = engine as Readonly<Record<string, Readonly<Record<string, MLTensorLimits>> | undefined>>;
  const operators = Object.entries(RULES).map(([op, { limits }]) => {
    const rows = Object.entries(limits as OperatorLimits);
    return [op, Object.fromEntries(rows.map(([name, row]) => [name, narrow(row, narrowed[op]?.[name])]))];
  });
  const any = tensor(ALL_DATA_TYPES);
  return {
    preferredInputLayout: engine.preferredInputLayout ?? 'nchw',
    maxTensorByteLength: belowFullElements(engine.maxTensorByteLength ?? MAX_TENSOR_BYTES),
    graph: {
      input: narrow(any, engine.input),
      constant: narrow(any, engine.constant),
      output: narrow(any, engine.output),
    },
    operators: Object.fromEntries(operators),
  };
}

/**
 * A browser-like limit: one byte less than a multiple of each type's element size. The W3C's tests divide the number
 * after it by an element's size, to get the smallest shape that is too large.
 */
function belowFullElements(limit: number): number {
  const largestElement = 8;
  return Math.floor((limit + 1) / largestElement) * largestElement - 1;
}

function narrow(allowed: Required<MLTensorLimits>, by: MLTensorLimits = {}): Required<MLTensorLimits> {
  const { dataTypes = allowed.dataTypes, rankRange = {} } = by;
  const min = Math.max(allowed.rankRange.min ?? 0, rankRange.min ?? 0);
  const max = Math.min(allowed.rankRange.max ?? 0, rankRange.max ?? Number.POSITIVE_INFINITY);
  return {
    dataTypes: allowed.dataTypes.filter((dataType) => dataTypes.includes(dataType)),
    rankRange: { min, max },
  };
}

/** The dictionary that opSupportLimits() returns: a new one, for the page to change. */
export function limitsDictionary({ graph, operators, ...scalars }: ContextLimits): MLOpSupportLimits {
  return structuredClone({ ...scalars, ...graph, ...operators }) as MLOpSupportLimits;
}

/** Largest size of a dimension: the specification limits it to the type `long`. */
const MAX_SIZE = 2 ** 31 - 1;

/** Checks a tensor's descriptor: valid dimensions, a type and a rank within the limits, and its size. */
export function checkDescriptor(
  descriptor: OperandDescriptor,
  limits: MLTensorLimits,
  maxTensorByteLength: number,
  what: string,
): void {
  const { shape } = descriptor;
  if (!shape.every((size) => size > 0 && size <= MAX_SIZE)) {
    throw new TypeError(`The shape [${shape}] of ${what} should have sizes from 1 to ${MAX_SIZE}.`);
  }
  checkLimits(descriptor, limits, what);
  checkSize(descriptor, maxTensorByteLength, what);
}

export function checkSize(descriptor: OperandDescriptor, maxTensorByteLength: number, what: string): void {
  const bytes = byteLength(descriptor);
  if (bytes > maxTensorByteLength) {
    throw new TypeError(`The ${bytes} bytes of ${what} are more than the limit of ${maxTensorByteLength}.`);
  }
}

/** Checks data type and rank. */
export function checkLimits({ dataType, shape }: OperandDescriptor, limits: MLTensorLimits, what: string): void {
  const { dataTypes = [], rankRange: { min = 0, max = Number.POSITIVE_INFINITY } = {} } = limits;
  if (!dataTypes.includes(dataType)) {
    const allowed = dataTypes.length > 0 ? `it should be one of ${dataTypes.join(', ')}` : 'no type is supported here';
    throw new TypeError(`The data type of ${what} is ${dataType}; ${allowed}.`);
  }
  if (shape.length < min || shape.length > max) {
    throw new TypeError(`The rank of ${what} is ${shape.length}; it should be from ${min} to ${max}.`);
  }
}

/** Checks that a buffer has as many bytes as a tensor, or at least as many if the tensor is read into it. */
export function checkByteLength({ byteLength }: BufferSource, expected: number, relation: 'equal' | 'atLeast'): void {
  if (byteLength < expected || (relation === 'equal' && byteLength > expected)) {
    throw new TypeError(`The buffer has ${byteLength} bytes; the tensor has ${expected}.`);
  }
}

/** https://www.w3.org/TR/webnn/#validate-buffer-with-descriptor, for constants. */
export function checkConstant(source: BufferSource, descriptor: OperandDescriptor): void {
  checkByteLength(source, byteLength(descriptor), 'equal');
  if (ArrayBuffer.isView(source) && !isViewOf(source, descriptor.dataType)) {
    throw new TypeError(`The view of the buffer is not one of ${descriptor.dataType} values.`);
  }
}
