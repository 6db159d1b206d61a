import { loadTFLiteModel } from 'tflite-webnn';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { WasmBindings, WasmModuleArguments } from '../src/wasm/wasm_binding_types.js';
import * as wasmModule from '../src/wasm/wasm_module.js';
import { FakeWasm } from './fakes/fake_wasm.js';
import { ON_CPU, sinRunner } from './fakes/sin_model.js';
import { SIN_MODEL, writeModel } from './fakes/tiny_model.js';

const { endThreads, failureOfThreads, openWasmModule, waitForThreads } = wasmModule;

class FakeThread {
  #listener: ((event: ErrorEvent) => void) | undefined;

  addEventListener(_: 'error', listener: (event: ErrorEvent) => void): void {
    this.#listener = listener;
  }

  fail(message: string): void {
    this.#listener?.({ message } as ErrorEvent);
  }
}

function pool(...unusedWorkers: FakeThread[]) {
  let ended = 0;
  const PThread = { unusedWorkers, terminateAllThreads: () => void ended++ };
  return { bindings: { PThread }, ended: () => ended };
}

describe('failureOfThreads', () => {
  it('reports the first worker that fails', async () => {
    const [fine, bad] = [new FakeThread(), new FakeThread()];
    const failure = failureOfThreads(pool(fine, bad).bindings);
    bad.fail('rejected by the policy');
    expect(await failure).toBe('a thread could not be started: rejected by the policy');
  });

  it('has a message for an event without one', async () => {
    const bad = new FakeThread();
    const failure = failureOfThreads(pool(bad).bindings);
    bad.fail('');
    expect(await failure).toContain('its script could not be loaded');
  });
});

describe('endThreads', () => {
  it('ends the pool where there is one', () => {
    const threads = pool();
    endThreads(threads.bindings);
    endThreads({});
    expect(threads.ended()).toBe(1);
  });
});

const EMPTY_MODULE = Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0);

/** A module whose Emscripten part is this function. */
function moduleWith(factory: (options: WasmModuleArguments & { threadPoolSize?: number }) => Promise<unknown>) {
  const url = new URL('https://example.com/tflite_webnn.wasm');
  const importGlue = async () => ({ default: factory as never });
  return openWasmModule(
    'simd-threads',
    { wasm: url, glue: url, importGlue },
    2,
    async () => new Response(EMPTY_MODULE),
  );
}

describe('openWasmModule', () => {
  it('computes on one thread where no worker can be created, and has the reason', async () => {
    const bindings: Partial<WasmBindings> = { HEAPU8: new Uint8Array() };
    const wasm = await moduleWith(async ({ threadPoolSize }) => {
      if (threadPoolSize) throw new Error("Failed to construct 'Worker'");
      return bindings;
    });
    const instance = await wasm.instantiate();
    expect(instance.threads).toBe(1);
    expect(await instance.threadsReason).toContain("Failed to construct 'Worker'");
  });

  it('says what to do where there is no memory for an instance', async () => {
    const wasm = await moduleWith(async () => {
      throw new RangeError('WebAssembly.Memory(): could not allocate memory');
    });
    await expect(wasm.instantiate()).rejects.toMatchObject({
      code: 'OUT_OF_MEMORY',
      message: expect.stringContaining('Dispose of other models'),
    });
  });
});

/** Threads that neither start nor fail. */
const NEVER = new Promise<string>(() => {});
const LATE = 'the threads have not started yet';

describe('a report before the threads have started', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it('waits ten seconds and then says so', async () => {
    const wasm = new FakeWasm(sinRunner(ON_CPU));
    const instance = { ...wasm.instantiateNow(), threads: 2, threadsReason: NEVER };
    vi.spyOn(wasm, 'instantiate').mockResolvedValue(instance);
    vi.spyOn(wasmModule, 'compileFor').mockResolvedValue(wasm);
    const model = await loadTFLiteModel(writeModel(SIN_MODEL), { device: 'cpu', numThreads: 2 });
    vi.useFakeTimers();
    const settled = vi.fn();
    const report = model.report();
    report.finally(settled);
    await vi.advanceTimersByTimeAsync(9_999);
    expect(settled).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(settled).toHaveBeenCalled();
    expect((await report).threads).toMatchObject({ requested: 2, used: 1, reason: LATE });
    model.dispose();
  });

  it.each([
    ['have started', undefined],
    ['have failed', 'a thread could not be started'],
  ])('has what is known once they %s, and leaves no timer', async (_, reason) => {
    vi.useFakeTimers();
    expect(await waitForThreads(Promise.resolve(reason))).toBe(reason);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('keeps Node alive until then', async () => {
    const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
    const before = timers();
    let start = () => {};
    const waiting = waitForThreads(new Promise((resolve) => (start = () => resolve(undefined))));
    expect(timers()).toBe(before + 1); // those of unref() are not counted
    start();
    await waiting;
    expect(timers()).toBe(before);
  });
});
