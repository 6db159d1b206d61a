/** Wasm instances that small models, or graphs of the polyfill, share: one heap and one pool of threads for many. */

import { heapBuffer } from './model_file.js';
import type { RunnerPointer } from './wasm_binding_types.js';
import type { WasmInstance, WasmModule } from './wasm_module.js';
import { hasTrapped } from './wasm_runner.js';

/** Bytes of the largest model that shares an instance. A larger one has its own, so that dispose() returns its memory. */
export const MAX_SHARED_BYTES = 8 << 20;
/** A heap never shrinks, and ends at 4 GiB: when it is this large, further models share another one. */
const MAX_HEAP_BYTES = 2 ** 30;

interface SharedInstance {
  readonly making: Promise<WasmInstance>;
  /** What `making` has made. */
  made: WasmInstance | null;
  /** How many models are in it, or wait for it. */
  users: number;
}

const forgotten = new FinalizationRegistry<() => void>((leave) => leave());

/** The instances of one module. One at a time takes further models. */
export class SharedInstances {
  #open: SharedInstance | null = null;

  /**
   * An instance for one more model, which ends with the last of its models that is closed or forgotten. Its threads may
   * still start. Check hasTrapped(): another model that waited for it may have crashed it.
   */
  async share(wasm: WasmModule): Promise<WasmInstance> {
    const shared = this.#find() ?? this.#make(wasm);
    const runners = new Set<RunnerPointer>();
    const leave = leaving(shared, runners, () => this.#closeTo(shared));
    try {
      const instance = { ...(await shared.making), runners, close: leave };
      forgotten.register(instance, leave, leave);
      return instance;
    } catch (error) {
      leave();
      throw error;
    }
  }

  #find(): SharedInstance | null {
    const made = this.#open?.made;
    return made && (hasTrapped(made) || heapBuffer(made.bindings).byteLength > MAX_HEAP_BYTES) ? null : this.#open;
  }

  #make(wasm: WasmModule): SharedInstance {
    const making = wasm.instantiate(true);
    const shared: SharedInstance = { making, made: null, users: 0 };
    this.#open = shared;
    const close = () => this.#closeTo(shared);
    making.then((instance) => {
      shared.made = instance;
      instance.started?.catch(close); // its models get instances of their own
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
    const { made } = shared;
    if (made && !hasTrapped(made)) for (const runner of runners) made.bindings._tflite_runner_delete(runner);
    if (--shared.users > 0) return;
    end();
    made?.close();
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
