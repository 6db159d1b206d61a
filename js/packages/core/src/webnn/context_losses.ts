/** Contexts that the browser took away from a model, and the nodes that were found to be the cause: they are kept from WebNN. */

import type { WebnnGraph } from '../description.js';
import { messageOf, missingScript } from '../errors.js';
import {
  FAULT_DATABASE,
  type FaultRecord,
  type FaultSearch,
  type GpuFault,
  KnownFaultError,
  type SearchedWebnn,
} from './denied_nodes.js';
import type { GraphGuard } from './graph_executor.js';
import type { HeapReader, Operands } from './graph_nodes.js';

/** A model that loses its context so often without a single run in between probably is the cause. */
const MAX_LOSSES_IN_A_ROW = 3;

/** Counts losses. */
export class ContextLosses {
  /** All losses so far. */
  count = 0;
  /** The browser's words about the last one; null where there was none. */
  last: string | null = null;
  /** Whether the model's graphs may be the cause, and have not been searched for the node yet. */
  isSearchDue = false;
  #inARow = 0;
  #search: FaultSearch | null = null;
  #isGivenUp = false;

  /** Whether another context is not worth it. */
  get tooMany(): boolean {
    return this.#isGivenUp || this.#inARow >= MAX_LOSSES_IN_A_ROW;
  }

  /** @param isSuspect - Whether it happened while a graph was built or run for the first time. */
  add(reason: string, isSuspect = false): void {
    this.count++;
    this.#inARow++;
    this.last = reason;
    if (!isSuspect) return;
    if (this.#search?.outcome === 'harmless') this.#isGivenUp = true;
    else this.isSearchDue = true;
  }

  /** Adds what happened to a context that is given up. */
  addAll(others: ContextLosses): void {
    this.count += others.count;
    this.#inARow += others.#inARow;
    this.last = others.last ?? this.last;
    this.#search = others.#search ?? this.#search;
    this.#isGivenUp ||= others.#isGivenUp;
  }

  /** The graphs were searched for the node that is the cause. */
  searched(search: FaultSearch): void {
    this.isSearchDue = false;
    this.#search = search;
    if (search.outcome === 'unfit' || search.outcome === 'failed') this.#isGivenUp = true;
  }

  /** A run has succeeded: what happens from now on has other causes. */
  endRow(): void {
    this.#inARow = 0;
    this.isSearchDue = false;
    this.#search = null;
    this.#isGivenUp = false;
  }

  /** What happened since the last run that succeeded. */
  get text(): string {
    const times = this.#inARow === 1 ? '' : ` ${this.#inARow} times in a row`;
    const result = this.#search === null ? '' : `, ${this.#search.result}`;
    return `the browser took the WebNN context away${times} (${this.last})${result}`;
  }
}

/**
 * What is known of the browser of this thread. What finds nodes that end its GPU process is only loaded where there are
 * any: after a context was lost in a first run, in this page or in an earlier one.
 */
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
