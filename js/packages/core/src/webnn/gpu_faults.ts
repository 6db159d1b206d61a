/**
 * Kinds of nodes that end the browser's GPU process, where WebNN computes, and the contexts of all pages with it. One
 * that was found is not tried again by this version of the browser. This module is the package's gpu_faults.mjs: it is
 * loaded where there are such kinds, see fault_guard.ts.
 */

import type { WebnnGraph } from '../description.js';
import type { FaultRecord, FaultSearch, GpuFault, SearchedWebnn } from './context_losses.js';
import type { DeniedNode } from './denied_nodes.js';
import { findFault } from './find_fault.js';
import { type FaultStore, faultStoreHere } from './gpu_fault_store.js';
import type { HeapReader } from './graph_executor.js';
import { kindsOf, nodeOfLabel, type Operands } from './graph_nodes.js';

export class GpuFaults implements FaultRecord {
  readonly #reasons = new Map<string, string>();

  private constructor(private readonly store: FaultStore | null) {}

  /**
   * Reads what earlier pages have found. Never rejects: without storage nothing is known.
   *
   * @param store - Where faults outlive the page; null for what is known to this object alone.
   */
  static async load(store = faultStoreHere()): Promise<GpuFaults> {
    const faults = new GpuFaults(store);
    faults.add((await store?.read().catch(() => [])) ?? []);
    return faults;
  }

  deniedIn(graph: WebnnGraph, operands: Operands): DeniedNode[] {
    return Array.from(kindsOf(graph, operands)).flatMap(([label, kind]) => {
      const reason = this.#reasons.get(kind);
      return reason === undefined ? [] : [{ node: nodeOfLabel(label), reason }];
    });
  }

  async search(graphs: readonly WebnnGraph[], webnn: SearchedWebnn, heap: HeapReader): Promise<FaultSearch> {
    const search = await findFault(graphs, webnn, heap);
    this.add(search.faults);
    const [seen] = search.faults;
    if (seen !== undefined) this.store?.write([seen]).catch(() => undefined); // this page knows what cannot be stored
    return search;
  }

  add(faults: readonly GpuFault[]): void {
    for (const { kind, reason } of faults) this.#reasons.set(kind, reason);
  }
}
