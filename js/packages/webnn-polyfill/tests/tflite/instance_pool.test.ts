/** Graphs that share a wasm instance: their memory, and what a crash of one costs. */

import { loadWasmModule, type WasmInstance, WasmRunner, WasmTrapError } from 'tflite-webnn/wasm';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { describeOnModule, WASM } from '../../../../built_module.js';
import type { EngineContext } from '../../src/engine.js';
import type { RecordedGraph } from '../../src/graph.js';
import {
  InstancePool,
  MAX_SHARED_GRAPH_BYTES,
  type SharedGraph,
  SharedInstance,
} from '../../src/tflite/engine/instance_pool.js';
import { LocalContext, openLocalContext } from '../../src/tflite/engine/local_context.js';
import type { LocalTensor } from '../../src/tflite/engine/local_tensor.js';
import { PageContext } from '../../src/tflite/engine/page_context.js';
import { WorkerContext } from '../../src/tflite/engine/worker_context.js';
import { bytes, FLOATS, hostedWorker, sumGraph, values } from './engines.js';

const RELEASES = 60;

/** y = x + c of a number of floats. */
function wideGraph(size: number): RecordedGraph {
  const descriptor = { dataType: 'float32', shape: [size] } as const;
  return { ...sumGraph(new Uint8Array(4 * size).fill(1)), operands: [descriptor, descriptor, descriptor] };
}

/** Crashes the next run of a graph, whichever it is. */
function crashNextRun(): void {
  vi.spyOn(WasmRunner.prototype, 'invoke').mockImplementationOnce(() => {
    throw new WasmTrapError('a crash');
  });
}

function heapBytes({ bindings }: WasmInstance): number {
  return bindings.HEAPU8.byteLength;
}

describeOnModule('InstancePool', () => {
  let instances: WasmInstance[];
  let crashNextRebuild = false;
  let pool: InstancePool;
  let context: LocalContext;

  beforeEach(async () => {
    const started: WasmInstance[] = [];
    instances = started;
    crashNextRebuild = false;
    const wasm = await loadWasmModule(WASM);
    const instantiate = async () => {
      const instance = await wasm.instantiate();
      started.push(instance);
      if (started !== instances) return instance; // a test before has left it
      if (crashNextRebuild) crashNextBuild();
      crashNextRebuild = false;
      return instance;
    };
    pool = new InstancePool({ ...wasm, instantiate });
    context = new LocalContext(pool);
  });

  /** Builds x + value, and runs it on zeros. */
  async function build(value: number, engine = context) {
    const graph = await engine.build(sumGraph(bytes(value, value, value, value)));
    const [x, y] = [engine.createTensor(FLOATS), engine.createTensor(FLOATS)];
    graph.dispatch([x], [y]);
    return { graph, x, y };
  }

  function crashNextBuild(): void {
    vi.spyOn(instances.at(-1)?.bindings as WasmInstance['bindings'], '_tflite_runner_init').mockImplementationOnce(
      () => {
        throw new WebAssembly.RuntimeError('unreachable');
      },
    );
  }

  const firstOf = (tensor: LocalTensor) => new Float32Array(tensor.read().buffer)[0];

  it('has 200 graphs in one instance', async () => {
    const built = await Promise.all(Array.from({ length: 200 }, (_, value) => build(value)));
    expect(instances).toHaveLength(1);
    for (const [value, { graph, x, y }] of built.entries()) {
      x.write(bytes(1, 2, 3, 4));
      graph.dispatch([x], [y]);
      expect(await values(y.read())).toEqual([1, 2, 3, 4].map((element) => element + value));
    }
  });

  it('frees a graph that is destroyed, and those of a context', async () => {
    const cycle = async () => {
      const engine = new LocalContext(pool);
      const graph = await engine.build(wideGraph(2 ** 16));
      await engine.build(wideGraph(2 ** 16));
      graph.destroy();
      engine.destroy();
    };
    await cycle();
    const before = heapBytes(instances[0] as WasmInstance);
    for (let round = 0; round < RELEASES; round++) await cycle();
    expect(instances).toHaveLength(1);
    expect(heapBytes(instances[0] as WasmInstance)).toBe(before);
  });

  it('frees a graph whose context is destroyed while it is built', async () => {
    const graphs: SharedGraph[] = [];
    vi.spyOn(SharedInstance.prototype, 'remove').mockImplementation((graph) => graphs.push(graph));
    const building = context.build(sumGraph(bytes(1, 1, 1, 1)));
    context.destroy();
    await building;
    expect(graphs).toHaveLength(1);
  });

  it('gives a large graph its own instance', async () => {
    await build(1);
    await context.build(wideGraph(MAX_SHARED_GRAPH_BYTES / 4));
    await build(2);
    expect(instances).toHaveLength(2);
  });

  it('loads the other graphs into a fresh instance when a build crashes', async () => {
    const [first, second] = [await build(1), await build(2)];
    crashNextBuild();
    await expect(build(3)).rejects.toThrow(WasmTrapError);
    expect([firstOf(first.y), firstOf(second.y)]).toEqual([1, 2]); // out of the memory of the crashed instance
    await pool.rebuilding;
    expect(instances).toHaveLength(2);
    for (const { graph, x, y } of [first, second, await build(4)]) {
      x.write(bytes(10, 10, 10, 10));
      graph.dispatch([x], [y]);
    }
    expect([firstOf(first.y), firstOf(second.y)]).toEqual([11, 12]);
    expect(pool.rebuilding).toBeNull();
  });

  it('loads the graphs of other contexts into a fresh instance when a run crashes', async () => {
    const other = new LocalContext(pool);
    const [failing, sibling, kept] = [await build(1), await build(2), await build(3, other)];
    crashNextRun();
    failing.graph.dispatch([failing.x], [failing.y]);
    expect(await context.lost).toContain('a crash');
    await pool.rebuilding;
    expect([sibling, kept].map(({ graph }) => graph.isLoaded)).toEqual([true, true]);
    kept.graph.dispatch([kept.y], [kept.x]);
    expect(firstOf(kept.x)).toBe(6);
    expect(instances).toHaveLength(2);
  });

  it('leaves out a graph that crashes again while it is loaded', async () => {
    const [first, second, third] = [await build(1), await build(2), await build(3)];
    crashNextBuild();
    crashNextRebuild = true;
    await expect(build(4)).rejects.toThrow(WasmTrapError);
    while (pool.rebuilding !== null) await pool.rebuilding;
    expect([first, second, third].map(({ graph }) => graph.isLoaded)).toEqual([false, true, true]);
    second.graph.dispatch([second.x], [second.y]);
    expect(firstOf(second.y)).toBe(2);
    first.graph.dispatch([first.x], [first.y]);
    expect(await context.lost).toContain('is not loaded again');
  });

  it('loses the context of a graph that runs before it is loaded again', async () => {
    const other = new LocalContext(pool);
    const [failing, waiting] = [await build(1), await build(2, other)];
    crashNextRun();
    failing.graph.dispatch([failing.x], [failing.y]);
    waiting.graph.dispatch([waiting.x], [waiting.y]);
    expect(await other.lost).toContain('is not loaded again');
  });
});

