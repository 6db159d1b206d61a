/** Writes .tflite files with metadata: flatbuffers by the tables of their schema, and the appended zip archive. */

import { zipSync } from 'fflate';
import { Builder, type Offset } from 'flatbuffers';
import { Model, ModelMetadata } from '../../src/generated/metadata_schema.js';
import type { Table } from '../../src/metadata/flatbuffer.js';

type Type = Table[string][1];

/** What a table has, in the terms of the schema; a union's `kind` names its table. */
export interface Content {
  readonly [field: string]: Value;
}
type Value = string | number | boolean | Uint8Array | Content | readonly (string | number | Content)[];

/** A model of tensors only, and what its file says of it. */
export interface DescribedModel {
  readonly inputs?: readonly (readonly number[])[];
  readonly outputs?: readonly (readonly number[])[];
  /** Of the table ModelMetadata, or the flatbuffer itself. */
  readonly metadata?: Content | Uint8Array;
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  /** 0 stores files, 9 deflates them. */
  readonly level?: 0 | 9;
}

/** Writes the file. */
export function describedModel({ inputs = [], outputs = [], metadata, files, level = 0 }: DescribedModel): Uint8Array {
  const tensors = [...inputs, ...outputs].map((shape, index) => ({ name: `t${index}`, shape }));
  const subgraph = {
    tensors,
    inputs: inputs.map((_, index) => index),
    outputs: outputs.map((_, index) => inputs.length + index),
  };
  const bytes = metadata instanceof Uint8Array ? metadata : metadata && flatbufferOf(ModelMetadata, metadata, 'M001');
  const entries = bytes && { metadata: [{ name: 'TFLITE_METADATA', buffer: 1 }] };
  const buffers = [{}, ...(bytes ? [{ data: bytes }] : [])];
  const model = flatbufferOf(Model, { subgraphs: [subgraph], buffers, ...entries }, 'TFL3');
  return files === undefined ? model : joined(model, zipOf(files, level));
}

/** A zip archive. */
export function zipOf(files: Readonly<Record<string, string | Uint8Array>>, level: 0 | 9 = 0): Uint8Array {
  const bytes = (content: string | Uint8Array) => {
    return typeof content === 'string' ? new TextEncoder().encode(content) : content;
  };
  const entries = Object.entries(files).map(([name, content]) => [name, bytes(content)] as const);
  return zipSync(Object.fromEntries(entries), { level });
}

/** Arrays one after the other. */
export function joined(...arrays: readonly Uint8Array[]): Uint8Array {
  const full = new Uint8Array(arrays.reduce((length, array) => length + array.length, 0));
  let at = 0;
  for (const array of arrays) {
    full.set(array, at);
    at += array.length;
  }
  return full;
}

/** A flatbuffer of one table and all below it. */
export function flatbufferOf(table: Table, content: Content, identifier?: string): Uint8Array {
  const builder = new Builder(1024);
  builder.finish(writeTable(builder, table, content), identifier);
  return builder.asUint8Array().slice();
}

function writeTable(builder: Builder, table: Table, content: Content): Offset {
  const fields = Object.entries(table).flatMap(([name, [slot, type]]) => {
    const value = content[name];
    return value === undefined ? [] : [prepared(builder, slot, type, value)];
  });
  builder.startObject(Math.max(0, ...Object.values(table).map(([slot]) => slot + 2)));
  for (const add of fields) add();
  return builder.endObject();
}

/** Writes what a field refers to; the result adds the field. */
function prepared(builder: Builder, slot: number, type: Type, value: Value): () => void {
  if (typeof type === 'string' && type !== 'string') return () => addScalar(builder, slot, type, Number(value));
  if (typeof type === 'object' && 'values' in type) {
    return () => builder.addFieldInt8(slot, type.values.indexOf(String(value)), -1);
  }
  if (typeof type === 'object' && 'tables' in type) {
    const { kind, ...content } = value as Content;
    const offset = writeTable(builder, type.tables[String(kind)] as Table, content);
    return () => {
      builder.addFieldInt8(slot, Object.keys(type.tables).indexOf(String(kind)) + 1, 0);
      builder.addFieldOffset(slot + 1, offset, 0);
    };
  }
  const offset = writeReferred(builder, type, value);
  return () => builder.addFieldOffset(slot, offset, 0);
}

function writeReferred(builder: Builder, type: Exclude<Type, { tables: unknown }>, value: Value): Offset {
  if (type === 'string') return builder.createString(String(value));
  if (typeof type === 'string' || 'values' in type || 'rows' in type)
    throw new TypeError(`${String(type)} is no offset`);
  if ('table' in type) return writeTable(builder, type.table, value as Content);
  const { vector } = type;
  if (vector === 'ubyte') return builder.createByteVector(value as Uint8Array);
  const elements = value as readonly (string | number | Content)[];
  if (typeof vector === 'string' && vector !== 'string') {
    builder.startVector(4, elements.length, 4);
    for (const element of elements.toReversed()) {
      vector === 'float' ? builder.addFloat32(Number(element)) : builder.addInt32(Number(element));
    }
    return builder.endVector();
  }
  const offsets = elements.map((element) => {
    return vector === 'string'
      ? builder.createString(String(element))
      : writeTable(builder, vector.table, element as Content);
  });
  builder.startVector(4, offsets.length, 4);
  for (const offset of offsets.toReversed()) builder.addOffset(offset);
  return builder.endVector();
}

function addScalar(builder: Builder, slot: number, type: string, value: number): void {
  if (type === 'float') builder.addFieldFloat32(slot, value, 0);
  else if (type === 'ulong') builder.addFieldInt64(slot, BigInt(value), 0n);
  else if (type === 'bool' || type === 'ubyte') builder.addFieldInt8(slot, value, 0);
  else builder.addFieldInt32(slot, value, 0);
}
