/**
 * Writes protocol buffers: as much of the format as results of tasks need. The smallest library, pbf 5.1, has 1,626 bytes
 * with gzip, and these lines 394.
 */

const VARINT = 0;
const BYTES = 2;
const FLOAT = 5;

/** A message; fields are written in the order of the calls. */
export class Message {
  readonly #chunks: Uint8Array[] = [];

  /** An int32, uint32 or enum. */
  int(field: number, value: number): this {
    return this.#tag(field, VARINT).#add(varint(value));
  }

  float(field: number, value: number): this {
    return this.#tag(field, FLOAT).#add(new Uint8Array(Float32Array.of(value).buffer));
  }

  /** Text; an empty one is left out, as one that is not set. */
  string(field: number, value: string): this {
    return value === '' ? this : this.bytes(field, new TextEncoder().encode(value));
  }

  bytes(field: number, value: Uint8Array): this {
    return this.#tag(field, BYTES).#add(varint(value.length)).#add(value);
  }

  message(field: number, value: Message): this {
    return this.bytes(field, value.toBytes());
  }

  toBytes(): Uint8Array<ArrayBuffer> {
    const full = new Uint8Array(this.#chunks.reduce((length, chunk) => length + chunk.length, 0));
    let at = 0;
    for (const chunk of this.#chunks) {
      full.set(chunk, at);
      at += chunk.length;
    }
    return full;
  }

  #tag(field: number, type: number): this {
    return this.#add(varint((field << 3) | type));
  }

  #add(chunk: Uint8Array): this {
    this.#chunks.push(chunk);
    return this;
  }
}

/** Seven bits a byte, the lowest first; negative numbers have 64 bits. */
function varint(value: number): Uint8Array {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  for (; rest > 0x7fn; rest >>= 7n) bytes.push(Number(rest & 0x7fn) | 0x80);
  bytes.push(Number(rest));
  return Uint8Array.from(bytes);
}
