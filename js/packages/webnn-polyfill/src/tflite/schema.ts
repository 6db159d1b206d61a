/** TensorFlow Lite's builtin operators and types by name. */

import type { Builtin, OptionField } from './schema_tables.js';
import { BUILTINS, ENUMS, type TENSOR_TYPES } from './tflite_schema.js';

export type TensorType = keyof typeof TENSOR_TYPES;
export type BuiltinName = keyof typeof BUILTINS;

export const ELEMENT_BYTES: Readonly<Record<TensorType, number>> = {
  FLOAT32: 4,
  FLOAT16: 2,
  INT32: 4,
  UINT8: 1,
  INT64: 8,
  BOOL: 1,
  INT8: 1,
  UINT64: 8,
  UINT32: 4,
};

/** A builtin by name, with defaults for absent parts. */
export function builtinOf(name: BuiltinName): Builtin {
  return BUILTINS[name];
}

/** The number that represents an option. */
export function optionNumber(field: OptionField, value: number | boolean | string): number {
  if (typeof value !== 'string') return Number(value);
  const number = ENUMS[field.type]?.[value];
  if (number === undefined) throw new RangeError(`${value} is no ${field.type}`);
  return number;
}
