/** Wasm instances that small models share: one heap and one pool of threads, so that many models fit into a page. */

import { heapBuffer } from './model_file.js';
import type { RunnerPointer } from './wasm_binding_types.js';
import type { WasmInstance, WasmModule } from './wasm_module.js';
import { hasTrapped } from './wasm_runner.js';

/** A model of a larger file has its own instance, so that dispose() gives its memory back. */
const MAX_FILE_BYTES = 8 << 20;
/** A heap never shrinks, and ends at 4 GiB: when it is this large, further models share another one. */
const MAX_HEAP_BYTES = 2 ** 30;

interface SharedInstance {
  readonly making: Promise<WasmInstance>;
  /** What `making` has made. */
  made: WasmInstance | null;
  /** How many models are in it, or wait for it. */
  users: number;
}

/** The instances that take further models, by the keys of their modules. */
const open = new Map<string, SharedInstance>();
const forgotten = new FinalizationRegistry<() => void>((leave) => leave());

/** Whether a model of such a file shares an instance of this module. */
export function isShared({ key }: WasmModule, fileBytes: number): boolean {
  return key !== undefined && fileBytes <= MAX_FILE_BYTES;
}

/**
 * An instance for one more model, which ends with the last of its models that is closed or forgotten. Its threads may
 * still start.
 */
export async function shareInstance(wasm: WasmModule): Promise<WasmInstance> {
  const key = wasm.key as string;
  const shared = find(key) ?? make(wasm, key);
  const runners = new Set<RunnerPointer>();
  const leave = leavingOf(shared, key, runners);
  try {
    const instance = { ...(await shared.making), runners, close: leave };
    forgotten.register(instance, leave, leave);
    return instance;
  } catch (error) {
    leave();
    throw error;
  }
}

function find(key: string): SharedInstance | undefined {
  const shared = open.get(key);
  const made = shared?.made;
  return made && (hasTrapped(made) || heapBuffer(made.bindings).byteLength > MAX_HEAP_BYTES) ? undefined : shared;
}

function make(wasm: WasmModule, key: string): SharedInstance {
  const making = wasm.instantiate(true);
  const shared: SharedInstance = { making, made: null, users: 0 };
  open.set(key, shared);
  const close = () => closeTo(shared, key);
  making.then((instance) => {
    shared.made = instance;
    instance.started?.catch(close); // its models get instances of their own
  }, close);
  return shared;
}

/** Lets no further model in. */
function closeTo(shared: SharedInstance, key: string): void {
  if (open.get(key) === shared) open.delete(key);
}

/** What a model does once, at the latest when its WasmInstance is forgotten, to which this must not refer. */
function leavingOf(shared: SharedInstance, key: string, runners: Set<RunnerPointer>): () => void {
  let isIn = true;
  shared.users++;
  const leave = () => {
    if (!isIn) return;
    isIn = false;
    forgotten.unregister(leave);
    const { made } = shared;
    if (made && !hasTrapped(made)) for (const runner of runners) made.bindings._tflite_runner_delete(runner);
    if (--shared.users > 0) return;
    closeTo(shared, key);
    made?.close();
  };
  return leave;
}
