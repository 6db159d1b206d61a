/**
 * Writes a {@link Model} as a .tflite file. Large constants follow the flatbuffer, where the schema lets a buffer
 * point, which saves a copy.
 */

import { Builder } from 'flatbuffers';
import type { BuiltinName, Model, ModelNode, ModelTensor, Quantization, SignatureTensor } from './model.js';
import type { Builtin, OptionField } from './schema_tables.js';
import {
  BUILTINS,
  BufferSlot,
  DimensionMetadataSlot,
  ENUMS,
  ModelSlot,
  OperatorCodeSlot,
  OperatorSlot,
  QuantizationParametersSlot,
  SignatureDefSlot,
  SparsityParametersSlot,
  SubGraphSlot,
  TENSOR_TYPES,
  TensorMapSlot,
  TensorSlot,
} from './tflite_schema.js';

const FILE_IDENTIFIER = 'TFL3';
const SCHEMA_VERSION = 3;
const SIGNATURE_KEY = 'serving_default';
/** Alignment of constants that TensorFlow Lite requires. */
const ALIGNMENT_BYTES = 16;
/** Constants below this size are inside the flatbuffer, where every reader finds them. */
const SMALLEST_APPENDED_BYTES = 4096;
/** OperatorCodeSlot.deprecated_builtin_code has this value for every code above a byte. */
const PLACEHOLDER_FOR_GREATER_OP_CODES = 127;
/** Any offset but 0 and 1, which mean that a buffer is not appended. */
const SOME_OFFSET = ALIGNMENT_BYTES;

/** A file in pieces, to concatenate. */
export interface ModelFile {
  readonly parts: readonly Uint8Array[];
  readonly sizeBytes: number;
}

/** Content of the file: the flatbuffer, then the large constants. */
export function writeModel(model: Model): ModelFile {
  const contents = [...new Set(model.tensors.flatMap(({ data }) => (data === undefined ? [] : [data])))];
  const appended = contents.filter((data) => data.byteLength >= SMALLEST_APPENDED_BYTES);
  // Offsets have a fixed size, so the flatbuffer's length does not depend on their values.
  const sizeBytes = new FlatbufferWriter(model, contents, () => SOME_OFFSET).bytes().byteLength;
  const fileOffsets = new Map<Uint8Array, number>();
  const parts: Uint8Array[] = [];
  let end = sizeBytes;
  for (const data of appended) {
    const start = aligned(end);
    if (start > end) parts.push(new Uint8Array(start - end));
    parts.push(data);
    fileOffsets.set(data, start);
    end = start + data.byteLength;
  }
  const flatbuffer = new FlatbufferWriter(model, contents, (data) => fileOffsets.get(data) ?? SOME_OFFSET).bytes();
  return { parts: [flatbuffer, ...parts], sizeBytes: end };
}

/** Joins the pieces. */
export function joinFile(file: ModelFile): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(file.sizeBytes);
  copyFile(file, bytes);
  return bytes;
}

/** Copies the file into `target`, which is large enough. */
export function copyFile(file: ModelFile, target: Uint8Array): void {
  let offset = 0;
  for (const part of file.parts) {
    target.set(part, offset);
    offset += part.byteLength;
  }
}

function aligned(offset: number): number {
  return Math.ceil(offset / ALIGNMENT_BYTES) * ALIGNMENT_BYTES;
}

class FlatbufferWriter {
  readonly #builder = new Builder(1 << 16);
  readonly #model: Model;
  readonly #contents: readonly Uint8Array[];
  readonly #bufferOf: ReadonlyMap<Uint8Array, number>;
  readonly #fileOffsetOf: (data: Uint8Array) => number;
  readonly #ops: readonly BuiltinName[];

  constructor(model: Model, contents: readonly Uint8Array[], fileOffsetOf: (data: Uint8Array) => number) {
    this.#model = model;
    this.#contents = contents;
    this.#bufferOf = new Map(contents.map((data, index) => [data, 1 + index]));
    this.#fileOffsetOf = fileOffsetOf;
    this.#ops = [...new Set(model.nodes.map(({ op }) => op))];
  }

  bytes(): Uint8Array {
    const builder = this.#builder;
    // Buffer 0 is the empty one by TensorFlow Lite's convention.
    const buffers = this.#offsets([this.#emptyBuffer(), ...this.#contents.map((data) => this.#buffer(data))]);
    const codes = this.#offsets(this.#ops.map((op) => this.#operatorCode(op)));
    const subgraphs = this.#offsets([this.#subgraph()]);
    const signatures = this.#offsets([this.#signature()]);
    const description = builder.createString('WebNN graph');
    builder.startObject(ModelSlot.COUNT);
    builder.addFieldInt32(ModelSlot.version, SCHEMA_VERSION, 0);
    builder.addFieldOffset(ModelSlot.operator_codes, codes, 0);
    builder.addFieldOffset(ModelSlot.subgraphs, subgraphs, 0);
    builder.addFieldOffset(ModelSlot.description, description, 0);
    builder.addFieldOffset(ModelSlot.buffers, buffers, 0);
    builder.addFieldOffset(ModelSlot.signature_defs, signatures, 0);
    builder.finish(builder.endObject(), FILE_IDENTIFIER);
    return builder.asUint8Array();
  }

