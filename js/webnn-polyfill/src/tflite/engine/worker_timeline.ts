/** The page's end of the worker's timeline. */

import * as comlink from 'comlink';
import type { TimelineCall, WorkerHost } from './worker_host.js';

interface Reader {
  readonly resolve: (bytes: Uint8Array) => void;
  readonly reject: (reason: unknown) => void;
}

/** Calls that have not been sent. */
class Batch {
  readonly calls: TimelineCall[] = [];
  readonly transfers: ArrayBufferLike[] = [];
  /** Who waits for what is read, in the order of the calls. */
  readonly readers: Reader[] = [];
}

/**
 * Sends calls in their order. A message each way takes longer than a small graph, so all calls that a script makes
 * before it waits, typically to write, to dispatch and to read, are one message.
 */
export class WorkerTimeline {
  readonly #host: comlink.Remote<WorkerHost>;
  readonly #fail: (error: unknown) => void;
  #batch: Batch | null = null;

  /** @param fail - Told why calls could not be done. */
  constructor(host: comlink.Remote<WorkerHost>, fail: (error: unknown) => void) {
    this.#host = host;
    this.#fail = fail;
  }

  /** Queues a call; what is in `transfers` goes to the worker. */
  call(call: TimelineCall, transfers: readonly ArrayBufferLike[] = []): void {
    const batch = this.#openBatch();
    batch.calls.push(call);
    batch.transfers.push(...transfers);
  }

  /** Queues a read of a tensor. */
  read(id: number): Promise<Uint8Array> {
    return new Promise((resolve, reject) => {
      const batch = this.#openBatch();
      batch.calls.push(['read', [id]]);
      batch.readers.push({ resolve, reject });
    });
  }

  #openBatch(): Batch {
    if (this.#batch === null) {
      this.#batch = new Batch();
      queueMicrotask(() => this.#send());
    }
    return this.#batch;
  }

  async #send(): Promise<void> {
    const { calls, transfers, readers } = this.#batch as Batch;
    this.#batch = null;
    try {
      const contents = await this.#host.perform(comlink.transfer(calls, transfers as ArrayBuffer[]));
      readers.forEach(({ resolve }, index) => {
        resolve(contents[index] as Uint8Array);
      });
    } catch (error) {
      for (const { reject } of readers) reject(error);
      this.#fail(error);
    }
  }
}
