/** The small graphs of one thread. They share wasm instances; a crash costs the graph that caused it. */

import { hasTrapped, SharedInstances, type WasmInstance, type WasmModule, WasmTrapError } from 'tflite-webnn/wasm';

/** An instance without graphs is kept for the next one unless its heap is larger: a heap never shrinks. */
const MAX_IDLE_HEAP_BYTES = 2 ** 26;

/** A graph in a shared instance. */
export interface SharedGraph {
  /** Whether another graph has crashed its instance. */
  readonly isOrphaned: boolean;
  /** Allocates and prepares it in the instance, which it closes when it leaves. */
  load(instance: WasmInstance): void;
  /** Leaves an instance that has crashed; the tensors' contents are copied out. */
  unload(): void;
}

/** Loads graphs into shared instances, again after a crash of another one. */
export class GraphPool {
  readonly #instances = new SharedInstances();
  readonly #graphs = new Set<SharedGraph>();
  #idle: WasmInstance | null = null;
  #rebuilding: Promise<unknown> | null = null;

  constructor(readonly wasm: WasmModule) {}

  /** Pending while graphs are loaded again, because another one has crashed. */
  get rebuilding(): Promise<unknown> | null {
    return this.#rebuilding;
  }

  /** Loads a graph, which is resident until it is removed. */
  async add(graph: SharedGraph): Promise<void> {
    this.#graphs.add(graph);
    let instance: WasmInstance | null = null;
    try {
      do {
        instance?.close(); // another graph that waited for it has crashed it
        instance = await this.#instances.share(this.wasm);
      } while (hasTrapped(instance));
      if (this.#graphs.has(graph)) graph.load(instance);
      else instance.close(); // removed meanwhile
      this.#endIdle();
    } catch (error) {
      instance?.close();
      this.#graphs.delete(graph);
      this.recover(error);
      throw error;
    }
  }

  /** Removes a graph, which has freed its memory in the instance. */
  remove(graph: SharedGraph, instance: WasmInstance | null): void {
    this.#graphs.delete(graph);
    if (instance === null) return;
    const isLast = this.#graphs.size === 0 && !hasTrapped(instance);
    if (isLast && heapBytes(instance) <= MAX_IDLE_HEAP_BYTES) {
      this.#endIdle();
      this.#idle = instance;
    } else {
      instance.close();
    }
  }

  /** If the error is a crash of an instance, loads its other graphs into another one. One that fails fails when it runs. */
  recover(error: unknown): void {
    if (!(error instanceof WasmTrapError)) return;
    const orphans = [...this.#graphs].filter(({ isOrphaned }) => isOrphaned);
    if (orphans.length === 0) return;
    for (const graph of orphans) graph.unload();
    const loading = orphans.map((graph) => this.add(graph));
    const rebuilding = Promise.allSettled([this.#rebuilding, ...loading]).finally(() => {
      if (this.#rebuilding === rebuilding) this.#rebuilding = null;
    });
    this.#rebuilding = rebuilding;
  }

  #endIdle(): void {
    this.#idle?.close();
    this.#idle = null;
  }
}

function heapBytes({ bindings }: WasmInstance): number {
  return bindings.HEAPU8.byteLength;
}
