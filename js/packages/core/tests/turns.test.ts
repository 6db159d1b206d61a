/** That loading gives the page's thread back between its steps. How long a step takes is not tested. */

import { beforeEach, describe, expect, it, vi } from 'vitest';
import { RecoveringModel } from '../src/model/recovering_model.js';
import { LoadMonitor, nextTask, Slices } from '../src/support/tasks.js';
import { buildGraph } from '../src/webnn/graph_executor.js';
import { FakeWasm } from './fakes/fake_wasm.js';
import { backendOn, FakeContext } from './fakes/fake_webnn.js';
import { DIRECT, ON_CPU, sinRunner } from './fakes/sin_model.js';

let yields: string[];

/** A page that records the calls of wasm before the page got its turn. */
function stubPage(callsSoFar: () => readonly string[] = () => []): void {
  vi.stubGlobal('document', {});
  const channel = globalThis.MessageChannel;
  vi.stubGlobal('MessageChannel', function TracedChannel() {
    yields.push(callsSoFar().join(', '));
    return new channel();
  });
}

beforeEach(() => {
  yields = [];
});
function parts(wasm: FakeWasm) {
  const reopenWebnn = async () => ({ context: null, reason: 'of the test' }) as const;
  return { wasm, model: new Uint8Array(8), options: {}, reopenWebnn };
}

describe('loading', () => {
  it('on the CPU yields before TFLite starts, before XNNPACK packs the weights, and after that', async () => {
    const wasm = new FakeWasm(sinRunner(ON_CPU));
    stubPage(() => wasm.calls);
    await RecoveringModel.prepare({ ...parts(wasm), webnn: null });
    expect(yields).toEqual(['', 'init 8 bytes', 'init 8 bytes, allocate subgraph 0']);
  });

  it('on WebNN yields before TFLite starts, before the delegate is applied, and before the graphs are built', async () => {
    const wasm = new FakeWasm(sinRunner(DIRECT));
    stubPage(() => wasm.calls);
    const context = new FakeContext();
    await RecoveringModel.prepare({ ...parts(wasm), webnn: backendOn(context) });
    const allocated = 'init 8 bytes, allocate subgraph 0';
    expect(yields).toEqual(['', 'init 8 bytes', allocated, allocated]);
    expect(wasm.instances[0]?.options.defer_allocation).toBe('1');
  });

  it('ends at an abort between two steps', async () => {
    const wasm = new FakeWasm(sinRunner(ON_CPU));
    const reason = new Error('the user left');
    const controller = new AbortController();
    stubPage(() => {
      if (wasm.calls.length === 1) controller.abort(reason);
      return wasm.calls;
    });
    const monitor = new LoadMonitor(controller.signal);
    await expect(RecoveringModel.prepare({ ...parts(wasm), webnn: null, monitor })).rejects.toBe(reason);
    expect(wasm.calls).toEqual(['init 8 bytes', 'close']);
  });
});

describe('slices', () => {
  it('yield where they have lasted long enough', async () => {
    stubPage();
    const now = vi.spyOn(performance, 'now').mockReturnValue(0);
    const slices = new Slices();
    const yieldsAt = async (ms: number) => {
      now.mockReturnValue(ms);
      await slices.pause();
      return yields.length;
    };
    expect(await yieldsAt(7)).toBe(0);
    expect(await yieldsAt(8)).toBe(1);
    expect(await yieldsAt(15)).toBe(1); // the next slice began at 8
    expect(await yieldsAt(16)).toBe(2);
  });

  it('of a graph end between its constants', async () => {
    stubPage();
    let ms = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => ms);
    const constant = (id: number) => ({ id, dataType: 'float32' as const, shape: [4], address: 0, byteLength: 16 });
    const graph = { inputs: [], constants: [1, 2, 3, 4].map(constant), operators: [], outputs: [] };
    const copied: number[] = [];
    const builder = {
      constant: () => {
        ms += 5;
        copied.push(ms);
      },
      build: async () => ({}),
    };
    await buildGraph(graph as never, builder as never, () => new Uint8Array(16));
    expect(copied).toEqual([5, 10, 15, 20]);
    expect(yields).toHaveLength(1); // at 10; the slice after it has lasted 5 when the last one comes
  });
});

describe('the next task', () => {
  it('comes once between two steps of models that are loaded at the same time', async () => {
    vi.stubGlobal('document', {});
    const order: string[] = [];
    const step = async (name: string) => {
      await nextTask();
      order.push(name);
      setImmediate(() => order.push('page'));
    };
    await Promise.all([step('one'), step('two')]);
    expect(order).toEqual(['one', 'page', 'two']);
  });

  /** Whether a long chain of microtasks has ended before it. */
  async function comesAfterMicrotasks(): Promise<boolean> {
    let isChainOver = false;
    const chain = (async () => {
      for (let link = 0; link < 100; link++) await null;
      isChainOver = true;
    })();
    await nextTask();
    const wasOver = isChainOver;
    await chain;
    return wasOver;
  }

  it('is another task in a page', async () => {
    vi.stubGlobal('document', {});
    expect(await comesAfterMicrotasks()).toBe(true);
  });

  it('is this one where there is no page', async () => {
    expect(await comesAfterMicrotasks()).toBe(false);
  });
});
