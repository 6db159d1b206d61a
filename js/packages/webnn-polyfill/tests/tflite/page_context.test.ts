/** The thread of a page's graphs: those of one addition are small here, others are not. */

import { MAX_SHARED_BYTES } from 'tflite-webnn/wasm';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { RecordedGraph } from 'webnn-polyfill';
import { describeOnModule, WASM } from '../../../../built_module.js';
import { graphCost } from '../../src/tflite/engine/graph_cost.js';
import { LocalContext, openLocalContext } from '../../src/tflite/engine/local_context.js';
import { PageContext } from '../../src/tflite/engine/page_context.js';
import type { GraphFile } from '../../src/tflite/engine/timeline_protocol.js';
import { WorkerContext } from '../../src/tflite/engine/worker_context.js';
import { bytes, FLOATS, hostedWorker, sumGraph, values } from './engines.js';

const SMALL = sumGraph(bytes(1, 1, 1, 1));

/** y = x + c + c */
function largeGraph(constant: Uint8Array): RecordedGraph {
  const { operands, operators, ...graph } = sumGraph(constant);
  const [add] = operators as [RecordedGraph['operators'][number]];
  const again = { ...add, operands: { a: 2, b: 1 }, outputs: [3] };
  return {
    ...graph,
    operands: [...operands, FLOATS],
    operators: [add, again],
    outputs: [{ name: 'y', operand: 3 }],
  };
}

let context: PageContext;

async function open(openHere: () => Promise<LocalContext> = () => openLocalContext(WASM)): Promise<PageContext> {
  context = new PageContext(await WorkerContext.open(hostedWorker(), WASM), openHere, graphCost(SMALL));
  return context;
}

afterEach(() => context.destroy());

describeOnModule('PageContext', () => {
  let small: Awaited<ReturnType<PageContext['build']>>;
  let large: typeof small;

  beforeEach(async () => {
    await open();
    small = await context.build(sumGraph(bytes(1, 1, 1, 1)));
    large = await context.build(largeGraph(bytes(10, 10, 10, 10)));
  });

  it('computes small graphs immediately, in this thread', async () => {
    const [x, y] = [context.createTensor(FLOATS), context.createTensor(FLOATS)];
    x.write(bytes(1, 2, 3, 4));
    small.dispatch([x], [y]);
    expect(y.read()).toEqual(bytes(2, 3, 4, 5));
  });

  it('computes others in the worker, where their tensors remain', async () => {
    const [x, y] = [context.createTensor(FLOATS), context.createTensor(FLOATS)];
    x.write(bytes(1, 2, 3, 4));
    large.dispatch([x], [y]);
    expect([x.here, y.here]).toEqual([null, null]);
    x.write(bytes(0, 0, 0, 0));
    expect(await values(y.read())).toEqual([21, 22, 23, 24]);
    expect(await values(x.read())).toEqual([0, 0, 0, 0]);
  });

  it('keeps the order of the calls where tensors pass from one to the other', async () => {
    const [a, b, c] = [context.createTensor(FLOATS), context.createTensor(FLOATS), context.createTensor(FLOATS)];
    a.write(bytes(1, 2, 3, 4));
    small.dispatch([a], [b]); // here
    const first = b.read();
    large.dispatch([b], [c]); // in the worker, from now on b and c, too
    const second = c.read();
    small.dispatch([c], [a]); // in the worker, where c is
    const third = a.read();
    small.dispatch([a], [b]);
    const reads = [first, second, third, b.read()].map(values);
    expect(await Promise.all(reads)).toEqual([
      [2, 3, 4, 5],
      [22, 23, 24, 25],
      [23, 24, 25, 26],
      [24, 25, 26, 27],
    ]);
    expect([a, b, c].map(({ here }) => here)).toEqual([null, null, null]);
  });

  it('accepts contents that lie in a graph to the worker, and zeros', async () => {
    const [x, y, z] = [context.createTensor(FLOATS), context.createTensor(FLOATS), context.createTensor(FLOATS)];
    x.write(bytes(1, 2, 3, 4));
    small.dispatch([x], [y]);
    small.destroy();
    large.dispatch([x], [z]);
    expect(await values(z.read())).toEqual([21, 22, 23, 24]);
    large.dispatch([y], [z]);
    expect(await values(z.read())).toEqual([22, 23, 24, 25]);
    large.dispatch([context.createTensor(FLOATS)], [z]);
    expect(await values(z.read())).toEqual([20, 20, 20, 20]);
  });
});

