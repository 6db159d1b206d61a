/** Writes tiny .tflite files: float32[4] tensors and elementwise nodes. Slots are those of TFLite's schema.fbs. */

import { Builder, type Offset } from 'flatbuffers';

const BUILTIN_CODES = { ADD: 0, MUL: 18, CUSTOM: 32, SIN: 66 } as const;
const SCHEMA_VERSION = 3;
const FILE_IDENTIFIER = 'TFL3';

/** A node: a builtin op, or a custom one by name. */
export interface TinyNode {
  readonly op: keyof typeof BUILTIN_CODES;
  readonly customName?: string;
  readonly inputs: readonly number[];
  readonly outputs: readonly number[];
}

/** A model of float32[4] tensors named t0, t1, ...; `constants` gives those that have content. */
export interface TinyModel {
  readonly tensorCount: number;
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

/** A model of one custom op. */
export function customOpModel(customName: string): TinyModel {
  return {
    tensorCount: 2,
    nodes: [{ op: 'CUSTOM', customName, inputs: [0], outputs: [1] }],
    inputs: [0],
    outputs: [1],
  };
}

/** Writes the file. */
export function writeModel({ tensorCount, constants = {}, nodes, inputs, outputs }: TinyModel): Uint8Array {
  const builder = new Builder(1024);
  // Buffer 0 is the empty one by TFLite's convention; each constant has the next one.
  const constantTensors = Object.keys(constants).map(Number);
  const buffers = [table(builder, 1, () => undefined)];
  for (const tensor of constantTensors) buffers.push(writeBuffer(builder, constants[tensor] ?? []));
  const tensors = Array.from({ length: tensorCount }, (_, tensor) =>
    writeTensor(builder, `t${tensor}`, constantTensors.indexOf(tensor) + 1),
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
  const bytes = new Uint8Array(Float32Array.from(values).buffer);
  builder.startVector(1, bytes.length, 16); // the schema wants 16-byte alignment
  for (const byte of bytes.toReversed()) builder.addInt8(byte);
  const data = builder.endVector();
  return table(builder, 1, () => builder.addFieldOffset(0, data, 0));
}

function writeTensor(builder: Builder, name: string, buffer: number): Offset {
  const [shape, nameText] = [ints(builder, [4]), builder.createString(name)];
  return table(builder, 4, () => {
    builder.addFieldOffset(0, shape, 0); // slot 1, the type, is float32 by default
    builder.addFieldInt32(2, buffer, 0);
    builder.addFieldOffset(3, nameText, 0);
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

function writeOperator(builder: Builder, { inputs, outputs }: TinyNode, code: number): Offset {
  const [inputVector, outputVector] = [ints(builder, inputs), ints(builder, outputs)];
  return table(builder, 3, () => {
    builder.addFieldInt32(0, code, 0);
    builder.addFieldOffset(1, inputVector, 0);
    builder.addFieldOffset(2, outputVector, 0);
  });
}

function table(builder: Builder, slots: number, addFields: () => void): Offset {
  builder.startObject(slots);
  addFields();
  return builder.endObject();
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
