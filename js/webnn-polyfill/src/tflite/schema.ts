/**
 * What of TensorFlow Lite's flatbuffer schema (tensorflow/compiler/mlir/lite/schema/schema.fbs) is written: names are
 * the schema's own, numbers its codes and field slots.
 */

/** Element types of tensors, the schema's TensorType. */
export const TENSOR_TYPES = {
  FLOAT32: 0,
  FLOAT16: 1,
  INT32: 2,
  UINT8: 3,
  INT64: 4,
  BOOL: 6,
  INT8: 9,
  UINT64: 12,
  UINT32: 15,
} as const;

export type TensorType = keyof typeof TENSOR_TYPES;

/** Bytes of an element. */
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

/** Enumerations that options are written with. */
const ENUMS: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  Padding: { SAME: 0, VALID: 1 },
  ActivationFunctionType: { NONE: 0, RELU: 1, RELU_N1_TO_1: 2, RELU6: 3 },
  TensorType: TENSOR_TYPES,
};

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

function table(union: number, ...fields: [name: string, slot: number, type: OptionField['type']][]): OptionsTable {
  return { union, fields: fields.map(([name, slot, type]) => ({ name, slot, type })) };
}

const POOL_2D = table(
  5,
  ['padding', 0, 'Padding'],
  ['stride_w', 1, 'int'],
  ['stride_h', 2, 'int'],
  ['filter_width', 3, 'int'],
  ['filter_height', 4, 'int'],
);
const REDUCER = table(27, ['keep_dims', 0, 'bool']);
const FUSED_ACTIVATION = ['fused_activation_function', 0, 'ActivationFunctionType'] as const;

/** A builtin operator: its code, the version that is written, and its options if it has any. */
interface Builtin {
  readonly code: number;
  readonly version: number;
  readonly options?: OptionsTable;
}

function builtin(code: number, options?: OptionsTable, version = 1): Builtin {
  return options === undefined ? { code, version } : { code, version, options };
}

