/**
 * The protocol of a waiting thread and its helper worker. Requests are messages; responses are in a Mailbox.
 */

import type { GraphPort, WebnnGraph } from '../description.js';
import { elementCount } from '../dtypes.js';
import { WorkerFailedError } from '../errors.js';
import type { WebnnDelegateOptions } from '../options.js';
import type { BugSearch, ExcludedNode, GpuBug } from '../webnn/excluded_nodes.js';
import type { MLOperandDataType, MLOpSupportLimits } from '../webnn_types.js';

/** How a context is requested. */
export interface ContextRequest
  extends Pick<WebnnDelegateOptions, 'devicePreference' | 'powerPreference' | 'polyfill'> {
  /** Where the polyfill finds the wasm module. */
  readonly wasmPath?: string | undefined;
}

/** A graph with its operators and constants. */
interface GraphRequest {
  readonly context: number;
  readonly description: WebnnGraph;
  /** The bytes of the description's constants, in their order. */
  readonly constants: readonly Uint8Array<ArrayBuffer>[];
}

/** A graph to search for the node on which the browser's GPU process has crashed. */
export interface SearchRequest extends GraphRequest {
  readonly kind: 'search';
}

/** A graph to build. */
export interface BuildRequest extends GraphRequest {
  readonly kind: 'build';
  /** The number by which the graph is known from now on. */
  readonly graph: number;
  /** Where inputs are found and outputs are left, see {@link memoryLayout}. */
  readonly memory: SharedArrayBuffer;
}

/** A context to create, or another one of the same number where that was lost. */
export interface OpenRequest {
  readonly kind: 'open';
  readonly context: number;
  readonly request: ContextRequest;
  readonly isAgain: boolean;
  /** What helpers before this one have found. */
  readonly bugs: readonly GpuBug[];
}

/** Something that the helper does. `release` and `close` have no response. */
export type HelperRequest =
  | OpenRequest
  | BuildRequest
  | SearchRequest
  | { readonly kind: 'dispatch'; readonly graph: number }
  | { readonly kind: 'release'; readonly graph: number }
  | { readonly kind: 'close'; readonly context: number };

/** A context that was created. */
export interface OpenResponse {
  readonly kind: 'open';
  readonly limits: MLOpSupportLimits;
  readonly backend: string | null;
}

/** The outcome. `node` is the rejected node, if the browser names it. */
export type HelperResponse =
  | OpenResponse
  | { readonly kind: 'built'; readonly devices: readonly string[] | null }
  | { readonly kind: 'done' }
  | { readonly kind: 'unavailable'; readonly reason: string }
  | { readonly kind: 'rejected'; readonly message: string; readonly node: number | null }
  | { readonly kind: 'known bugs'; readonly nodes: readonly ExcludedNode[] }
  /** Why the context is lost now, and null where it is not. */
  | { readonly kind: 'searched'; readonly search: BugSearch; readonly reason: string | null }
  | { readonly kind: 'lost'; readonly reason: string }
  | { readonly kind: 'failed'; readonly message: string };

/** The memory of one input or output of a graph. */
export interface TensorRange {
  readonly port: GraphPort;
  readonly offset: number;
  readonly byteLength: number;
}

/** Where a graph's inputs and outputs lie in its shared memory. */
export interface MemoryLayout {
  readonly inputs: readonly TensorRange[];
  readonly outputs: readonly TensorRange[];
  readonly byteLength: number;
}

/** What every typed array is content with. */
const ALIGNMENT_BYTES = 8;

const ELEMENT_BYTES: Readonly<Partial<Record<MLOperandDataType, number>>> = {
  int64: 8,
  uint64: 8,
  float32: 4,
  int32: 4,
  uint32: 4,
  float16: 2,
  int8: 1,
  uint8: 1,
};

/** The layout of a graph's shared memory: inputs, then outputs, as TFLite has them (an int16 tensor has two bytes). */
export function memoryLayout({ inputs, outputs }: Pick<WebnnGraph, 'inputs' | 'outputs'>): MemoryLayout {
  let end = 0;
  const rangeOf = (port: GraphPort): TensorRange => {
    const byteLength = elementCount(port.shape) * elementBytes(port);
    const offset = end;
    end += Math.ceil(byteLength / ALIGNMENT_BYTES) * ALIGNMENT_BYTES;
    return { port, offset, byteLength };
  };
  const [inputRanges, outputRanges] = [inputs.map(rangeOf), outputs.map(rangeOf)];
  return { inputs: inputRanges, outputs: outputRanges, byteLength: end };
}

