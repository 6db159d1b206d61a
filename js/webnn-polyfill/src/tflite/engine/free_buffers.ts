/** Memory of buffers, which garbage collectors give back late: a worker that has nothing to do never does. */

/**
 * Frees buffers now; views of them are empty then. Shared ones are left alone.
 *
 * They are sent, and nobody receives them. ArrayBuffer.transfer(0) does not do: Chromium keeps the memory of a buffer
 * that has come in a message until its collector finds the object.
 */
export function freeBuffers(buffers: Iterable<ArrayBufferLike>): void {
  const own = [...new Set(buffers)].filter((buffer) => buffer instanceof ArrayBuffer && buffer.byteLength > 0);
  if (own.length === 0) return;
  const { port1, port2 } = new MessageChannel();
  port1.postMessage(null, own as ArrayBuffer[]);
  port1.close();
  port2.close();
}
