/** Messages between page and worker on the timeline's port. */

import type { OperandDescriptor } from '../../engine.js';

/**
 * A call. Tensors and graphs have the page's numbers; a dispatch lists its tensors in the order of the graph's inputs
 * and outputs. Arrays are passed back and forth, so that runs allocate none: `write` sends one with the content
 * and may get a free one back; `read` may send one for the content. `load` has a graph that was built in the page.
 */
export type TimelineCall =
  | readonly [method: 'createTensor', id: number, descriptor: OperandDescriptor]
  | readonly [method: 'write', id: number, content: OwnBytes]
  | readonly [method: 'read', id: number, free: OwnBytes | null]
  | readonly [method: 'dispatch', id: number, inputs: readonly number[], outputs: readonly number[]]
  | readonly [method: 'load', id: number, file: GraphFile]
  | readonly [method: 'destroyTensor', id: number]
  | readonly [method: 'destroyGraph', id: number];

/** A graph as a .tflite file, which any thread can load. */
export interface GraphFile {
  readonly bytes: Uint8Array;
  /** Estimated size of its constants and tensors. */
  readonly sizeBytes: number;
}

/** An array with its own buffer, which can be transferred. */
export type OwnBytes = Uint8Array<ArrayBuffer>;

/**
 * The response to a batch of calls, in the order of the batches: the arrays of its writes and reads, in order, or why
 * it failed. Batches without such calls have no response unless they fail.
 */
export type TimelineResponse = { readonly arrays: readonly (OwnBytes | null)[] } | { readonly failure: string };
