/**
 * Reads protocol buffers: as much of the format as SentencePiece's models and MediaPipe's faces need. The smallest library,
 * pbf 5.1, has 1,294 bytes with gzip and these lines 298, and lets a field go beyond the end of its message.
 */

/** A field: numbers of variable length as numbers, all others as their bytes. */
export type Field = readonly [number: number, value: number | Uint8Array];

const FIXED_BYTES: Readonly<Record<number, number>> = { 1: 8, 5: 4 };

/**
 * Lists the fields of a message, in its order.
 *
 * @param damaged - Creates the error for fields that do not end where the message does.
 */
export function readFields(message: Uint8Array, damaged: () => Error): Field[] {
  const fields: Field[] = [];
  let at = 0;
  const varint = () => {
    let [value, factor] = [0, 1];
    for (;;) {
      const byte = message[at++];
      if (byte === undefined) throw damaged();
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) return value;
      factor *= 0x80;
    }
  };
  while (at < message.length) {
    const tag = varint();
    const [number, type] = [Math.floor(tag / 8), tag % 8];
    if (type === 0) {
      fields.push([number, varint()]);
      continue;
    }
    const sizeBytes = type === 2 ? varint() : FIXED_BYTES[type];
    if (sizeBytes === undefined || !(at + sizeBytes <= message.length)) throw damaged(); // also of NaN
    fields.push([number, message.subarray(at, at + sizeBytes)]);
    at += sizeBytes;
  }
  return fields;
}
