/**
 * Keeps nodes from WebNN that end the browser's GPU process. What finds and remembers them is only loaded where there
 * are any: after a context was lost in a first run, in this page or in an earlier one.
 */

import type { WebnnGraph } from '../description.js';
import { messageOf, missingScript } from '../errors.js';
import {
  FAULT_DATABASE,
  type FaultRecord,
  type FaultSearch,
  type GpuFault,
  type SearchedWebnn,
} from './context_losses.js';
import { KnownFaultError } from './denied_nodes.js';
import type { GraphGuard, HeapReader } from './graph_executor.js';
import type { Operands } from './graph_nodes.js';

/** What is known of the browser of this thread. */
export class FaultGuard implements GraphGuard {
  #loading: Promise<void> | null = null;
  #faults: FaultRecord | null = null;

  /** @param loadFaults - Loads gpu_faults.mjs and what is remembered; tests have their own. */
  constructor(private readonly loadFaults: () => Promise<FaultRecord> = loadGpuFaults) {}

  /** Reads what earlier pages have found, once. Never rejects: without storage nothing is known. */
  load(): Promise<void> {
    this.#loading ??= this.#load().catch(() => undefined);
    return this.#loading;
  }

  /** Takes over what another thread of this page has found. */
  async learn(faults: readonly GpuFault[]): Promise<void> {
    if (faults.length === 0) return;
    this.#faults ??= await this.loadFaults();
    this.#faults.add(faults);
  }

  /** @throws KnownFaultError where there are nodes that are not to run on WebNN. */
  check(graph: WebnnGraph, operands: Operands): void {
    const denied = this.#faults?.deniedIn(graph, operands) ?? [];
    if (denied.length > 0) throw new KnownFaultError(denied);
  }

  /** Searches the graphs of a model for the node that has ended the process. Never rejects. */
  async search(graphs: readonly WebnnGraph[], webnn: SearchedWebnn, heap: HeapReader): Promise<FaultSearch> {
    try {
      this.#faults ??= await this.loadFaults();
    } catch (error) {
      const result = `and what would search for the cause is missing: ${messageOf(error)}`;
      return { outcome: 'failed', result, faults: [] };
    }
    return this.#faults.search(graphs, webnn, heap);
  }

  async #load(): Promise<void> {
    const databases = (await globalThis.indexedDB?.databases?.()) ?? [];
    if (databases.some(({ name }) => name === FAULT_DATABASE)) this.#faults = await this.loadFaults();
  }
}

async function loadGpuFaults(): Promise<FaultRecord> {
  const { GpuFaults } = await import('./gpu_faults.mjs').catch((cause: unknown) => {
    throw missingScript(cause);
  });
  return GpuFaults.load();
}

/** The guard of this thread. */
export const faultGuardHere = /* @__PURE__ */ new FaultGuard();
