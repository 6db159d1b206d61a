/**
 * Contexts that the browser took away from a model, and the nodes that were found to be the cause: they are kept from
 * WebNN.
 */

import type { WebnnGraph } from '../description.js';
import { messageOf, missingScript } from '../errors.js';
import {
  BUG_DATABASE,
  type BugRecord,
  type BugSearch,
  type GpuBug,
  KnownBugError,
  type SearchedWebnn,
} from './excluded_nodes.js';
import type { GraphGuard } from './graph_executor.js';
import type { HeapReader, Operands } from './graph_nodes.js';

/** A model that loses its context so often without a single run in between probably is the cause. */
const MAX_LOSSES_IN_A_ROW = 3;

/** Counts losses. */
export class ContextLosses {
  /** All losses so far. */
  count = 0;
  /** The browser's message about the last one; null where there was none. */
  last: string | null = null;
  /** Whether the model's graphs may be the cause, and have not been searched for the node yet. */
  isSearchDue = false;
  #inARow = 0;
  #search: BugSearch | null = null;
  #isAbandoned = false;

  /** Whether another context is not worth it. */
  get tooMany(): boolean {
    return this.#isAbandoned || this.#inARow >= MAX_LOSSES_IN_A_ROW;
  }

  /** @param isFirstUse - Whether it happened while a graph was built or run for the first time. */
  add(reason: string, isFirstUse = false): void {
    this.count++;
    this.#inARow++;
    this.last = reason;
    if (!isFirstUse) return;
    if (this.#search?.outcome === 'harmless') this.#isAbandoned = true;
    else this.isSearchDue = true;
  }

  /** Adds what happened to a context that is given up. */
  addAll(others: ContextLosses): void {
    this.count += others.count;
    this.#inARow += others.#inARow;
    this.last = others.last ?? this.last;
    this.#search = others.#search ?? this.#search;
    this.#isAbandoned ||= others.#isAbandoned;
  }

  /** The graphs were searched for the node that is the cause. */
  searched(search: BugSearch): void {
    this.isSearchDue = false;
    this.#search = search;
    if (search.outcome === 'unfit' || search.outcome === 'failed') this.#isAbandoned = true;
  }

  /** A run has succeeded: what happens from now on has other causes. */
  endRow(): void {
    this.#inARow = 0;
    this.isSearchDue = false;
    this.#search = null;
    this.#isAbandoned = false;
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
export class BugGuard implements GraphGuard {
  #loading: Promise<void> | null = null;
  #bugs: BugRecord | null = null;

  /** @param loadBugs - Loads gpu_bugs.mjs and what is remembered; tests have their own. */
  constructor(private readonly loadBugs: () => Promise<BugRecord> = loadGpuBugs) {}

  /** Reads what earlier pages have found, once. Never rejects: without storage nothing is known. */
  load(): Promise<void> {
    this.#loading ??= this.#load().catch(() => undefined);
    return this.#loading;
  }

  /** Takes over what another thread of this page has found. */
  async learn(bugs: readonly GpuBug[]): Promise<void> {
    if (bugs.length === 0) return;
    this.#bugs ??= await this.loadBugs();
    this.#bugs.add(bugs);
  }

  /** @throws KnownBugError where there are nodes that are not to run on WebNN. */
  check(graph: WebnnGraph, operands: Operands): void {
    const excluded = this.#bugs?.excludedIn(graph, operands) ?? [];
    if (excluded.length > 0) throw new KnownBugError(excluded);
  }

  /** Searches the graphs of a model for the node that has ended the process. Never rejects. */
  async search(graphs: readonly WebnnGraph[], webnn: SearchedWebnn, heap: HeapReader): Promise<BugSearch> {
    try {
      this.#bugs ??= await this.loadBugs();
    } catch (error) {
      const result = `and what would search for the cause is missing: ${messageOf(error)}`;
      return { outcome: 'failed', result, bugs: [] };
    }
    return this.#bugs.search(graphs, webnn, heap);
  }

  async #load(): Promise<void> {
    const databases = (await globalThis.indexedDB?.databases?.()) ?? [];
    if (databases.some(({ name }) => name === BUG_DATABASE)) this.#bugs = await this.loadBugs();
  }
}

async function loadGpuBugs(): Promise<BugRecord> {
  const { GpuBugs } = await import('./gpu_bugs.mjs').catch((cause: unknown) => {
    throw missingScript(cause);
  });
  return GpuBugs.load();
}

/** The guard of this thread. */
export const bugGuardHere = /* @__PURE__ */ new BugGuard();
