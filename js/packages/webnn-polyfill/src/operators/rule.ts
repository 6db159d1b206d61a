/** Building blocks of operators' rules. A broken rule is a TypeError; the caller adds the operator. */

import { ALL_DATA_TYPES, castNumber, sameShape } from '../data_types.js';
import type { OperandDescriptor } from '../engine.js';
import type { OperatorCalls } from '../generated/operator_calls.js';
import type { MLOperandDataType, MLOpSupportLimits, MLTensorLimits } from '../generated/webnn_types.js';

/** Name of an operator's method. */
export type OperatorName = keyof OperatorCalls;

/** Limits of an operator's operands and results. */
type OperandLimits<Op extends OperatorName> = {
  readonly [Name in keyof Required<NonNullable<MLOpSupportLimits[Op]>>]: Required<MLTensorLimits>;
};

export interface Rule<Op extends OperatorName> {
  /** The specification's data types and ranks. */
  readonly limits: OperandLimits<Op>;
  /**
   * Checks everything beyond the limits, resolves defaults that the IDL lacks, and returns the results' descriptors.
   */
  infer(
    operands: OperatorCalls[Op]['operands'],
    attributes: OperatorCalls[Op]['attributes'],
  ): OperandDescriptor | readonly OperandDescriptor[];
  /** An intermediate result, whose size is limited, too; it gets the resolved attributes. */
  intermediate?(
    operands: OperatorCalls[Op]['operands'],
    attributes: OperatorCalls[Op]['attributes'],
  ): OperandDescriptor;
}

/** Rules of some operators. */
export type Rules<Op extends OperatorName> = { readonly [Name in Op]: Rule<Name> };

/** Rules of some operators, as a family's file has them. */
export type RuleRows = Partial<Rules<OperatorName>>;

/** The largest rank of any browser. */
const MAX_RANK = 8;

/** All but the four-bit types, which can only be quantized and dequantized. */
export const ANY = ALL_DATA_TYPES.filter((dataType) => dataType !== 'int4' && dataType !== 'uint4');
export const FLOATS = ['float32', 'float16'] as const;
export const SIGNED = ['float32', 'float16', 'int64', 'int32', 'int8'] as const;
export const INDICES = ['int32', 'uint32', 'int64'] as const;
export const WIDE = ['float32', 'float16', 'int32', 'uint32', 'int64', 'uint64'] as const;
export const BOOLEANS = ['uint8'] as const;

/** Limits of one operand: data types and a range of ranks. */
export function tensor(
  dataTypes: readonly MLOperandDataType[],
  min = 0,
  max = Math.max(min, MAX_RANK),
): Required<MLTensorLimits> {
  return { dataTypes, rankRange: { min, max } };
}

/** Limits of an operand of one rank. */
export function ofRank(rank: number, dataTypes: readonly MLOperandDataType[] = FLOATS): Required<MLTensorLimits> {
  return tensor(dataTypes, rank, rank);
}

/** Throws if a rule is broken. */
export function check(condition: boolean, message: string): asserts condition {
  if (!condition) throw new TypeError(message);
}

/** Checks that operands have the data type of the first one; absent ones are ignored. */
export function checkSameType(
  { dataType }: OperandDescriptor,
  others: Readonly<Record<string, OperandDescriptor | undefined>>,
): void {
  for (const [name, other] of Object.entries(others)) {
    check(
      other === undefined || other.dataType === dataType,
      `The data type of ${name} is ${other?.dataType}, which is not the ${dataType} of the first operand.`,
    );
  }
}

/** Checks the shape of an operand, if provided. */
export function checkShape(name: string, operand: OperandDescriptor | undefined, shape: readonly number[]): void {
  check(
    operand === undefined || sameShape(operand.shape, shape),
    `The shape of ${name} is [${operand?.shape}]; it should be [${shape}].`,
  );
}

/** Checks the number of values of an attribute. */
export function checkLength(name: string, values: readonly unknown[], length: number): void {
  check(values.length === length, `The length of ${name} is ${values.length}; it should be ${length}.`);
}