/** The builtin operators that the serialiser writes. Versions are the lowest that know the types written with them. */
export const BUILTINS = {
  ABS: builtin(101, table(78)),
  ADD: builtin(0, table(11, [...FUSED_ACTIVATION]), 2),
  ARG_MAX: builtin(56, table(40, ['output_type', 0, 'TensorType']), 2),
  ARG_MIN: builtin(79, table(57, ['output_type', 0, 'TensorType']), 2),
  AVERAGE_POOL_2D: builtin(1, POOL_2D, 2),
  BATCH_MATMUL: builtin(126, table(101, ['adj_x', 0, 'bool'], ['adj_y', 1, 'bool'])),
  BITCAST: builtin(159, table(124)),
  BROADCAST_TO: builtin(130, table(104), 2),
  CAST: builtin(53, table(37, ['in_data_type', 0, 'TensorType'], ['out_data_type', 1, 'TensorType']), 4),
  CEIL: builtin(104),
  CONCATENATION: builtin(2, table(10, ['axis', 0, 'int']), 2),
  CONV_2D: builtin(
    3,
    table(
      1,
      ['padding', 0, 'Padding'],
      ['stride_w', 1, 'int'],
      ['stride_h', 2, 'int'],
      ['fused_activation_function', 3, 'ActivationFunctionType'],
      ['dilation_w_factor', 4, 'int'],
      ['dilation_h_factor', 5, 'int'],
    ),
    3,
  ),
  COS: builtin(108, table(84)),
  CUMSUM: builtin(128, table(102, ['exclusive', 0, 'bool'], ['reverse', 1, 'bool'])),
  DENSIFY: builtin(124),
  DEPTHWISE_CONV_2D: builtin(
    4,
    table(
      2,
      ['padding', 0, 'Padding'],
      ['stride_w', 1, 'int'],
      ['stride_h', 2, 'int'],
      ['depth_multiplier', 3, 'int'],
      ['fused_activation_function', 4, 'ActivationFunctionType'],
      ['dilation_w_factor', 5, 'int'],
      ['dilation_h_factor', 6, 'int'],
    ),
    3,
  ),
  DEPTH_TO_SPACE: builtin(5, table(94, ['block_size', 0, 'int'])),
  DEQUANTIZE: builtin(6, table(38), 2),
  DIV: builtin(42, table(29, [...FUSED_ACTIVATION])),
  ELU: builtin(111),
  EQUAL: builtin(71, table(53), 2),
  EXP: builtin(47, table(33)),
  FLOOR: builtin(8),
  FLOOR_MOD: builtin(95, table(72)),
  FULLY_CONNECTED: builtin(
    9,
    table(8, ['fused_activation_function', 0, 'ActivationFunctionType'], ['keep_num_dims', 2, 'bool']),
    5,
  ),
  GATHER: builtin(36, table(23, ['axis', 0, 'int']), 3),
  GATHER_ND: builtin(107, table(83), 2),
  GELU: builtin(150, table(116, ['approximate', 0, 'bool'])),
  GREATER: builtin(61, table(44), 2),
  GREATER_EQUAL: builtin(62, table(45), 2),
  HARD_SWISH: builtin(117, table(91)),
  LEAKY_RELU: builtin(98, table(75, ['alpha', 0, 'float']), 2),
  LESS: builtin(58, table(41), 2),
  LESS_EQUAL: builtin(63, table(46), 2),
  LOG: builtin(73),
  LOGICAL_AND: builtin(86, table(62)),
  LOGICAL_NOT: builtin(87, table(63)),
  LOGICAL_OR: builtin(84, table(60)),
  LOGISTIC: builtin(14, undefined, 2),
  MAXIMUM: builtin(55, table(39), 3),
  MAX_POOL_2D: builtin(17, POOL_2D, 2),
  MEAN: builtin(40, REDUCER, 2),
  MINIMUM: builtin(57, table(39), 3),
  MUL: builtin(18, table(21, [...FUSED_ACTIVATION]), 2),
  NEG: builtin(59, table(42)),
  NOT_EQUAL: builtin(72, table(54), 2),
  PAD: builtin(34, table(22), 2),
  PADV2: builtin(60, table(43), 2),
  POW: builtin(78, table(56)),
  PRELU: builtin(54),
  QUANTIZE: builtin(114, table(89), 2),
  REDUCE_MAX: builtin(82, REDUCER, 2),
  REDUCE_MIN: builtin(89, REDUCER, 2),
  REDUCE_PROD: builtin(81, REDUCER),
  RELU: builtin(19, undefined, 2),
  RELU6: builtin(21, undefined, 2),
  RELU_0_TO_1: builtin(152),
  RELU_N1_TO_1: builtin(20),
  RESHAPE: builtin(22, table(17)),
  RESIZE_BILINEAR: builtin(23, table(15, ['align_corners', 2, 'bool'], ['half_pixel_centers', 3, 'bool']), 3),
  RESIZE_NEAREST_NEIGHBOR: builtin(97, table(74, ['align_corners', 0, 'bool'], ['half_pixel_centers', 1, 'bool']), 3),
  REVERSE_V2: builtin(105, table(81)),
  ROUND: builtin(116),
  RSQRT: builtin(76),
  SCATTER_ND: builtin(122, table(97)),
  SELECT_V2: builtin(123, table(98)),
  SIGN: builtin(158, table(123)),
  SIN: builtin(66),
  SLICE: builtin(65, table(48), 2),
  SOFTMAX: builtin(25, table(9, ['beta', 0, 'float']), 2),
  SPLIT: builtin(49, table(35, ['num_splits', 0, 'int']), 2),
  SPLIT_V: builtin(102, table(79, ['num_splits', 0, 'int']), 2),
  SQRT: builtin(75),
  SQUARED_DIFFERENCE: builtin(99, table(76)),
  STRIDED_SLICE: builtin(
    45,
    table(
      32,
      ['begin_mask', 0, 'int'],
      ['end_mask', 1, 'int'],
      ['ellipsis_mask', 2, 'int'],
      ['new_axis_mask', 3, 'int'],
      ['shrink_axis_mask', 4, 'int'],
    ),
    2,
  ),
  SUB: builtin(41, table(28, [...FUSED_ACTIVATION]), 2),
  SUM: builtin(74, REDUCER, 2),
  TANH: builtin(28, undefined, 2),
  TILE: builtin(69, table(51)),
  TRANSPOSE: builtin(39, table(26), 2),
  TRANSPOSE_CONV: builtin(
    67,
    table(
      49,
      ['padding', 0, 'Padding'],
      ['stride_w', 1, 'int'],
      ['stride_h', 2, 'int'],
      ['fused_activation_function', 3, 'ActivationFunctionType'],
    ),
    4,
  ),
} as const satisfies Record<string, Builtin>;

export type BuiltinName = keyof typeof BUILTINS;

/** A builtin by name, with its optional parts. */
export function builtinOf(name: BuiltinName): Builtin {
  return BUILTINS[name];
}

/** The number that an option is written as. */
export function optionNumber(field: OptionField, value: number | boolean | string): number {
  if (typeof value !== 'string') return Number(value);
  const number = ENUMS[field.type]?.[value];
  if (number === undefined) throw new RangeError(`${value} is no ${field.type}`);
  return number;
}
