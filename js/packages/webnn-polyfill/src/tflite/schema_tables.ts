/** Types of the generated part of TensorFlow Lite's schema. */

/** An operator's option: its name in the schema, the slot of its table and its type. */
export interface OptionField {
  readonly name: string;
  readonly slot: number;
  readonly type: 'bool' | 'int' | 'float' | 'Padding' | 'ActivationFunctionType' | 'TensorType';
}

interface OptionsTable {
  /** Position in the union BuiltinOptions. */
  readonly union: number;
  readonly fields: readonly OptionField[];
}

/** A builtin operator: its code, the version to write, and its options if it has any. */
export interface Builtin {
  readonly code: number;
  readonly version: number;
  readonly options?: OptionsTable;
}

export function table(
  union: number,
  ...fields: [name: string, slot: number, type: OptionField['type']][]
): OptionsTable {
  return { union, fields: fields.map(([name, slot, type]) => ({ name, slot, type })) };
}

export function builtin(code: number, version: number, options?: OptionsTable): Builtin {
  return options === undefined ? { code, version } : { code, version, options };
}