  #emptyBuffer(): number {
    this.#builder.startObject(BufferSlot.COUNT);
    return this.#builder.endObject();
  }

  #buffer(data: Uint8Array): number {
    const builder = this.#builder;
    const isAppended = data.byteLength >= SMALLEST_APPENDED_BYTES;
    const content = isAppended ? 0 : this.#alignedBytes(data);
    builder.startObject(BufferSlot.COUNT);
    builder.addFieldOffset(BufferSlot.data, content, 0);
    if (isAppended) {
      builder.addFieldInt64(BufferSlot.offset, BigInt(this.#fileOffsetOf(data)), 0n);
      builder.addFieldInt64(BufferSlot.size, BigInt(data.byteLength), 0n);
    }
    return builder.endObject();
  }

  #alignedBytes(data: Uint8Array): number {
    const builder = this.#builder;
    builder.startVector(1, data.byteLength, ALIGNMENT_BYTES);
    for (let index = data.byteLength - 1; index >= 0; index--) builder.addInt8(data[index] ?? 0);
    return builder.endVector();
  }

  #operatorCode(op: BuiltinName): number {
    const { code, version } = builtinOf(op);
    const builder = this.#builder;
    builder.startObject(OperatorCodeSlot.COUNT);
    builder.addFieldInt8(OperatorCodeSlot.deprecated_builtin_code, Math.min(code, PLACEHOLDER_FOR_GREATER_OP_CODES), 0);
    builder.addFieldInt32(OperatorCodeSlot.version, version, 1);
    builder.addFieldInt32(OperatorCodeSlot.builtin_code, code, 0);
    return builder.endObject();
  }

  #subgraph(): number {
    const builder = this.#builder;
    const { tensors, nodes, inputs, outputs } = this.#model;
    const tensorList = this.#offsets(tensors.map((tensor) => this.#tensor(tensor)));
    const nodeList = this.#offsets(nodes.map((node) => this.#node(node)));
    const inputList = this.#ints(inputs.map(({ tensor }) => tensor));
    const outputList = this.#ints(outputs.map(({ tensor }) => tensor));
    const name = builder.createString('main');
    builder.startObject(SubGraphSlot.COUNT);
    builder.addFieldOffset(SubGraphSlot.tensors, tensorList, 0);
    builder.addFieldOffset(SubGraphSlot.inputs, inputList, 0);
    builder.addFieldOffset(SubGraphSlot.outputs, outputList, 0);
    builder.addFieldOffset(SubGraphSlot.operators, nodeList, 0);
    builder.addFieldOffset(SubGraphSlot.name, name, 0);
    return builder.endObject();
  }

  #tensor({ name, type, shape, data, quantization, isSparse }: ModelTensor): number {
    const builder = this.#builder;
    const shapeList = this.#ints(shape);
    const nameText = builder.createString(name);
    const parameters = quantization === undefined ? 0 : this.#quantization(quantization);
    const sparsity = isSparse ? this.#sparsity(shape) : 0;
    builder.startObject(TensorSlot.COUNT);
    builder.addFieldOffset(TensorSlot.shape, shapeList, 0);
    builder.addFieldInt8(TensorSlot.type, TENSOR_TYPES[type], 0);
    builder.addFieldInt32(TensorSlot.buffer, data === undefined ? 0 : (this.#bufferOf.get(data) ?? 0), 0);
    builder.addFieldOffset(TensorSlot.name, nameText, 0);
    builder.addFieldOffset(TensorSlot.quantization, parameters, 0);
    builder.addFieldOffset(TensorSlot.sparsity, sparsity, 0);
    builder.addFieldInt8(TensorSlot.has_rank, 1, 0); // the shape [] is a scalar's
    return builder.endObject();
  }

  /** All dimensions are dense. */
  #sparsity(shape: readonly number[]): number {
    const builder = this.#builder;
    const order = this.#ints([...shape.keys()]);
    const dimensions = shape.map((size) => {
      builder.startObject(DimensionMetadataSlot.COUNT);
      builder.addFieldInt32(DimensionMetadataSlot.dense_size, size, 0);
      return builder.endObject();
    });
    const dimensionList = this.#offsets(dimensions);
    builder.startObject(SparsityParametersSlot.COUNT);
    builder.addFieldOffset(SparsityParametersSlot.traversal_order, order, 0);
    builder.addFieldOffset(SparsityParametersSlot.dim_metadata, dimensionList, 0);
    return builder.endObject();
  }

  #quantization({ scales, zeroPoints, axis }: Quantization): number {
    const builder = this.#builder;
    builder.startVector(4, scales.length, 4);
    for (const scale of [...scales].reverse()) builder.addFloat32(scale);
    const scaleList = builder.endVector();
    builder.startVector(8, zeroPoints.length, 8);
    for (const zeroPoint of [...zeroPoints].reverse()) builder.addInt64(BigInt(zeroPoint));
    const zeroPointList = builder.endVector();
    builder.startObject(QuantizationParametersSlot.COUNT);
    builder.addFieldOffset(QuantizationParametersSlot.scale, scaleList, 0);
    builder.addFieldOffset(QuantizationParametersSlot.zero_point, zeroPointList, 0);
    builder.addFieldInt32(QuantizationParametersSlot.quantized_dimension, axis, 0);
    return builder.endObject();
  }

  #node({ op, inputs, outputs, options }: ModelNode): number {
    const builder = this.#builder;
    const inputList = this.#ints(inputs);
    const outputList = this.#ints(outputs);
    const table = builtinOf(op).options;
    const optionsTable = table === undefined ? 0 : this.#options(op, options);
    builder.startObject(OperatorSlot.COUNT);
    builder.addFieldInt32(OperatorSlot.opcode_index, this.#ops.indexOf(op), 0);
    builder.addFieldOffset(OperatorSlot.inputs, inputList, 0);
    builder.addFieldOffset(OperatorSlot.outputs, outputList, 0);
    if (table !== undefined) {
      builder.addFieldInt8(OperatorSlot.builtin_options_type, table.union, 0);
      builder.addFieldOffset(OperatorSlot.builtin_options, optionsTable, 0);
    }
    return builder.endObject();
  }

  /** Writes every option of the node, even the schema's default. */
  #options(op: BuiltinName, options: ModelNode['options']): number {
    const builder = this.#builder;
    const fields = builtinOf(op).options?.fields ?? [];
    builder.startObject(1 + Math.max(-1, ...fields.map(({ slot }) => slot)));
    builder.forceDefaults(true);
    for (const field of fields) {
      const value = options[field.name];
      if (value === undefined) continue;
      const number = optionNumber(field, value);
      if (field.type === 'int') builder.addFieldInt32(field.slot, number, 0);
      else if (field.type === 'float') builder.addFieldFloat32(field.slot, number, 0);
      else builder.addFieldInt8(field.slot, number, 0);
    }
    builder.forceDefaults(false);
    return builder.endObject();
  }

  #signature(): number {
    const builder = this.#builder;
    const inputs = this.#offsets(this.#model.inputs.map((tensor) => this.#tensorMap(tensor)));
    const outputs = this.#offsets(this.#model.outputs.map((tensor) => this.#tensorMap(tensor)));
    const key = builder.createString(SIGNATURE_KEY);
    builder.startObject(SignatureDefSlot.COUNT);
    builder.addFieldOffset(SignatureDefSlot.inputs, inputs, 0);
    builder.addFieldOffset(SignatureDefSlot.outputs, outputs, 0);
    builder.addFieldOffset(SignatureDefSlot.signature_key, key, 0);
    return builder.endObject();
  }

  #tensorMap({ name, tensor }: SignatureTensor): number {
    const text = this.#builder.createString(name);
    this.#builder.startObject(TensorMapSlot.COUNT);
    this.#builder.addFieldOffset(TensorMapSlot.name, text, 0);
    this.#builder.addFieldInt32(TensorMapSlot.tensor_index, tensor, 0);
    return this.#builder.endObject();
  }

  #offsets(offsets: readonly number[]): number {
    this.#builder.startVector(4, offsets.length, 4);
    for (const offset of [...offsets].reverse()) this.#builder.addOffset(offset);
    return this.#builder.endVector();
  }

  #ints(values: readonly number[]): number {
    this.#builder.startVector(4, values.length, 4);
    for (const value of [...values].reverse()) this.#builder.addInt32(value);
    return this.#builder.endVector();
  }
}

/** A builtin by name, with defaults for absent parts. */
function builtinOf(name: BuiltinName): Builtin {
  return BUILTINS[name];
}

/** The number that represents an option. */
function optionNumber(field: OptionField, value: number | boolean | string): number {
  if (typeof value !== 'string') return Number(value);
  const number = ENUMS[field.type]?.[value];
  if (number === undefined) throw new RangeError(`${value} is no ${field.type}`);
  return number;
}