describeOnModule('contexts that share an instance', () => {
  const opened: EngineContext[] = [];

  async function open(kind: 'worker' | 'page') {
    const worker = await WorkerContext.open(hostedWorker(), WASM);
    const context: EngineContext = kind === 'worker' ? worker : new PageContext(worker, () => openLocalContext(WASM));
    opened.push(context);
    const graph = await context.build(sumGraph(bytes(1, 1, 1, 1)));
    return { context, graph, tensors: [context.createTensor(FLOATS), context.createTensor(FLOATS)] as const };
  }

  afterEach(() => {
    for (const context of opened.splice(0)) context.destroy();
  });

  it.each(['worker', 'page'] as const)('wait in a %s until their graphs are loaded again', async (kind) => {
    const [failing, other] = [await open(kind), await open(kind)];
    crashNextRun();
    for (const { graph, tensors } of [failing, other]) graph.dispatch([tensors[0]], [tensors[1]]);
    expect(await failing.context.lost).toContain('a crash');
    expect(await values(other.tensors[1].read())).toEqual([1, 1, 1, 1]);
  });
});

describe('SharedInstance', () => {
  const graph: SharedGraph = { sizeBytes: 2 ** 28, isLoaded: true, load() {}, unload() {} };

  function fakePool(heapSize: number) {
    const bindings = { HEAPU8: { byteLength: heapSize } };
    const instantiate = vi.fn(async () => ({ bindings }) as unknown as WasmInstance);
    return { instantiate, pool: new InstancePool({ instantiate } as unknown as InstancePool['wasm']) };
  }

  it('is not used for more graphs when it is full', async () => {
    const { pool, instantiate } = fakePool(1);
    const [first, again] = [pool.instanceFor(1), pool.instanceFor(1)];
    expect(again).toBe(first);
    await first.add(graph);
    await pool.instanceFor(1).add(graph);
    expect(instantiate).toHaveBeenCalledTimes(2);
    first.remove(graph);
    expect(pool.instanceFor(1)).toBe(first);
  });

  it.each([
    [2 ** 24, 1],
    [2 ** 27, 2],
  ])('keeps a small heap, not a large one, when it is empty: %i bytes', async (heapSize, starts) => {
    const { pool, instantiate } = fakePool(heapSize);
    for (let round = 0; round < 2; round++) {
      const shared = pool.instanceFor(1);
      await shared.add(graph);
      shared.remove(graph);
    }
    expect(instantiate).toHaveBeenCalledTimes(starts);
  });

  it('loads a graph into a fresh instance if one that is added in parallel crashes', async () => {
    const { pool, instantiate } = fakePool(1);
    const crash = () => {
      throw new WasmTrapError('a crash');
    };
    const crashes = { ...graph, sizeBytes: 1, load: crash };
    const other = { ...graph, sizeBytes: 1, load: vi.fn() };
    const shared = pool.instanceFor(2);
    const adding = [shared.add(crashes), shared.add(other)];
    await expect(adding[0]).rejects.toThrow('a crash');
    await adding[1];
    expect(instantiate).toHaveBeenCalledTimes(2);
    expect(other.load.mock.calls).toEqual([[await instantiate.mock.results[1]?.value]]);
  });

  it('can start after a failure', async () => {
    const { pool, instantiate } = fakePool(1);
    instantiate.mockRejectedValueOnce(new Error('no memory'));
    const shared = pool.instanceFor(1);
    await expect(shared.add(graph)).rejects.toThrow('no memory');
    await shared.add(graph);
    expect(instantiate).toHaveBeenCalledTimes(2);
  });
});
