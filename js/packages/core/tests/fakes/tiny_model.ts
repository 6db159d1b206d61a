/** Writes tiny .tflite files of builtin and custom nodes, by default of float32[4]. Slots are those of TFLite's schema.fbs. */

import { Builder, type Offset } from 'flatbuffers';

const BUILTIN_CODES = { ADD: 0, MUL: 18, CUSTOM: 32, SIN: 66 } as const;
const TYPES = [
  ...['float32', 'float16', 'int32', 'uint8', 'int64', 'string', 'bool', 'int16', 'complex64', 'int8', 'float64'],
  ...['complex128', 'uint64', 'resource', 'variant', 'uint32', 'uint16', 'int4'],
];
const SCHEMA_VERSION = 3;
const FILE_IDENTIFIER = 'TFL3';

/** A node: a builtin op, or a custom one by name. */
export interface TinyNode {
  readonly op: keyof typeof BUILTIN_CODES;
  readonly customName?: string;
  readonly inputs: readonly number[];
  readonly outputs: readonly number[];
  /** Of a custom op. */
  readonly options?: readonly number[];
}

/** What a tensor is, where it is no float32[4]. */
export interface TinyTensor {
  readonly dtype?: string;
  readonly shape?: readonly number[];
  /** With -1 where a dimension is open. */
  readonly signature?: readonly number[];
  readonly quantization?: { readonly scale: number; readonly zeroPoint: number };
}

/** A model of tensors named t0, t1, ...; `constants` lists those that have content. */
export interface TinyModel {
  readonly tensorCount: number;
  readonly tensors?: Readonly<Record<number, TinyTensor>>;
  readonly constants?: Readonly<Record<number, readonly number[]>>;
  readonly nodes: readonly TinyNode[];
  readonly inputs: readonly number[];
  readonly outputs: readonly number[];
}

/** f(x) = sin(x) + x + sin(2x). */
export const SIN_MODEL: TinyModel = {
  tensorCount: 7,
  constants: { 6: [2, 2, 2, 2] },
  nodes: [
    { op: 'SIN', inputs: [0], outputs: [1] },
    { op: 'ADD', inputs: [1, 0], outputs: [2] },
    { op: 'MUL', inputs: [0, 6], outputs: [3] },
    { op: 'SIN', inputs: [3], outputs: [4] },
    { op: 'ADD', inputs: [2, 4], outputs: [5] },
  ],
  inputs: [0],
  outputs: [5],
};

/** A model of one custom op, whose input and output are alike. */
export function customOpModel(customName: string, tensor: TinyTensor = {}): TinyModel {
  return {
    tensorCount: 2,
    tensors: { 0: tensor, 1: tensor },
    nodes: [{ op: 'CUSTOM', customName, inputs: [0], outputs: [1] }],
    inputs: [0],
    outputs: [1],
  };
}

/** Writes the file. */
export function writeModel({
  tensorCount,
  tensors: kinds = {},
  constants = {},
  nodes,
  inputs,
  outputs,
}: TinyModel): Uint8Array {
  const builder = new Builder(1024);
  // Buffer 0 is the empty one by TFLite's convention; each constant has the next one.
  const constantTensors = Object.keys(constants).map(Number);
  const buffers = [table(builder, 1, () => undefined)];
  for (const tensor of constantTensors) buffers.push(writeBuffer(builder, constants[tensor] ?? []));
  const tensors = Array.from({ length: tensorCount }, (_, tensor) =>
    writeTensor(builder, `t${tensor}`, constantTensors.indexOf(tensor) + 1, kinds[tensor] ?? {}),
  );
  const codes = nodes.map((node) => writeOperatorCode(builder, node));
  const operators = nodes.map((node, index) => writeOperator(builder, node, index));
  const vectors = [
    offsets(builder, tensors),
    ints(builder, inputs),
    ints(builder, outputs),
    offsets(builder, operators),
  ];
  const subgraph = table(builder, 5, () => {
    vectors.forEach((vector, slot) => {
      builder.addFieldOffset(slot, vector, 0);
    });
  });
  const [codeVector, subgraphVector, bufferVector] = [codes, [subgraph], buffers].map((list) => offsets(builder, list));
  const model = table(builder, 5, () => {
    builder.addFieldInt32(0, SCHEMA_VERSION, 0);
    builder.addFieldOffset(1, codeVector as Offset, 0);
    builder.addFieldOffset(2, subgraphVector as Offset, 0);
    builder.addFieldOffset(4, bufferVector as Offset, 0);
  });
  builder.finish(model, FILE_IDENTIFIER);
  return builder.asUint8Array();
}

