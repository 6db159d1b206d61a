/** What is found and remembered of nodes that end the browser's GPU process. */

import type { WebnnGraph } from '../description.js';
import type { MLContext, MLGraphBuilderConstructor } from '../webnn_types.js';
import type { DeniedNode } from './denied_nodes.js';
import type { HeapReader } from './graph_executor.js';
import type { Operands } from './graph_nodes.js';

/** A context on which nodes run one by one. */
export interface SearchedWebnn {
  readonly context: MLContext;
  readonly Builder: MLGraphBuilderConstructor;
  /** Why the context was lost; null while it is not. */
  lostReason(): string | null;
}

/** A kind of node that is not to run on WebNN. */
export interface GpuFault {
  /** See kindsOf(). */
  readonly kind: string;
  /** What was seen, in words. */
  readonly reason: string;
}

/**
 * How a search has ended: a node was `found`, each node alone is `harmless`, the context is `unfit`, which is lost
 * whatever it runs, or the search has `failed` to begin.
 */
export interface FaultSearch {
  readonly outcome: 'found' | 'harmless' | 'unfit' | 'failed';
  /** Its message about the loss. */
  readonly finding: string;
  /** The fault that was seen, and behind it those that are only suspected. */
  readonly faults: readonly GpuFault[];
}

/** What is known of the browser, see gpu_faults.ts. */
export interface FaultRecord {
  /** Remembers kinds for this page. */
  add(faults: readonly GpuFault[]): void;
  /** The nodes of a graph that are not to run on WebNN. */
  deniedIn(graph: WebnnGraph, operands: Operands): readonly DeniedNode[];
  /** Searches the nodes of a model's graphs, see findFault(). What was seen is remembered for later pages, too. */
  search(graphs: readonly WebnnGraph[], webnn: SearchedWebnn, heap: HeapReader): Promise<FaultSearch>;
}

/** The database in which earlier pages have left what they found. */
export const FAULT_DATABASE = 'tflite-webnn';
