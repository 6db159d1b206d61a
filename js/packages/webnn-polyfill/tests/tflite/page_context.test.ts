/** The thread of a page's graphs: those of one addition are small here, others are not. */

import { afterEach, beforeEach, expect, it } from 'vitest';
import { describeOnModule, WASM } from '../../../../built_module.js';
import type { RecordedGraph } from '../../src/graph.js';
import { graphCost } from '../../src/tflite/engine/graph_cost.js';
import type { LocalContext } from '../../src/tflite/engine/local_context.js';
import { openLocalContext } from '../../src/tflite/engine/local_context.js';
import { PageContext } from '../../src/tflite/engine/page_context.js';
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

  it('computes others in the worker, where their tensors stay', async () => {
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

  it('takes contents that lie in a graph to the worker, and zeros', async () => {
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
