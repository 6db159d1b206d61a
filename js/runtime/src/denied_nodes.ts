/** Nodes that are taken back from WebNN because the browser refuses them. */

import { InterpreterError, WasmTrapError, WebnnBuildError } from './errors.js';

/** A node that was taken back from WebNN because the browser refused it. */
export interface DeniedNode {
  /** Its index in the model. */
  readonly node: number;
  /** The browser's words. */
  readonly reason: string;
}

/** Each refusal costs a new partitioning; a browser that refuses more nodes than this is not worth it. */
const MAX_DENIED_NODES = 8;

/** The node without which another try may succeed, or null where there is none. */
export function nodeToDeny(error: unknown, deniedNodes: readonly DeniedNode[]): number | null {
  if (!(error instanceof WebnnBuildError) || deniedNodes.length >= MAX_DENIED_NODES) return null;
  return deniedNodes.some(({ node }) => node === error.node) ? null : error.node;
}

/** Whether the CPU may do better. A bad file or a bad option is just as bad there. */
export function isWebnnFailure(error: unknown): error is Error {
  if (error instanceof WebnnBuildError || error instanceof WasmTrapError) return true;
  return error instanceof InterpreterError && error.code !== 'INVALID_OPTION';
}
