import { describe, expect, it } from 'vitest';
import type { WasmBindings, WasmModuleArguments } from '../src/wasm/wasm_binding_types.js';
import { endThreads, failureOfThreads, openWasmModule } from '../src/wasm/wasm_module.js';

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
