/** Shared memory by which a thread that sleeps gets an answer. */

import { WorkerFailedError } from '../errors.js';
import type { HelperAnswer } from './helper_protocol.js';

// The header, in 32-bit words.
const STATE = 0;
const BYTE_LENGTH = 1;
const PULSE = 2;
const HEADER_BYTES = 16;

const EMPTY = 0;
const FULL = 1;

/** Room for the limits of a context, which are by far the longest answer. */
const CAPACITY_BYTES = 1 << 20;

const PULSE_MS = 1000;
/** A helper without a pulse for so many beats is dead, or as good as. */
const MISSED_PULSES = 30;

/** One answer at a time, from the helper to the one who waits. */
export class Mailbox {
  readonly memory: SharedArrayBuffer;
  readonly #header: Int32Array;
  readonly #text: Uint8Array;
  readonly #pulseMs: number;

  /** @param memory - That of the other thread's box; without it a box is made. */
  constructor(memory = new SharedArrayBuffer(HEADER_BYTES + CAPACITY_BYTES), pulseMs = PULSE_MS) {
    this.memory = memory;
    this.#header = new Int32Array(memory, 0, HEADER_BYTES / Int32Array.BYTES_PER_ELEMENT);
    this.#text = new Uint8Array(memory, HEADER_BYTES);
    this.#pulseMs = pulseMs;
  }

  /** Call it before the question is sent. */
  empty(): void {
    Atomics.store(this.#header, STATE, EMPTY);
  }

  /**
   * Sleeps until the answer is there.
   *
   * @throws WorkerFailedError where the helper shows no life for half a minute.
   */
  wait(): HelperAnswer {
    let pulse = Atomics.load(this.#header, PULSE);
    let missed = 0;
    // The state decides: the notification of an earlier answer, which was seen before it came, wakes too.
    while (!this.isFull) {
      if (Atomics.wait(this.#header, STATE, EMPTY, this.#pulseMs) !== 'timed-out') continue;
      const now = Atomics.load(this.#header, PULSE);
      missed = now === pulse ? missed + 1 : 0;
      pulse = now;
      if (missed >= MISSED_PULSES) {
        throw new WorkerFailedError(
          'The helper worker of blocking mode does not answer any more. Load the model again.',
        );
      }
    }
    return this.#read();
  }

  /** Whether there is an answer. */
  get isFull(): boolean {
    return Atomics.load(this.#header, STATE) === FULL;
  }

  /** Puts the answer in and wakes the one who waits. */
  put(answer: HelperAnswer): void {
    const encode = (value: HelperAnswer) => new TextEncoder().encode(JSON.stringify(value));
    let bytes = encode(answer);
    if (bytes.length > this.#text.length) {
      const message = `the answer "${answer.kind}" has ${bytes.length} bytes, too long`;
      bytes = encode({ kind: 'failed', message });
    }
    this.#text.set(bytes);
    Atomics.store(this.#header, BYTE_LENGTH, bytes.length);
    Atomics.store(this.#header, STATE, FULL);
    Atomics.notify(this.#header, STATE);
  }

  /** Shows life while something takes long. @returns what ends that. */
  beat(): () => void {
    const timer = setInterval(() => Atomics.add(this.#header, PULSE, 1), this.#pulseMs / 2);
    return () => clearInterval(timer);
  }

  #read(): HelperAnswer {
    const byteLength = Atomics.load(this.#header, BYTE_LENGTH);
    // A copy: browsers decode no shared memory.
    return JSON.parse(new TextDecoder().decode(this.#text.slice(0, byteLength))) as HelperAnswer;
  }
}
