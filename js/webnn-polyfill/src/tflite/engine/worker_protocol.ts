/** What page and worker send each other on the timeline's port. */

import type { OperandDescriptor } from '../../graph.js';

/**
 * A call. Tensors and graphs have the page's numbers; a dispatch names its tensors in the order of the graph's inputs
 * and outputs. Arrays change hands, so that neither side makes new ones for each run: `write` gives one with the content
 * and gets one back that is free, or none; `read` may give one for the content.
 */
export type TimelineCall =
  | readonly [method: 'createTensor', id: number, descriptor: OperandDescriptor]
  | readonly [method: 'write', id: number, content: OwnBytes]
  | readonly [method: 'read', id: number, free: OwnBytes | null]
  | readonly [method: 'dispatch', id: number, inputs: readonly number[], outputs: readonly number[]]
  | readonly [method: 'destroyTensor', id: number]
  | readonly [method: 'destroyGraph', id: number];

/** An array with a buffer of its own, which can be sent without a copy. */
export type OwnBytes = Uint8Array<ArrayBuffer>;

/**
 * The answer to a batch of calls, in the order of the batches: what its writes and reads give, in their order, or why it
 * could not be done. Batches without such calls have none unless they fail.
 */
export type TimelineAnswer = { readonly arrays: readonly (OwnBytes | null)[] } | { readonly failure: string };
