/** WebNN's failures: nodes that the browser rejects or crashes on, and lost contexts. */

import type { WebnnGraph } from '../description.js';
import {
  ContextLostError,
  type ErrorContext,
  InterpreterError,
  messageOf,
  TFLiteWebnnError,
  WasmTrapError,
} from '../errors.js';
import type { MLContext, MLGraphBuilderConstructor } from '../webnn_types.js';
import type { HeapReader, Operands } from './graph_nodes.js';

/** WebNN did not build a graph. Loading never throws it: the model falls back, and the report has the message. */
export class WebnnBuildError extends TFLiteWebnnError {
  override readonly name = 'WebnnBuildError';
  override readonly code = 'WEBNN_BUILD_FAILED';
  /** Index of the TFLite node that was rejected, or null where the browser does not say. */
  readonly node: number | null;

  /** @internal */
  constructor(message: string, node: number | null, context: ErrorContext = {}) {
    super(message, context);
    this.node = node;
  }
}

/** A node that was taken back from WebNN: the browser rejected it, or its GPU process crashed on it. */
export interface ExcludedNode {
  /** Its index in the model. */
  readonly node: number;
  /** The browser's message, or how it was found. */
  readonly reason: string;
}

/** Nodes of kinds that are known to end the GPU process; no request went to the browser. */
export class KnownBugError extends WebnnBuildError {
  constructor(readonly nodes: readonly ExcludedNode[]) {
    super(`WebNN is not to run node ${nodes[0]?.node}: ${nodes[0]?.reason}`, nodes[0]?.node ?? null);
  }
}

/** Each rejection costs a new partitioning; a browser that rejects more often is not worth it. */
const MAX_REJECTIONS = 8;

/**
 * Tries something, and tries it again without the nodes that the browser rejects, until it rejects none, or too many.
 *
 * @param attempt - What to try, with the nodes to leave out.
 * @throws what the last attempt fails with, where leaving out nodes cannot help.
 */
export function excludeAndRetry<T>(attempt: (excludedNodes: readonly ExcludedNode[]) => T): T {
  const excludedNodes: ExcludedNode[] = [];
  for (;;) {
    try {
      return attempt(excludedNodes);
    } catch (error) {
      if (!excludeNodes(error, excludedNodes)) throw error;
    }
  }
}

/**
 * Adds the nodes without which another try may succeed to those that are left out.
 *
 * @returns whether there are any.
 */
export function excludeNodes(error: unknown, excludedNodes: ExcludedNode[]): boolean {
  if (!(error instanceof WebnnBuildError) || rejections(excludedNodes) >= MAX_REJECTIONS) return false;
  const { node } = error;
  const named = error instanceof KnownBugError ? error.nodes : [{ node: node ?? -1, reason: messageOf(error) }];
  const found = named.filter((one) => one.node >= 0 && !excludedNodes.some((other) => other.node === one.node));
  excludedNodes.push(...found);
  return found.length > 0;
}

/** Nodes of one kind that is known to end the GPU process are excluded together. */
function rejections(excludedNodes: readonly ExcludedNode[]): number {
  return new Set(excludedNodes.map(({ reason }) => reason)).size;
}

/** Whether the CPU may do better. A bad file or a bad option is just as bad there. */
export function isWebnnFailure(error: unknown): error is Error {
  if (error instanceof WebnnBuildError || error instanceof WasmTrapError || error instanceof ContextLostError)
    return true;
  return error instanceof InterpreterError && error.code !== 'INVALID_OPTION';
}

/** A context that may be lost. */
interface LosableWebnn {
  readonly context: { readonly lost?: Promise<unknown> | undefined };
  readonly lostReason: string | null;
}

/** A loss may be reported a moment later than the failure that it causes. */
const LOSS_GRACE_MS = 50;

/** Why the context was lost, or null where it is not. To be called after a failure. */
export async function lossOf(webnn: LosableWebnn): Promise<string | null> {
  const { lost } = webnn.context;
  if (webnn.lostReason === null && lost !== undefined) {
    await Promise.race([lost, new Promise((resolve) => setTimeout(resolve, LOSS_GRACE_MS))]);
  }
  return webnn.lostReason;
}

/** A context on which nodes run one by one. */
export interface SearchedWebnn {
  readonly context: MLContext;
  readonly Builder: MLGraphBuilderConstructor;
  /** Why the context was lost; null while it is not. */
  readonly lostReason: string | null;
}

/** A kind of node that is not to run on WebNN. */
export interface GpuBug {
  /** See kindsOf(). */
  readonly kind: string;
  /** What was seen, as text. */
  readonly reason: string;
}

/**
 * How a search has ended: a node was `found`, each node alone is `harmless`, the context is `unfit`, which is lost
 * whatever it runs, or the search has `failed` to begin.
 */
export interface BugSearch {
  readonly outcome: 'found' | 'harmless' | 'unfit' | 'failed';
  /** Its message about the loss. */
  readonly result: string;
  /** The bug that was seen, and behind it those that are only suspected. */
  readonly bugs: readonly GpuBug[];
}

/** What is known of the browser, see gpu_bugs.ts. */
export interface BugRecord {
  /** Remembers kinds for this page. */
  add(bugs: readonly GpuBug[]): void;
  /** The nodes of a graph that are not to run on WebNN. */
  excludedIn(graph: WebnnGraph, operands: Operands): readonly ExcludedNode[];
  /** Searches the nodes of a model's graphs, see findBug(). What was seen is remembered for later pages, too. */
  search(graphs: readonly WebnnGraph[], webnn: SearchedWebnn, heap: HeapReader): Promise<BugSearch>;
}

/** The database in which earlier pages have left what they found. */
export const BUG_DATABASE = 'tflite-webnn';
