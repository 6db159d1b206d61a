/** Graph descriptions (docs/architecture.md) whose constants have their bytes as base64 in `data`. */

import type { WebnnGraph } from '../../../runtime/src/description.js';
import type { HeapReader } from '../../../runtime/src/graph_executor.js';

export type EmbeddedGraph = WebnnGraph & { readonly constants: readonly { readonly data: string }[] };

/** The graph as the runtime replays it: the addresses of constants are their places. */
export function placed(graph: EmbeddedGraph): WebnnGraph {
  return { ...graph, constants: graph.constants.map((constant, address) => ({ ...constant, address })) };
}

/** Reads the constants of a placed graph. */
export function readConstant(graph: EmbeddedGraph): HeapReader {
  return (address) => Buffer.from(graph.constants[address]?.data ?? '', 'base64');
}

/** The message of an error and of those that caused it. */
export function fullMessage(error: unknown): string {
  const cause = (error as { cause?: unknown }).cause;
  return cause === undefined ? String(error) : `${String(error)}; ${fullMessage(cause)}`;
}
