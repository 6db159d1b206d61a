/** The workers that the contexts of an engine share. */

import { expect, it, vi } from 'vitest';
import { describeOnModule, WASM } from '../../../../built_module.js';
import { EngineWorkers } from '../../src/tflite/engine/engine_workers.js';
import { WorkerContext } from '../../src/tflite/engine/worker_context.js';
import { bytes, FLOATS, fakeWorker, sumGraph, values } from './engines.js';

const WORKERS = 8;

describeOnModule('EngineWorkers', () => {
  function workersOf() {
    const started: (Worker & { terminate: ReturnType<typeof vi.fn> })[] = [];
    const start = () => {
      const worker = fakeWorker();
      const terminate = vi.fn(worker.terminate.bind(worker));
      started.push(Object.assign(worker, { terminate }));
      return worker;
    };
    const workers = new EngineWorkers(start);
    const terminations = () => started.map(({ terminate }) => terminate.mock.calls.length);
    return { started, terminations, open: () => WorkerContext.open(workers.next(), WASM) };
  }

  it('start no more than eight', async () => {
    const { started, terminations, open } = workersOf();
    const contexts: WorkerContext[] = [];
    for (let count = 0; count < 2 * WORKERS; count++) contexts.push(await open());
    expect(started).toHaveLength(WORKERS);
    for (const context of contexts.slice(0, WORKERS)) context.destroy();
    expect(terminations()).toEqual(Array(WORKERS).fill(0));
    for (const context of contexts.slice(WORKERS)) {
      const graph = await context.build(sumGraph(bytes(1, 1, 1, 1)));
      const [x, y] = [context.createTensor(FLOATS), context.createTensor(FLOATS)];
      graph.dispatch([x], [y]);
      expect(await values(y.read())).toEqual([1, 1, 1, 1]);
      context.destroy();
    }
    expect(terminations()).toEqual(Array(WORKERS).fill(1));
    (await open()).destroy();
    expect(started).toHaveLength(WORKERS + 1);
  });

  it('end with an error for each of their contexts', async () => {
    const { started, terminations, open } = workersOf();
    const contexts: WorkerContext[] = [];
    for (let count = 0; count <= WORKERS; count++) contexts.push(await open());
    started.at(-1)?.dispatchEvent(Object.assign(new Event('error'), { message: 'out of memory' }));
    for (const context of contexts.slice(-2)) expect(await context.lost).toContain('out of memory');
    expect(terminations().filter((count) => count > 0)).toHaveLength(1);
    for (const context of contexts) context.destroy();
  });
});
