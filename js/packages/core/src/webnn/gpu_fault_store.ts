/** Where faults of the browser's GPU process are kept for later pages of the same origin: in IndexedDB, which workers have, too. */

import { FAULT_DATABASE, type GpuFault } from './context_losses.js';

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
