/** The threads of a wasm instance: workers that Emscripten starts with it. */

import { messageOf } from '../errors.js';
import type { WasmBindings } from './wasm_binding_types.js';

type Threads = Pick<Partial<WasmBindings>, 'PThread'>;

/** Running workers keep their memory alive; they end when their instance is forgotten without having been closed. */
const forgotten = new FinalizationRegistry<Threads>(endThreads);

/** Ends the threads of an instance; without threads nothing happens. */
export function endThreads({ PThread }: Threads): void {
  PThread?.terminateAllThreads();
}

interface ThreadedInstance {
  readonly bindings: WasmBindings;
}

/** Ends the threads when nothing refers to the instance any more. */
export function closeWhenForgotten(instance: ThreadedInstance): void {
  const { PThread } = instance.bindings;
  if (PThread !== undefined) forgotten.register(instance, { PThread }, instance);
}

/** Ends the threads now. What waits for the instance to be forgotten would keep its memory. */
export function closeInstance(instance: ThreadedInstance): void {
  forgotten.unregister(instance);
  endThreads(instance.bindings);
}

/**
 * Waits for a worker that cannot be started, as where the page's policy forbids it, or its script is not there:
 * Emscripten would wait for it for ever.
 *
 * @param starting - What Emscripten's factory was called with: the pool is there when the call has returned.
 * @returns why, once a worker has failed; for ever pending where none does.
 */
export function failureOfThreads({ PThread }: Threads): Promise<Error> {
  return new Promise((resolve) => {
    const fail = (why: string) => resolve(new Error(`a thread could not be started: ${why}`));
    for (const worker of PThread?.unusedWorkers ?? []) {
      worker.addEventListener?.('error', (event) => {
        event.stopImmediatePropagation?.(); // Emscripten's listener would throw the event, at nobody
        fail(event.message || 'its script could not be loaded');
      });
      worker.on?.('error', (error) => fail(messageOf(error)));
    }
  });
}
