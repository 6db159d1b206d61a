/**
 * Kinds of nodes that end the browser's GPU process, where WebNN computes, and the contexts of all pages with it. One
 * that was found is not tried again by this version of the browser. This module is the package's gpu_faults.mjs: it is
 * loaded where there are such kinds, see context_losses.ts.
 */

import type { WebnnGraph } from '../description.js';
import {
  FAULT_DATABASE,
  type FaultRecord,
  type FaultSearch,
  type GpuFault,
  type SearchedWebnn,
} from './context_losses.js';
import type { DeniedNode } from './denied_nodes.js';
import { findFault } from './find_fault.js';
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

/** Keeps faults. Both methods reject where the browser denies storage. */
export interface FaultStore {
  /** What was written by this version of the browser. */
  read(): Promise<readonly GpuFault[]>;
  /** Adds to it. What another version has written is deleted. */
  write(faults: readonly GpuFault[]): Promise<void>;
}

interface StoredFaults {
  readonly browser: string;
  readonly faults: readonly GpuFault[];
}

interface Environment {
  readonly indexedDB?: IDBFactory | undefined;
  readonly navigator?: { readonly userAgent?: string };
}

const STORE = 'gpu-faults';
const KEY = 'faults';
/** A load waits no longer: a database that another page blocks is as good as none. */
const TIMEOUT_MS = 1000;

/** The store of this thread's browser; null where there is none, as in Node. */
export function faultStoreHere(here: Environment = globalThis): FaultStore | null {
  const { indexedDB, navigator } = here;
  if (!indexedDB) return null;
  return new IndexedDbStore(indexedDB, navigator?.userAgent ?? '');
}

class IndexedDbStore implements FaultStore {
  constructor(
    private readonly factory: IDBFactory,
    private readonly browser: string,
  ) {}

  read(): Promise<readonly GpuFault[]> {
    return this.#use('readonly', (store) => this.#known(store));
  }

  write(faults: readonly GpuFault[]): Promise<void> {
    return this.#use('readwrite', async (store) => {
      const kinds = new Map([...(await this.#known(store)), ...faults].map((fault) => [fault.kind, fault]));
      await settled(store.put({ browser: this.browser, faults: [...kinds.values()] } satisfies StoredFaults, KEY));
    });
  }

  async #known(store: IDBObjectStore): Promise<readonly GpuFault[]> {
    const stored = (await settled(store.get(KEY))) as StoredFaults | undefined;
    return stored?.browser === this.browser ? stored.faults : [];
  }

  async #use<T>(mode: IDBTransactionMode, work: (store: IDBObjectStore) => Promise<T>): Promise<T> {
    const opening = this.factory.open(FAULT_DATABASE);
    opening.onupgradeneeded = () => opening.result.createObjectStore(STORE);
    const database = await Promise.race([settled(opening), tooLate()]);
    try {
      return await work(database.transaction(STORE, mode).objectStore(STORE));
    } finally {
      database.close();
    }
  }
}

function settled<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

function tooLate(): Promise<never> {
  return new Promise((_, reject) => setTimeout(reject, TIMEOUT_MS, new Error('IndexedDB does not open')));
}
