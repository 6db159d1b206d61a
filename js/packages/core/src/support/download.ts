/** Bytes of a file: reading a stream of them to its end, and what kind of file begins with them. */

/** The bytes of a buffer, or a Uint8Array as it is; null for anything else. By name: Jest's have another realm. */
export function bytesIn(source: unknown): Uint8Array | null {
  const tag = (source as { readonly [Symbol.toStringTag]?: string } | null | undefined)?.[Symbol.toStringTag];
  const isView = tag === 'Uint8Array';
  if (!isView && tag !== 'ArrayBuffer' && tag !== 'SharedArrayBuffer') return null;
  const bytes = source as Uint8Array;
  if (bytes.byteLength === 0) return new Uint8Array(); // of one that was transferred no view can be created
  return isView ? bytes : new Uint8Array(source as ArrayBuffer);
}

/** Memory for bytes that come one after the other. */
export interface LoadBuffer {
  /** All of it; get it again for each use. */
  readonly bytes: Uint8Array;
  /** May be set to less. */
  byteLength: number;
}

/** Creates a buffer; fails where there is not so much memory. */
export type MakeBuffer<R extends LoadBuffer> = (sizeBytes: number) => R;

/** Puts chunks together, straight into their buffer where the size was known. */
export class ByteCollector<R extends LoadBuffer> {
  #buffer: R | null = null;
  /** What is not in the buffer. */
  #loose: Uint8Array[] = [];
  #storedBytes = 0;
  length = 0;

