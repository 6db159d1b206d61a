/** Memory of buffers, which garbage collectors free late: in an idle worker, never. */

/**
 * Frees buffers now, which empties views of them. Shared ones are left alone.
 *
 * It sends them to nobody. ArrayBuffer.transfer(0) does not suffice: Chromium keeps the memory of a buffer
 * that came in a message until its collector finds the object.
 */
export function freeBuffers(buffers: Iterable<ArrayBufferLike>): void {
  const own = [...new Set(buffers)].filter((buffer) => buffer instanceof ArrayBuffer && buffer.byteLength > 0);
  if (own.length === 0) return;
  const { port1, port2 } = new MessageChannel();
  port1.postMessage(null, own as ArrayBuffer[]);
  port1.close();
  port2.close();
}
