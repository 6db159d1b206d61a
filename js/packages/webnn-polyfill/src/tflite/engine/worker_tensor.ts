/** The page's part of a tensor in a worker. */

import type { EngineTensor } from '../../engine.js';
import type { OwnBytes } from './timeline_protocol.js';
import type { WorkerTimeline } from './worker_timeline.js';

/** Arrays that a tensor keeps for its next writes and reads: one for each direction. */
const MAX_SPARES = 2;
/** Above this size, memory matters more than time. */
const MAX_SPARE_BYTES = 2 ** 25;

/**
 * A tensor in a worker. Its content travels in reused arrays: the first touch of each memory page of a fresh one
 * takes several times as long as the copy.
 */
export class WorkerTensor implements EngineTensor {
  readonly #timeline: WorkerTimeline;
  readonly #spares: OwnBytes[] = [];
  #isDestroyed = false;

  constructor(
    timeline: WorkerTimeline,
    /** Its number. */
    readonly id: number,
  ) {
    this.#timeline = timeline;
  }

  write(bytes: Uint8Array): void {
    const spare = this.#spares.pop();
    spare?.set(bytes);
    this.transfer(spare ?? bytes.slice());
  }

  /** Writes an array that the caller no longer uses. */
  transfer(content: OwnBytes): void {
    this.#timeline.write(this.id, content, (free) => this.#keep(free));
  }

  async read(target?: Uint8Array): Promise<Uint8Array> {
    if (target === undefined) return this.#timeline.read(this.id, null);
    const content = await this.#timeline.read(this.id, this.#spares.pop() ?? null);
    // Meanwhile the page may have reused the target, or transferred its buffer.
    if (this.#isDestroyed || target.byteLength !== content.byteLength) return content;
    target.set(content);
    this.#keep(content);
    return target;
  }

  destroy(): void {
    this.#timeline.call(['destroyTensor', this.id]);
    this.#isDestroyed = true;
    this.#spares.length = 0;
  }

  #keep(array: OwnBytes): void {
    const isSpare = !this.#isDestroyed && array.byteLength <= MAX_SPARE_BYTES;
    if (isSpare && this.#spares.length < MAX_SPARES) this.#spares.push(array);
  }
}