  /** The chunk is copied. */
  add(chunk: Uint8Array): void {
    this.#loose.push(chunk);
    this.length += chunk.length;
    if (this.#buffer !== null) this.#store(this.#buffer);
    const left = this.#loose.pop();
    if (left !== undefined) this.#loose.push(left.slice());
  }

  /** Bytes that are not in their buffer. */
  get looseBytes(): number {
    return this.length - this.#storedBytes;
  }

  /**
   * Makes space for what has come and will come.
   *
   * @param expectedBytes - What the sender announced; it need not be true.
   * @throws where there is not so much memory.
   */
  expect(expectedBytes: number, makeBuffer: MakeBuffer<R>): void {
    this.#buffer = makeBuffer(expectedBytes);
    this.#store(this.#buffer);
  }

  /** The first bytes, at most `count`. */
  head(count: number): Uint8Array {
    const head = [...(this.#buffer?.bytes.subarray(0, Math.min(count, this.#storedBytes)) ?? [])];
    for (const chunk of this.#loose) {
      if (head.length >= count) break;
      head.push(...chunk.subarray(0, count - head.length));
    }
    return Uint8Array.from(head);
  }

  finish(makeBuffer: MakeBuffer<R>): R {
    const buffer = this.#buffer ?? makeBuffer(this.length);
    this.#store(buffer);
    buffer.byteLength = this.length;
    return buffer;
  }

  #store(buffer: R): void {
    if (this.length > buffer.byteLength) {
      this.#leave(buffer);
      return;
    }
    const { bytes } = buffer;
    // Each chunk is released as soon as it is stored.
    for (let chunk = this.#loose.shift(); chunk !== undefined; chunk = this.#loose.shift()) {
      bytes.set(chunk, this.#storedBytes);
      this.#storedBytes += chunk.length;
    }
  }

  /** More has come than was announced. */
  #leave(buffer: R): void {
    if (this.#storedBytes > 0) this.#loose.unshift(buffer.bytes.slice(0, this.#storedBytes));
    this.#storedBytes = 0;
    this.#buffer = null;
  }
}

/** Of each read from a stream of bytes. */
const CHUNK_BYTES = 1 << 20;

/**
 * The chunks of a stream, each of which is there until the next. A reader that stops early cancels the download.
 *
 * @param brokeOff - Creates the error of a stream that fails.
 * @throws the signal's reason once it is aborted.
 */
export async function* chunksOf(
  stream: ReadableStream<Uint8Array>,
  signal: AbortSignal | null,
  brokeOff: (error: unknown) => Error,
): AsyncGenerator<Uint8Array, void, void> {
  const reader = openReader(stream, brokeOff);
  const cancel = () => {
    reader.cancel(signal?.reason).catch(() => {});
  };
  signal?.addEventListener('abort', cancel);
  try {
    for (;;) {
      const { done, value } = await reader.read().catch((error: unknown) => {
        signal?.throwIfAborted();
        throw brokeOff(error);
      });
      signal?.throwIfAborted();
      if (done) return;
      const bytes = bytesIn(value);
      if (bytes === null) throw brokeOff(new TypeError('a piece of it is no Uint8Array'));
      yield bytes;
    }
  } finally {
    signal?.removeEventListener('abort', cancel);
    cancel();
  }
}

/**
 * Reads a stream of bytes, as downloads are, into one buffer: the stream's own chunks, together as large as the file,
 * would stay until garbage is collected. Fails where another reader has the stream.
 */
function openReader(
  stream: ReadableStream<Uint8Array>,
  brokeOff: (error: unknown) => Error,
): Pick<ReadableStreamDefaultReader<Uint8Array>, 'read' | 'cancel'> {
  try {
    const reader = stream.getReader({ mode: 'byob' });
    let buffer: ArrayBufferLike = new ArrayBuffer(CHUNK_BYTES);
    return {
      async read() {
        const chunk = await reader.read(new Uint8Array(buffer as ArrayBuffer));
        buffer = chunk.value?.buffer ?? buffer;
        return chunk as ReadableStreamReadResult<Uint8Array>;
      },
      cancel: (reason) => reader.cancel(reason),
    };
  } catch {} // no stream of bytes
  try {
    return stream.getReader();
  } catch (error) {
    throw brokeOff(error);
  }
}

/** Bytes that {@link isTFLite} needs. */
export const IDENTIFIER_END = 8;

/** Whether a file begins as TFLite models do: flatbuffers have their identifier behind a 32-bit offset. */
export function isTFLite(head: Uint8Array): boolean {
  return latin1(head.subarray(4, IDENTIFIER_END)) === 'TFL3';
}

const ARCHIVE_STARTS = ['PK\x03\x04', 'PK\x05\x06'];
const MAX_ZEROS = 3;

/**
 * Bytes that {@link isArchive} needs.
 *
 * @internal
 */
export const ARCHIVE_START_BYTES = 7;

/**
 * Whether a file begins as zip archives do: with the first file in it or, without files, with its end. MediaPipe puts
 * up to three zeros before, so that the files in a bundle are aligned.
 */
export function isArchive(head: Uint8Array): boolean {
  const start = head.findIndex((byte) => byte !== 0);
  return start <= MAX_ZEROS && ARCHIVE_STARTS.includes(latin1(head.subarray(start, start + 4)));
}

/** Bytes that {@link describeHead} makes use of. */
export const HEAD_BYTES = 64;

const KINDS: readonly (readonly [RegExp | string, string])[] = [
  [/^\s*</, 'an error page'],
  [/^[\b]\p{Cc}[\p{Cc}:]/u, 'an ONNX model (convert it to TFLite, e.g. with onnx2tf)'],
  ['\x89HDF', 'a Keras model in HDF5 (convert it with tf.lite.TFLiteConverter)'],
  [/^\s*[{[]/, 'JSON'],
  ['version https://git-lfs', 'a Git LFS pointer, which is not the file itself,'],
  ['\x1f\x8b', 'gzip-compressed data without a Content-Encoding'],
];

/** How a file begins, and what begins so: `begins with "<!doctype html>", as an error page does`. */
export function describeHead(head: Uint8Array): string {
  if (head.length === 0) return 'is empty (0 bytes)';
  const text = latin1(head);
  const found = KINDS.find(([start]) => (typeof start === 'string' ? text.startsWith(start) : start.test(text)));
  const kind = isArchive(head) ? 'a zip archive (a .task bundle has its .tflite inside)' : found?.[1];
  const isText = head.every((byte) => (byte >= 0x20 && byte < 0x7f) || [0x09, 0x0a, 0x0d].includes(byte));
  const hex = Array.from(head.subarray(0, 16), (byte) => byte.toString(16).padStart(2, '0')).join(' ');
  const start = isText ? JSON.stringify(text) : `the bytes ${hex}`;
  return `begins with ${start}${kind === undefined ? '' : `, as ${kind} does`}`;
}

function latin1(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes);
}
