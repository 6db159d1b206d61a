/** The page's end of the worker's timeline. */

import type { OwnBytes, TimelineCall, TimelineResponse } from './timeline_protocol.js';

/** Receives the array of a write or a read. */
interface Receiver {
  readonly resolve: (array: OwnBytes | null) => void;
  readonly reject: (reason: unknown) => void;
}

/** Unsent calls. */
class Batch {
  readonly calls: TimelineCall[] = [];
  readonly transfers: ArrayBuffer[] = [];
  readonly receivers: Receiver[] = [];
}

/**
 * Sends calls in order. A message each way takes longer than a small graph, so all calls that a script makes
 * before it waits, typically a write, a dispatch and a read, are one message.
 */
export class WorkerTimeline {
  readonly #port: MessagePort;
  readonly #fail: (error: unknown) => void;
  #batch: Batch | null = null;
  /** Receivers of the sent batches. */
  readonly #sent: (readonly Receiver[])[] = [];

  /** @param fail - Receives the error of a failed batch. */
  constructor(port: MessagePort, fail: (error: unknown) => void) {
    this.#port = port;
    this.#fail = fail;
    port.onmessage = ({ data }) => this.#receive(data as TimelineResponse);
    port.onmessageerror = () => fail(new Error('a message from the worker could not be read'));
  }

  /** Queues a call without a result. */
  call(call: TimelineCall): void {
    this.#openBatch().calls.push(call);
  }

  /** Queues a write; `free` may receive an array for the next one. */
  write(id: number, content: OwnBytes, free: (array: OwnBytes) => void): void {
    const resolve = (array: OwnBytes | null) => array !== null && free(array);
    this.#exchange(['write', id, content], content, { resolve, reject: () => {} });
  }

  /** Queues a read of a tensor, into `free` if provided. */
  read(id: number, free: OwnBytes | null): Promise<OwnBytes> {
    return new Promise((resolve, reject) => {
      const receive = resolve as Receiver['resolve']; // a read always returns an array
      this.#exchange(['read', id, free], free, { resolve: receive, reject });
    });
  }

  close(): void {
    this.#port.close();
  }

  #exchange(call: TimelineCall, array: OwnBytes | null, receiver: Receiver): void {
    const batch = this.#openBatch();
    batch.calls.push(call);
    if (array !== null) batch.transfers.push(array.buffer);
    batch.receivers.push(receiver);
  }

  #openBatch(): Batch {
    if (this.#batch === null) {
      this.#batch = new Batch();
      queueMicrotask(() => this.#send());
    }
    return this.#batch;
  }

  #send(): void {
    const { calls, transfers, receivers } = this.#batch as Batch;
    this.#batch = null;
    if (receivers.length > 0) this.#sent.push(receivers);
    this.#port.postMessage(calls, transfers);
  }

  #receive(response: TimelineResponse): void {
    if ('failure' in response) {
      for (const { reject } of this.#sent.splice(0).flat()) reject(new Error(response.failure));
      this.#fail(response.failure);
      return;
    }
    const receivers = this.#sent.shift() ?? [];
    for (const [index, { resolve }] of receivers.entries()) resolve(response.arrays[index] ?? null);
  }
}
