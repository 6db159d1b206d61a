/** Graphs that share a wasm instance: their memory, and what a crash of one costs. */

import {
  loadWasmModule,
  MAX_SHARED_BYTES,
  SharedInstances,
  type WasmInstance,
  type WasmModule,
  WasmRunner,
  WasmTrapError,
} from 'tflite-webnn/wasm';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { EngineContext, RecordedGraph } from 'webnn-polyfill';
import { describeOnModule, WASM } from '../../../../built_module.js';
import { GraphPool, type SharedGraph } from '../../src/tflite/engine/graph_pool.js';
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

type Bindings = WasmInstance['bindings'];

/** What instances of graphs are entered by, the latest last. */
const entered: Bindings[] = [];

/** Crashes the next call of a function in the latest instance. */
function crashNext(name: '_tflite_runner_init' | '_tflite_runner_invoke'): void {
  vi.spyOn(entered.at(-1) as Bindings, name).mockImplementationOnce(() => {
    throw new WebAssembly.RuntimeError('a crash');
  });
}

beforeEach(() => {
  const { share } = SharedInstances.prototype;
  vi.spyOn(SharedInstances.prototype, 'share').mockImplementation(async function (this: SharedInstances, wasm) {
    const instance = await share.call(this, wasm);
    entered.push(instance.bindings);
    return instance;
  });
});

afterEach(() => {
  entered.splice(0);
});

function heapBytes({ bindings }: WasmInstance): number {
  return bindings.HEAPU8.byteLength;
}

describeOnModule('GraphPool', () => {
  let instances: WasmInstance[];
  let crashNextRebuild = false;
  let pool: GraphPool;
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
      if (crashNextRebuild) {
        entered.push(instance.bindings);
        crashNext('_tflite_runner_init');
      }
      crashNextRebuild = false;
      return instance;
    };
    pool = new GraphPool({ ...wasm, instantiate });
    context = new LocalContext(pool);
  });

  /** Builds x + value, and runs it on zeros. */
  async function build(value: number, engine = context) {
    const graph = await engine.build(sumGraph(bytes(value, value, value, value)));
    const [x, y] = [engine.createTensor(FLOATS), engine.createTensor(FLOATS)];
    graph.dispatch([x], [y]);
    return { graph, x, y };
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
    for (let iteration = 0; iteration < RELEASES; iteration++) await cycle();
    expect(instances).toHaveLength(1);
    expect(heapBytes(instances[0] as WasmInstance)).toBe(before);
  });

  it('frees a graph whose context is destroyed while it is built', async () => {
    const graphs: SharedGraph[] = [];
    vi.spyOn(GraphPool.prototype, 'remove').mockImplementation((graph) => void graphs.push(graph));
    const building = context.build(sumGraph(bytes(1, 1, 1, 1)));
    context.destroy();
    await building;
    expect(graphs).toHaveLength(1);
  });

  it('loads a large graph in its own instance', async () => {
    await build(1);
    await context.build(wideGraph(MAX_SHARED_BYTES / 4));
    await build(2);
    expect(instances).toHaveLength(2);
  });

  it('loads the other graphs into a fresh instance when a build crashes', async () => {
    const [first, second] = [await build(1), await build(2)];
    crashNext('_tflite_runner_init');
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
    crashNext('_tflite_runner_invoke');
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
    crashNext('_tflite_runner_init');
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
    crashNext('_tflite_runner_invoke');
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
    crashNext('_tflite_runner_invoke');
    for (const { graph, tensors } of [failing, other]) graph.dispatch([tensors[0]], [tensors[1]]);
    expect(await failing.context.lost).toContain('a crash');
    expect(await values(other.tensors[1].read())).toEqual([1, 1, 1, 1]);
  });
});

describe('GraphPool on a fake module', () => {
  /** A graph that is in the instance from load() on. */
  function fakeGraph(load = (_instance: WasmInstance) => {}): SharedGraph & { readonly instances: WasmInstance[] } {
    const instances: WasmInstance[] = [];
    return {
      instances,
      isOrphaned: false,
      load(instance) {
        load(instance);
        instances.push(instance);
      },
      unload() {},
    };
  }

  function fakePool(heapSize: number) {
    const created: Bindings[] = [];
    const instantiate = vi.fn(async () => {
      const bindings = { HEAPU8: { byteLength: heapSize, buffer: { byteLength: heapSize } } } as unknown as Bindings;
      created.push(bindings);
      return { bindings, threads: 1, close() {} } as unknown as WasmInstance;
    });
    return { instantiate, created, pool: new GraphPool({ instantiate } as unknown as WasmModule) };
  }

  /** Crashes an instance, as a model does in it. */
  function crash(instance: WasmInstance): void {
    Object.assign(instance.bindings, {
      _tflite_runner_create() {
        throw new WebAssembly.RuntimeError('a crash');
      },
    });
    new WasmRunner({ ...instance, log: [] }, new Uint8Array(8), {});
  }

  it.each([
    [2 ** 29, 1],
    [2 ** 31, 2],
  ])('lets no further graph into a full heap: %i bytes', async (heapSize, starts) => {
    const { pool, instantiate } = fakePool(heapSize);
    await pool.add(fakeGraph());
    await pool.add(fakeGraph());
    expect(instantiate).toHaveBeenCalledTimes(starts);
  });

  it.each([
    [2 ** 24, 1],
    [2 ** 27, 2],
  ])('keeps a small heap, not a large one, when it is empty: %i bytes', async (heapSize, starts) => {
    const { pool, instantiate } = fakePool(heapSize);
    for (let iteration = 0; iteration < 2; iteration++) {
      const graph = fakeGraph();
      await pool.add(graph);
      pool.remove(graph, graph.instances[0] as WasmInstance);
    }
    expect(instantiate).toHaveBeenCalledTimes(starts);
  });

  it('loads a graph into a fresh instance if one that is added in parallel crashes', async () => {
    const { pool, created } = fakePool(1);
    const other = fakeGraph();
    const adding = [pool.add(fakeGraph(crash)), pool.add(other)];
    await expect(adding[0]).rejects.toThrow(WasmTrapError);
    await adding[1];
    expect(created).toHaveLength(2);
    expect(other.instances.map(({ bindings }) => bindings)).toEqual([created[1]]);
  });

  it('does not load a graph that is removed while its instance starts', async () => {
    const { pool } = fakePool(1);
    const graph = fakeGraph();
    const adding = pool.add(graph);
    pool.remove(graph, null);
    await adding;
    expect(graph.instances).toEqual([]);
  });

  it('can start after a failure', async () => {
    const { pool, instantiate } = fakePool(1);
    instantiate.mockRejectedValueOnce(new Error('no memory'));
    await expect(pool.add(fakeGraph())).rejects.toThrow('no memory');
    await pool.add(fakeGraph());
    expect(instantiate).toHaveBeenCalledTimes(2);
  });
});
