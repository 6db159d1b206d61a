/** Reads flatbuffers by the tables of their schema. Nothing outside of the bytes is read, whatever they say. */

type Scalar = 'bool' | 'ubyte' | 'int' | 'uint' | 'float' | 'ulong';
type Enum = { readonly values: readonly string[] };
type Union = { readonly tables: Readonly<Record<string, Table>> };
type Type =
  | Scalar
  | 'string'
  | Enum
  | Union
  | { readonly table: Table }
  | { readonly rows: Table }
  | { readonly vector: Scalar | 'string' | { readonly table: Table } };

/**
 * A table of a schema: for each field its slot and its type. A union's slot is that of the type; the table follows. Rows
 * are a vector of tables that are read one by one.
 */
export type Table = { readonly [field: string]: readonly [slot: number, type: Type] };

type ElementOf<T> = T extends 'string' ? string : T extends { table: infer U extends Table } ? Row<U> : number;
type ValueOf<T> = T extends 'bool'
  ? boolean
  : T extends Scalar
    ? number
    : T extends 'string'
      ? string | null
      : T extends { values: readonly (infer Name)[] }
        ? Name | null
        : T extends { tables: infer Tables extends Record<string, Table> }
          ? { [Kind in keyof Tables]: { readonly kind: Kind } & Row<Tables[Kind]> }[keyof Tables] | null
          : T extends { table: infer U extends Table }
            ? Row<U> | null
            : T extends { rows: infer U extends Table }
              ? (index: number) => Row<U> | undefined
              : T extends { vector: 'ubyte' }
                ? Uint8Array
                : T extends { vector: infer Element }
                  ? readonly ElementOf<Element>[]
                  : never;

/** The content of a table. A missing vector is empty, a missing scalar 0, anything else that is missing or unknown is null. */
export type Row<T extends Table> = { readonly [Field in keyof T]: ValueOf<T[Field][1]> };

/** Creates the error for bytes that are no such flatbuffer. */
export type MakeError = (problem: string) => Error;

type View = DataView;
const SCALARS: Readonly<Record<Scalar, readonly [sizeBytes: number, get: (view: View, at: number) => number]>> = {
  bool: [1, (view, at) => view.getUint8(at)],
  ubyte: [1, (view, at) => view.getUint8(at)],
  int: [4, (view, at) => view.getInt32(at, true)],
  uint: [4, (view, at) => view.getUint32(at, true)],
  float: [4, (view, at) => view.getFloat32(at, true)],
  ulong: [8, (view, at) => Number(view.getBigUint64(at, true))],
};
const OFFSET_BYTES = 4;
const IDENTIFIER_END = 8;

/** The file identifier of a flatbuffer. */
export function identifierOf(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes.subarray(OFFSET_BYTES, IDENTIFIER_END));
}

/** Reads the root table and all below it. Vectors of bytes are views. */
export function readFlatbuffer<T extends Table>(bytes: Uint8Array, root: T, makeError: MakeError): Row<T> {
  const reader = new FlatbufferReader(bytes, makeError);
  return reader.table(reader.follow(0), root);
}

class FlatbufferReader {
  readonly #bytes: Uint8Array;
  readonly #view: View;
  readonly #makeError: MakeError;
  /** Elements that may still be read: tables that share content would else multiply without end. */
  #budget: number;
  readonly #limit: number;

