/** Reading a stream of bytes to its end. */

/** Puts chunks together; without a second copy of them where the size was known. */
export class ByteCollector {
  #whole: Uint8Array<ArrayBuffer> | null;
  #chunks: Uint8Array[] = [];
  length = 0;

  /** @param expectedBytes - What the sender announced; it need not be true. */
  constructor(expectedBytes: number | null) {
    this.#whole = expectedBytes === null ? null : allocate(expectedBytes);
  }

  add(chunk: Uint8Array): void {
    if (this.#whole !== null && this.length + chunk.length > this.#whole.length) {
      this.#chunks = [this.#whole.subarray(0, this.length)];
      this.#whole = null;
    }
    if (this.#whole === null) this.#chunks.push(chunk);
    else this.#whole.set(chunk, this.length);
    this.length += chunk.length;
  }

  /** The first bytes, at most `count`. */
  head(count: number): Uint8Array {
    if (this.#whole !== null) return this.#whole.subarray(0, Math.min(count, this.length));
    const head: number[] = [];
    for (const chunk of this.#chunks) {
      if (head.length >= count) break;
      head.push(...chunk.subarray(0, count - head.length));
    }
    return Uint8Array.from(head);
  }

  finish(): Uint8Array {
    if (this.#whole !== null) return this.#whole.subarray(0, this.length);
    const whole = new Uint8Array(this.length);
    let position = 0;
    for (const chunk of this.#chunks) {
      whole.set(chunk, position);
      position += chunk.length;
    }
    return whole;
  }
}

/** Null where a server announces more than there is memory; what really comes may be less. */
function allocate(sizeBytes: number): Uint8Array<ArrayBuffer> | null {
  try {
    return new Uint8Array(sizeBytes);
  } catch {
    return null;
  }
}

/**
 * The chunks of a stream. Where its reader stops early, the sender is told.
 *
 * @param brokeOff - Makes the error of a stream that fails.
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
      yield value;
    }
  } finally {
    signal?.removeEventListener('abort', cancel);
    cancel();
  }
}

/** Fails where another reader has the stream. */
function openReader(stream: ReadableStream<Uint8Array>, brokeOff: (error: unknown) => Error) {
  try {
    return stream.getReader();
  } catch (error) {
    throw brokeOff(error);
  }
}