function writeBuffer(builder: Builder, values: readonly number[]): Offset {
  const data = bytes(builder, [...new Uint8Array(Float32Array.from(values).buffer)]);
  return table(builder, 1, () => builder.addFieldOffset(0, data, 0));
}

function writeTensor(builder: Builder, name: string, buffer: number, tensor: TinyTensor): Offset {
  const { dtype = 'float32', shape = [4], signature, quantization } = tensor;
  const [shapeVector, nameText] = [ints(builder, shape), builder.createString(name)];
  const signatureVector = signature === undefined ? 0 : ints(builder, signature);
  const parameters = quantization === undefined ? 0 : writeQuantization(builder, quantization);
  return table(builder, 8, () => {
    builder.addFieldOffset(0, shapeVector, 0);
    builder.addFieldInt8(1, TYPES.indexOf(dtype), 0);
    builder.addFieldInt32(2, buffer, 0);
    builder.addFieldOffset(3, nameText, 0);
    builder.addFieldOffset(4, parameters, 0);
    builder.addFieldOffset(7, signatureVector, 0);
  });
}

function writeQuantization(builder: Builder, { scale, zeroPoint }: { scale: number; zeroPoint: number }): Offset {
  builder.startVector(4, 1, 4);
  builder.addFloat32(scale);
  const scales = builder.endVector();
  builder.startVector(8, 1, 8);
  builder.addInt64(BigInt(zeroPoint));
  const zeroPoints = builder.endVector();
  return table(builder, 4, () => {
    builder.addFieldOffset(2, scales, 0);
    builder.addFieldOffset(3, zeroPoints, 0);
  });
}

function writeOperatorCode(builder: Builder, { op, customName }: TinyNode): Offset {
  const name = customName === undefined ? 0 : builder.createString(customName);
  return table(builder, 4, () => {
    builder.addFieldInt8(0, BUILTIN_CODES[op], 0);
    builder.addFieldOffset(1, name, 0);
    builder.addFieldInt32(2, 1, 1);
    builder.addFieldInt32(3, BUILTIN_CODES[op], 0);
  });
}

function writeOperator(builder: Builder, { inputs, outputs, options = [] }: TinyNode, code: number): Offset {
  const [inputVector, outputVector] = [ints(builder, inputs), ints(builder, outputs)];
  const optionBytes = options.length === 0 ? 0 : bytes(builder, options);
  return table(builder, 6, () => {
    builder.addFieldInt32(0, code, 0);
    builder.addFieldOffset(1, inputVector, 0);
    builder.addFieldOffset(2, outputVector, 0);
    builder.addFieldOffset(5, optionBytes, 0);
  });
}

function table(builder: Builder, slots: number, addFields: () => void): Offset {
  builder.startObject(slots);
  addFields();
  return builder.endObject();
}

function bytes(builder: Builder, values: readonly number[]): Offset {
  builder.startVector(1, values.length, 16); // the schema requires 16-byte alignment of buffers
  for (const byte of values.toReversed()) builder.addInt8(byte);
  return builder.endVector();
}

function ints(builder: Builder, values: readonly number[]): Offset {
  builder.startVector(4, values.length, 4);
  for (const value of values.toReversed()) builder.addInt32(value);
  return builder.endVector();
}

function offsets(builder: Builder, values: readonly Offset[]): Offset {
  builder.startVector(4, values.length, 4);
  for (const value of values.toReversed()) builder.addOffset(value);
  return builder.endVector();
}