describeOnModule('a small graph', () => {
  it('is loaded in the worker when a tensor is there, with its constants', async () => {
    await open();
    const load = vi.spyOn(LocalContext.prototype, 'load');
    const graphs = [await context.build(sumGraph(bytes(1, 1, 1, 1))), await context.build(sumGraph(bytes(2, 2, 2, 2)))];
    expect(load).not.toHaveBeenCalled();
    const tensors = [context.createTensor(FLOATS), context.createTensor(FLOATS)] as const;
    tensors[0].inWorker();
    for (const graph of [...graphs, ...graphs]) graph.dispatch([tensors[0]], [tensors[1]]);
    const [first] = graphs;
    first?.dispatch([tensors[1]], [tensors[0]]);
    for (const graph of graphs) graph.destroy();
    expect(await values(tensors[0].read())).toEqual([3, 3, 3, 3]);
    expect(load).toHaveBeenCalledTimes(2);
  });

  it('is waited for by later calls while it is loaded there', async () => {
    await open();
    const graph = await context.build(sumGraph(bytes(1, 1, 1, 1)));
    const load = LocalContext.prototype.load;
    const slowly = async function (this: LocalContext, file: GraphFile) {
      await new Promise((resolve) => setTimeout(resolve, 50));
      return load.call(this, file);
    };
    vi.spyOn(LocalContext.prototype, 'load').mockImplementation(slowly);
    const [x, y] = [context.createTensor(FLOATS), context.createTensor(FLOATS)];
    x.inWorker();
    graph.dispatch([x], [y]);
    await new Promise((resolve) => setTimeout(resolve, 1));
    x.write(bytes(5, 5, 5, 5));
    graph.dispatch([x], [y]);
    expect(await values(y.read())).toEqual([6, 6, 6, 6]);
  });

  it('loses its context if it cannot be loaded there', async () => {
    await open();
    const graph = await context.build(sumGraph(bytes(1, 1, 1, 1)));
    vi.spyOn(LocalContext.prototype, 'load').mockRejectedValue(new Error('no memory'));
    const tensor = context.createTensor(FLOATS);
    tensor.inWorker();
    graph.dispatch([tensor], [context.createTensor(FLOATS)]);
    const reading = tensor.read() as Promise<Uint8Array>;
    await expect(reading).rejects.toThrow('no memory');
    expect(await context.lost).toContain('no memory');
  });

  it('is loaded in the worker out of its own instance, if its constants are large', async () => {
    context = new PageContext(await WorkerContext.open(hostedWorker(), WASM), () => openLocalContext(WASM));
    const size = MAX_SHARED_BYTES / 8;
    const descriptor = { dataType: 'float32', shape: [size] } as const;
    const constant = new Uint8Array(new Float32Array(size).fill(1).buffer);
    const graph = await context.build({ ...sumGraph(constant), operands: [descriptor, descriptor, descriptor] });
    const [x, y] = [context.createTensor(descriptor), context.createTensor(descriptor)];
    x.inWorker();
    graph.dispatch([x], [y]);
    expect((await values(y.read())).slice(0, 2)).toEqual([1, 1]);
  });
});

describeOnModule('where this thread may not have wasm', () => {
  it('computes in the worker', async () => {
    await open(() => Promise.reject(new Error('the security policy forbids it')));
    const graph = await context.build(sumGraph(bytes(1, 1, 1, 1)));
    const [x, y] = [context.createTensor(FLOATS), context.createTensor(FLOATS)];
    graph.dispatch([x], [y]);
    expect(y.here).toBe(null);
    expect(await values(y.read())).toEqual([1, 1, 1, 1]);
  });
});
