/** Nodes that are taken back from WebNN because the browser rejects them, or crashes on them. */

import {
  ContextLostError,
  type ErrorContext,
  InterpreterError,
  messageOf,
  TFLiteWebnnError,
  WasmTrapError,
} from '../errors.js';

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
export interface DeniedNode {
  /** Its index in the model. */
  readonly node: number;
  /** The browser's words, or how it was found. */
  readonly reason: string;
}

/** Nodes of kinds that are known to end the GPU process; nothing was asked of the browser. */
export class KnownFaultError extends WebnnBuildError {
  constructor(readonly nodes: readonly DeniedNode[]) {
    super(`WebNN is not asked to run node ${nodes[0]?.node}: ${nodes[0]?.reason}`, nodes[0]?.node ?? null);
  }
}

/** Each rejection costs a new partitioning; a browser that rejects more often is not worth it. */
const MAX_REFUSALS = 8;

/**
 * Tries something, and tries it again without the nodes that the browser rejects, until it rejects none, or too many.
 *
 * @param attempt - What to try, given the nodes to leave out.
 * @throws what the last attempt fails with, where leaving out nodes cannot help.
 */
export function denyAndRetry<T>(attempt: (deniedNodes: readonly DeniedNode[]) => T): T {
  const deniedNodes: DeniedNode[] = [];
  for (;;) {
    try {
      return attempt(deniedNodes);
    } catch (error) {
      if (!denyNodes(error, deniedNodes)) throw error;
    }
  }
}

/**
 * Adds the nodes without which another try may succeed to those that are left out.
 *
 * @returns whether there are any.
 */
export function denyNodes(error: unknown, deniedNodes: DeniedNode[]): boolean {
  if (!(error instanceof WebnnBuildError) || refusals(deniedNodes) >= MAX_REFUSALS) return false;
  const { node } = error;
  const named = error instanceof KnownFaultError ? error.nodes : [{ node: node ?? -1, reason: messageOf(error) }];
  const found = named.filter((one) => one.node >= 0 && !deniedNodes.some((other) => other.node === one.node));
  deniedNodes.push(...found);
  return found.length > 0;
}

/** Nodes of one kind that are known to be a fault are denied together. */
function refusals(deniedNodes: readonly DeniedNode[]): number {
  return new Set(deniedNodes.map(({ reason }) => reason)).size;
}

/** Whether the CPU may do better. A bad file or a bad option is just as bad there. */
export function isWebnnFailure(error: unknown): error is Error {
  if (error instanceof WebnnBuildError || error instanceof WasmTrapError || error instanceof ContextLostError)
    return true;
  return error instanceof InterpreterError && error.code !== 'INVALID_OPTION';
}