function elementBytes({ dataType, tensorType }: GraphPort): number {
  const bytes = tensorType === 'int16' ? 2 : ELEMENT_BYTES[dataType];
  if (bytes === undefined) throw new TypeError(`no tensor of TFLite crosses the boundary as ${dataType}`);
  return bytes;
}

// The header, in 32-bit words.
const STATE = 0;
const BYTE_LENGTH = 1;
const HEARTBEAT = 2;
const HEADER_BYTES = 16;

const EMPTY = 0;
const FULL = 1;

/** Space for the limits of a context, which are by far the longest response. */
const CAPACITY_BYTES = 1 << 20;

const HEARTBEAT_MS = 1000;
/** A helper without so many heartbeats counts as ended. */
const MAX_MISSED_HEARTBEATS = 30;

/** One response at a time, from the helper to the thread that waits. */
export class Mailbox {
  readonly memory: SharedArrayBuffer;
  readonly #header: Int32Array;
  readonly #text: Uint8Array;
  readonly #heartbeatMs: number;

  /** @param memory - That of the other thread's box; without it a box is created. */
  constructor(memory = new SharedArrayBuffer(HEADER_BYTES + CAPACITY_BYTES), heartbeatMs = HEARTBEAT_MS) {
    this.memory = memory;
    this.#header = new Int32Array(memory, 0, HEADER_BYTES / Int32Array.BYTES_PER_ELEMENT);
    this.#text = new Uint8Array(memory, HEADER_BYTES);
    this.#heartbeatMs = heartbeatMs;
  }

  /** Call it before the request is sent. */
  empty(): void {
    Atomics.store(this.#header, STATE, EMPTY);
  }

  /**
   * Sleeps until the response is there.
   *
   * @throws WorkerFailedError where the helper shows no life for half a minute.
   */
  wait(): HelperResponse {
    let heartbeat = Atomics.load(this.#header, HEARTBEAT);
    let missed = 0;
    // The state decides: the notification of an earlier response, which was seen before it came, wakes too.
    while (!this.isFull) {
      if (Atomics.wait(this.#header, STATE, EMPTY, this.#heartbeatMs) !== 'timed-out') continue;
      const now = Atomics.load(this.#header, HEARTBEAT);
      missed = now === heartbeat ? missed + 1 : 0;
      heartbeat = now;
      if (missed >= MAX_MISSED_HEARTBEATS) {
        throw new WorkerFailedError(
          'The helper worker of blocking mode does not respond any more. Load the model again.',
        );
      }
    }
    return this.#read();
  }

  /** Whether there is a response. */
  get isFull(): boolean {
    return Atomics.load(this.#header, STATE) === FULL;
  }

  /** Puts the response in and wakes the thread that waits. */
  put(response: HelperResponse): void {
    const encode = (value: HelperResponse) => new TextEncoder().encode(JSON.stringify(value));
    let bytes = encode(response);
    if (bytes.length > this.#text.length) {
      const message = `the response "${response.kind}" has ${bytes.length} bytes, too long`;
      bytes = encode({ kind: 'failed', message });
    }
    this.#text.set(bytes);
    Atomics.store(this.#header, BYTE_LENGTH, bytes.length);
    Atomics.store(this.#header, STATE, FULL);
    Atomics.notify(this.#header, STATE);
  }

  /** Shows that the helper runs while a request takes long. @returns a function that ends the heartbeat. */
  startHeartbeat(): () => void {
    const timer = setInterval(() => Atomics.add(this.#header, HEARTBEAT, 1), this.#heartbeatMs / 2);
    return () => clearInterval(timer);
  }

  #read(): HelperResponse {
    const byteLength = Atomics.load(this.#header, BYTE_LENGTH);
    // A copy: browsers decode no shared memory.
    return JSON.parse(new TextDecoder().decode(this.#text.slice(0, byteLength))) as HelperResponse;
  }
}