  constructor(bytes: Uint8Array, makeError: MakeError) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#makeError = makeError;
    this.#budget = bytes.length;
    this.#limit = bytes.length;
  }

  /** Where an offset leads. */
  follow(at: number): number {
    return at + this.#scalar('uint', at);
  }

  table<T extends Table>(at: number, table: T): Row<T> {
    const slots = at - this.#scalar('int', at);
    const slotCount = (this.#uint16(slots) - 4) / 2;
    const position = (slot: number) => (slot < slotCount ? this.#uint16(slots + 4 + 2 * slot) : 0);
    const values = Object.entries(table).map(([name, [slot, type]]) => {
      const isUnion = typeof type === 'object' && 'tables' in type;
      const field = position(isUnion ? slot + 1 : slot);
      const kind = isUnion && position(slot) !== 0 ? this.#scalar('ubyte', at + position(slot)) : 0;
      return [name, this.#value(field === 0 ? null : at + field, type, kind)];
    });
    return Object.fromEntries(values) as Row<T>;
  }

  #value(at: number | null, type: Type, kind: number): unknown {
    if (typeof type === 'string') return this.#scalarOrString(at, type);
    if ('values' in type) return type.values[at === null ? 0 : this.#scalar('ubyte', at)] ?? null;
    if ('vector' in type) return this.#vector(at === null ? null : this.follow(at), type.vector);
    if ('rows' in type) return this.#rows(at === null ? null : this.follow(at), type.rows);
    if (at === null) return null;
    return 'table' in type ? this.table(this.follow(at), type.table) : this.#union(at, type, kind);
  }

  #scalarOrString(at: number | null, type: Scalar | 'string'): unknown {
    if (type === 'string') return at === null ? null : this.#string(this.follow(at));
    const number = at === null ? 0 : this.#scalar(type, at);
    return type === 'bool' ? number !== 0 : number;
  }

  #union(at: number, { tables }: Union, kind: number): unknown {
    const member = Object.entries(tables)[kind - 1];
    return member === undefined ? null : { kind: member[0], ...this.table(this.follow(at), member[1]) };
  }

  #vector(at: number | null, element: Scalar | 'string' | { readonly table: Table }): unknown {
    if (element === 'ubyte') return at === null ? new Uint8Array() : this.#vectorBytes(at, 1);
    if (at === null) return [];
    const sizeBytes = typeof element === 'string' && element !== 'string' ? SCALARS[element][0] : OFFSET_BYTES;
    const length = this.#vectorBytes(at, sizeBytes).length / sizeBytes;
    this.#spend(length);
    return Array.from({ length }, (_, index) => {
      const position = at + OFFSET_BYTES + index * sizeBytes;
      if (element === 'string') return this.#string(this.follow(position));
      return typeof element === 'string'
        ? this.#scalar(element, position)
        : this.table(this.follow(position), element.table);
    });
  }

  #rows(at: number | null, table: Table) {
    const count = at === null ? 0 : this.#vectorBytes(at, OFFSET_BYTES).length / OFFSET_BYTES;
    this.#spend(count);
    return (index: number) =>
      index >= 0 && index < count
        ? this.table(this.follow((at as number) + OFFSET_BYTES * (index + 1)), table)
        : undefined;
  }

  #string(at: number): string {
    const bytes = this.#vectorBytes(at, 1);
    this.#spend(bytes.length);
    try {
      return new TextDecoder('utf-8', { fatal: true }).decode(bytes.slice()); // shared memory cannot be decoded
    } catch {
      throw this.#makeError(`the text at byte ${at} is not UTF-8`);
    }
  }

  /** The elements of a vector or string, which its length precedes. */
  #vectorBytes(at: number, elementBytes: number): Uint8Array {
    const sizeBytes = this.#scalar('uint', at) * elementBytes;
    const start = at + OFFSET_BYTES;
    this.#check(start, sizeBytes);
    return this.#bytes.subarray(start, start + sizeBytes);
  }

  #scalar(type: Scalar, at: number): number {
    const [sizeBytes, get] = SCALARS[type];
    this.#check(at, sizeBytes);
    return get(this.#view, at);
  }

  #uint16(at: number): number {
    this.#check(at, 2);
    return this.#view.getUint16(at, true);
  }

  #check(at: number, sizeBytes: number): void {
    if (at >= 0 && at + sizeBytes <= this.#bytes.length) return;
    throw this.#makeError(`it refers to bytes ${at} to ${at + sizeBytes} of ${this.#bytes.length}`);
  }

  #spend(elements: number): void {
    this.#budget -= elements;
    if (this.#budget < 0)
      throw this.#makeError(`it names more than ${this.#limit} letters and entries, and has as many bytes`);
  }
}