/** Checks that all values are greater than zero. */
export function checkPositive(name: string, values: readonly number[]): void {
  check(
    values.every((value) => value > 0),
    `All values of ${name} should be greater than 0, but they are [${values}].`,
  );
}

export function checkAxis(axis: number, { shape }: OperandDescriptor): void {
  check(axis < shape.length, `The axis ${axis} should be less than ${shape.length}, the rank of the input.`);
}

/** Checks a list of axes: all in range, all different. */
export function checkAxes(axes: readonly number[], input: OperandDescriptor): void {
  for (const axis of axes) checkAxis(axis, input);
  check(new Set(axes).size === axes.length, `The axes [${axes}] should be different ones.`);
}

/** Casts attributes to the data type of the operand. */
export function castAttributes<Name extends string>(
  attributes: Partial<Record<Name, unknown>>,
  { dataType }: OperandDescriptor,
  ...names: readonly Name[]
): void {
  for (const name of names) {
    const value = attributes[name];
    if (value !== undefined) attributes[name] = castNumber(value as number | bigint, dataType);
  }
}

/** Numbers from `first` on. */
export function range(first: number, end: number): number[] {
  return Array.from({ length: Math.max(end - first, 0) }, (_, index) => first + index);
}

/** A copy of the shape with another size of one axis. */
export function withSize(shape: readonly number[], axis: number, size: number): number[] {
  return shape.map((old, index) => (index === axis ? size : old));
}

/** Numpy's broadcasting of two shapes; null if they do not fit. */
export function broadcast(a: readonly number[], b: readonly number[]): number[] | null {
  const rank = Math.max(a.length, b.length);
  const sizeOf = (shape: readonly number[], index: number) => shape[index - rank + shape.length] ?? 1;
  const fits = range(0, rank).every((index) => {
    const [sizeA, sizeB] = [sizeOf(a, index), sizeOf(b, index)];
    return sizeA === sizeB || sizeA === 1 || sizeB === 1;
  });
  return fits ? range(0, rank).map((index) => Math.max(sizeOf(a, index), sizeOf(b, index))) : null;
}

/** Whether `from` broadcasts to exactly `to`. */
export function broadcastsTo(from: readonly number[], to: readonly number[]): boolean {
  const result = broadcast(from, to);
  return result !== null && sameShape(result, to);
}

export interface OneOperand {
  readonly input: OperandDescriptor;
}

export interface TwoOperands {
  readonly a: OperandDescriptor;
  readonly b: OperandDescriptor;
}

/** Shape of two operands broadcast to each other. */
export function broadcastShape({ a, b }: TwoOperands): number[] {
  const shape = broadcast(a.shape, b.shape);
  check(shape !== null, `The shapes [${a.shape}] and [${b.shape}] cannot be broadcast to each other.`);
  return shape;
}

/** One operand; the result has its type and shape. Attributes named here are cast to its data type. */
export function unary(dataTypes: readonly MLOperandDataType[], ...cast: readonly string[]) {
  const limits = { input: tensor(dataTypes), output: tensor(dataTypes) };
  return {
    limits,
    infer: ({ input }: OneOperand, attributes: object) => {
      castAttributes(attributes as Record<string, unknown>, input, ...cast);
      return input;
    },
  };
}

/** Two operands of one data type, broadcast to each other; the result has the same type. */
export function binary(dataTypes: readonly MLOperandDataType[]) {
  return {
    limits: { a: tensor(dataTypes), b: tensor(dataTypes), output: tensor(dataTypes) },
    infer: ({ a, b }: TwoOperands) => {
      checkSameType(a, { b });
      return { dataType: a.dataType, shape: broadcastShape({ a, b }) };
    },
  };
}

/** Two operands of one data type, broadcast to each other; the result is a uint8 of 0 or 1. */
export function comparison(dataTypes: readonly MLOperandDataType[]) {
  return {
    limits: { a: tensor(dataTypes), b: tensor(dataTypes), output: tensor(BOOLEANS) },
    infer: ({ a, b }: TwoOperands) => {
      checkSameType(a, { b });
      return { dataType: 'uint8' as const, shape: broadcastShape({ a, b }) };
    },
  };
}
