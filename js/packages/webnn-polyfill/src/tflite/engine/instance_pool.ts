/** The wasm instances of one thread. Small graphs share them, because a process has address space for about 125. */

import { type WasmInstance, type WasmModule, WasmTrapError } from 'tflite-webnn/wasm';

/** Size of the largest graph that shares an instance. A larger one frees its memory with its own instance. */
export const MAX_SHARED_GRAPH_BYTES = 2 ** 23;
/** Size of all graphs in one instance. */
const MAX_INSTANCE_BYTES = 2 ** 28;
/** An unused instance with a larger heap is dropped: a heap never shrinks. */
const MAX_UNUSED_HEAP_BYTES = 2 ** 26;

/** A graph in a shared instance. */
export interface SharedGraph {
  /** Estimated size of its constants and tensors. */
  readonly sizeBytes: number;
  /** False between a crash of its instance and the load into the next one. */
  readonly isLoaded: boolean;
  /** Allocates and prepares it in the instance. */
  load(instance: WasmInstance): void;
  /** Leaves an instance that has crashed; the tensors' contents are copied out. */
  unload(): void;
}

/** A wasm instance and its graphs. A crash costs the graph that caused it; the others get a fresh instance. */
export class SharedInstance {
  readonly #wasm: WasmModule;
  readonly #graphs = new Set<SharedGraph>();
  #starting: Promise<WasmInstance> | null = null;
  /** The latest that has started. */
  #instance: WasmInstance | null = null;
  #sizeBytes = 0;
  #rebuilding: Promise<void> | null = null;

  constructor(wasm: WasmModule) {
    this.#wasm = wasm;
  }

  /** Pending after a crash until the other graphs are in a fresh instance. */
  get rebuilding(): Promise<void> | null {
    return this.#rebuilding;
  }

  hasSpace(sizeBytes: number): boolean {
    return this.#sizeBytes + sizeBytes <= MAX_INSTANCE_BYTES;
  }

  /** Loads a graph, which stays until it is removed. */
  async add(graph: SharedGraph): Promise<void> {
    this.#sizeBytes += graph.sizeBytes;
    try {
      let instance: WasmInstance;
      do instance = await this.#start();
      while (instance !== this.#instance); // another graph that waited for it has crashed it
      graph.load(instance);
      this.#graphs.add(graph);
    } catch (error) {
      this.#sizeBytes -= graph.sizeBytes;
      this.recover(error);
      throw error;
    }
  }

  /** Removes a graph, which frees its memory itself. */
  remove(graph: SharedGraph): void {
    if (!this.#graphs.delete(graph)) return;
    this.#sizeBytes -= graph.sizeBytes;
    const heapBytes = this.#instance?.bindings.HEAPU8.byteLength ?? 0;
    if (this.#sizeBytes === 0 && heapBytes > MAX_UNUSED_HEAP_BYTES) this.#drop();
  }

  /** If the error is a crash of the instance, loads the graphs into a fresh one. */
  recover(error: unknown): void {
    if (!(error instanceof WasmTrapError)) return;
    this.#drop();
    for (const graph of this.#graphs) graph.unload();
    if (this.#graphs.size === 0) return;
    const rebuilding = this.#rebuild().finally(() => {
      if (this.#rebuilding === rebuilding) this.#rebuilding = null;
    });
    this.#rebuilding = rebuilding;
  }

  /** Never rejects: a graph that cannot be loaded fails when it runs next. */
  async #rebuild(): Promise<void> {
    const instance = await this.#start().catch(() => null);
    if (instance === null || instance !== this.#instance) return; // the next one has its own rebuild
    for (const graph of this.#graphs) {
      try {
        if (!graph.isLoaded) graph.load(instance);
      } catch (error) {
        this.remove(graph);
        this.recover(error);
        if (error instanceof WasmTrapError) return; // the others are loaded into the next instance
      }
    }
  }

  /** Returns the instance, even if it is replaced while it starts. */
  async #start(): Promise<WasmInstance> {
    for (;;) {
      this.#starting ??= this.#wasm.instantiate();
      const starting = this.#starting;
      try {
        const instance = await starting;
        if (starting !== this.#starting) continue;
        this.#instance = instance;
        return instance;
      } catch (error) {
        if (starting === this.#starting) this.#drop(); // so that a later build may succeed
        throw error;
      }
    }
  }

  #drop(): void {
    this.#starting = null;
    this.#instance = null;
  }
}

/** All instances that graphs of this thread share. */
export class InstancePool {
  readonly #shared: SharedInstance[] = [];

  constructor(readonly wasm: WasmModule) {}

  /** An instance with space for a graph of this size. */
  instanceFor(sizeBytes: number): SharedInstance {
    let shared = this.#shared.find((instance) => instance.hasSpace(sizeBytes));
    if (shared === undefined) {
      shared = new SharedInstance(this.wasm);
      this.#shared.push(shared);
    }
    return shared;
  }

  /** Pending while graphs are moved out of an instance that has crashed. */
  get rebuilding(): Promise<void> | null {
    for (const { rebuilding } of this.#shared) if (rebuilding !== null) return rebuilding;
    return null;
  }
}
