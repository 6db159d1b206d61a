/** The memory of wasm instances: the model files in it, what a crash leaves of it, and who shares an instance. */

import { InterpreterError, MEMORY_HINT, type WasmTrapError } from '../errors.js';
import type { BytesPointer, RunnerPointer, WasmBindings, WasmHeap } from './wasm_binding_types.js';
import type { WasmInstance, WasmModule } from './wasm_module.js';

/** The file as its caller provided it, or in the heap of a wasm instance. */
export type ModelFile = Uint8Array | HeapFile;

/** Beyond this many times the file, a heap is too much to keep for the file alone. It grows ahead of what is used. */
const MAX_HEAP_RATIO = 3;

/** What wasm32 can address. */
const MAX_SIZE_BYTES = 2 ** 32 - 1;

/**
 * Memory in the heap of a wasm instance.
 *
 * @throws InterpreterError where there is no more.
 */
export function allocate({ bindings }: WasmInstance, sizeBytes: number): BytesPointer {
  const address = sizeBytes > MAX_SIZE_BYTES ? 0 : bindings._malloc(Math.max(sizeBytes, 1)) >>> 0;
  if (address !== 0) return address as BytesPointer;
  throw new InterpreterError('OUT_OF_MEMORY', `WebAssembly has no ${sizeBytes} bytes for this model. ${MEMORY_HINT}`);
}

/**
 * A file in the heap of a wasm instance: a download goes there directly, and runners in that instance read it there.
 */
export class HeapFile {
  readonly #instance: WasmInstance;
  #isTaken = false;

  /** Allocates memory in the heap of a fresh instance. */
  static allocate(instance: WasmInstance, byteLength: number): HeapFile {
    return new HeapFile(instance, allocate(instance, byteLength), byteLength);
  }

  constructor(
    instance: WasmInstance,
    readonly address: BytesPointer,
    public byteLength: number,
  ) {
    this.#instance = instance;
  }

  /** A view, which is detached when the heap grows. */
  get bytes(): Uint8Array {
    return new Uint8Array(heapBuffer(this.#instance.bindings), this.address, this.byteLength);
  }

  /** The same file for another runner in this instance. */
  forBorrower(): HeapFile {
    const host = this.#instance;
    return new HeapFile({ ...host, host }, this.address, this.byteLength);
  }

  /** The instance, for the first runner that is opened; null for those after it: a runner's instance is its own. */
  takeInstance(): WasmInstance | null {
    if (this.#isTaken) return null;
    this.#isTaken = true;
    return this.#instance;
  }

  /** Whether the file lies in this instance already. */
  isIn(instance: WasmInstance): boolean {
    return instance.bindings === this.#instance.bindings;
  }

  /** The file without its instance: a copy if most of the heap is something else. */
  compact(): ModelFile {
    const heapBytes = heapBuffer(this.#instance.bindings).byteLength;
    return heapBytes > MAX_HEAP_RATIO * this.byteLength ? this.bytes.slice() : this;
  }
}

/** The bytes of a file; a view that may be detached when wasm runs. */
export function fileBytes(file: ModelFile): Uint8Array {
  return file instanceof HeapFile ? file.bytes : file;
}

/** What trapped: the memory of such an instance is in an unknown state. */
export const traps = new WeakMap<WasmBindings, WasmTrapError>();

/** Whether a model in this instance has trapped: nothing can run there any more. */
export function hasTrapped({ bindings }: WasmInstance): boolean {
  return traps.has(bindings);
}

/** The heap of an instance, shared with threads. Views of it are detached when it grows: get it for each use. */
export function heapBuffer({ wasmMemory, HEAPU8 }: WasmHeap): ArrayBuffer {
  return (wasmMemory?.buffer ?? HEAPU8.buffer) as ArrayBuffer;
}

/**
 * Bytes of the largest model that shares an instance. A larger one has its own, so that dispose() returns its memory.
 */
export const MAX_SHARED_BYTES = 8 << 20;
/** A heap never shrinks, and ends at 4 GiB: when it is this large, further models share another one. */
const MAX_HEAP_BYTES = 2 ** 30;

interface SharedInstance {
  readonly creating: Promise<WasmInstance>;
  /** The instance; null while it is being created. */
  created: WasmInstance | null;
  /** How many models are in it, or wait for it. */
  users: number;
}

const forgotten = new FinalizationRegistry<() => void>((leave) => leave());

/** The instances of one module. One at a time accepts further models. */
export class SharedInstances {
  #open: SharedInstance | null = null;

  /**
   * An instance for one more model, which ends with the last of its models that is closed or forgotten. Its threads may
   * still start. Check hasTrapped(): another model that waited for it may have crashed it.
   */
  async share(wasm: WasmModule): Promise<WasmInstance> {
    const shared = this.#find() ?? this.#create(wasm);
    const runners = new Set<RunnerPointer>();
    const leave = leaving(shared, runners, () => this.#closeTo(shared));
    try {
      const instance = { ...(await shared.creating), runners, close: leave };
      forgotten.register(instance, leave, leave);
      return instance;
    } catch (error) {
      leave();
      throw error;
    }
  }

  #find(): SharedInstance | null {
    const created = this.#open?.created;
    const isFull = created && (hasTrapped(created) || heapBuffer(created.bindings).byteLength > MAX_HEAP_BYTES);
    return isFull ? null : this.#open;
  }

  #create(wasm: WasmModule): SharedInstance {
    const creating = wasm.instantiate();
    const shared: SharedInstance = { creating, created: null, users: 0 };
    this.#open = shared;
    const close = () => this.#closeTo(shared);
    creating.then((instance) => {
      shared.created = instance;
    }, close);
    return shared;
  }

  /** Lets no further model in. */
  #closeTo(shared: SharedInstance): void {
    if (this.#open === shared) this.#open = null;
  }
}

/** What a model does once, at the latest when its WasmInstance is forgotten, to which this must not refer. */
function leaving(shared: SharedInstance, runners: Set<RunnerPointer>, end: () => void): () => void {
  let isIn = true;
  shared.users++;
  const leave = () => {
    if (!isIn) return;
    isIn = false;
    forgotten.unregister(leave);
    const { created } = shared;
    if (created && !hasTrapped(created)) for (const runner of runners) created.bindings._tflite_runner_delete(runner);
    if (--shared.users > 0) return;
    end();
    created?.close();
  };
  return leave;
}

/** The instances of models, by the keys of their modules. */
const ofModels = new Map<string, SharedInstances>();

/** Whether a model of such a file shares an instance of this module. */
export function isShared({ key }: WasmModule, fileBytes: number): boolean {
  return key !== undefined && fileBytes <= MAX_SHARED_BYTES;
}

/** An instance for one more model of this page, see SharedInstances.share(). */
export function shareInstance(wasm: WasmModule): Promise<WasmInstance> {
  const key = wasm.key as string;
  const instances = ofModels.get(key) ?? new SharedInstances();
  ofModels.set(key, instances);
  return instances.share(wasm);
}
