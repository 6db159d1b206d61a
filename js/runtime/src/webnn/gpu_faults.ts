/**
 * Kinds of nodes that end the browser's GPU process, where WebNN computes, and the contexts of all pages with it. One
 * that was found is not tried again by this version of the browser.
 */

import { WebnnBuildError } from '../errors.js';
import type { DeniedNode } from './denied_nodes.js';
import { type FaultStore, faultStoreHere } from './gpu_fault_store.js';
import { nodeOfLabel } from './graph_nodes.js';

/** A kind of node that is not to run on WebNN. */
export interface GpuFault {
  /** See kindsOf(). */
  readonly kind: string;
  /** What was seen, in words. */
  readonly reason: string;
}

/** A node of a kind that is known to end the GPU process; nothing was asked of the browser. */
export class KnownFaultError extends WebnnBuildError {
  /** The nodes of the graph that are of such kinds. */
  readonly nodes: readonly DeniedNode[];

  constructor(nodes: readonly DeniedNode[]) {
    super(`WebNN is not asked to run node ${nodes[0]?.node}: ${nodes[0]?.reason}`, nodes[0]?.node ?? null);
    this.nodes = nodes;
  }
}

/** What is known. */
export class GpuFaults {
  readonly #reasons = new Map<string, string>();
  #loading: Promise<void> | null = null;

  /** @param store - Where faults outlive the page; null for what is known to this object alone. */
  constructor(private readonly store: FaultStore | null = null) {}

  /** Those of a list, which nobody remembers. */
  static of(list: readonly GpuFault[]): GpuFaults {
    const faults = new GpuFaults();
    for (const { kind, reason } of list) faults.#reasons.set(kind, reason);
    return faults;
  }

  /** Reads what earlier pages have found, once. Never rejects: without storage nothing is known. */
  load(): Promise<void> {
    this.#loading ??= this.#load();
    return this.#loading;
  }

  get isEmpty(): boolean {
    return this.#reasons.size === 0;
  }

  /** Why nodes of a kind are not to run on WebNN; null where they may. */
  reasonFor(kind: string): string | null {
    return this.#reasons.get(kind) ?? null;
  }

  /** Remembers a fault that was seen, also for later pages. */
  add(fault: GpuFault): void {
    this.suspect(fault);
    this.store?.write([fault]).catch(() => undefined); // what cannot be stored is known to this page
  }

  /** Remembers a kind that might be one, for this page. */
  suspect({ kind, reason }: GpuFault): void {
    this.#reasons.set(kind, reason);
  }

  /** @throws KnownFaultError where there are nodes, given as kinds by label, that are not to run on WebNN. */
  check(kinds: ReadonlyMap<string, string>): void {
    const nodes = Array.from(kinds, ([label, kind]) => ({ node: nodeOfLabel(label), reason: this.reasonFor(kind) }));
    const denied = nodes.flatMap(({ node, reason }) => (reason === null ? [] : [{ node, reason }]));
    if (denied.length > 0) throw new KnownFaultError(denied);
  }

  /** All of them. */
  get list(): readonly GpuFault[] {
    return Array.from(this.#reasons, ([kind, reason]) => ({ kind, reason }));
  }

  async #load(): Promise<void> {
    const stored = (await this.store?.read().catch(() => [])) ?? [];
    for (const { kind, reason } of stored) if (!this.#reasons.has(kind)) this.#reasons.set(kind, reason);
  }
}

/** What this thread knows of its browser. */
export const gpuFaultsHere = new GpuFaults(faultStoreHere());
