import type { Remote } from 'comlink';
import { describe, expect, it } from 'vitest';
import type { TimelineCall, WorkerHost } from '../../src/tflite/engine/worker_host.js';
import { WorkerTimeline } from '../../src/tflite/engine/worker_timeline.js';

/** A worker that gives the id of each tensor as its content. */
function fakeHost(failure?: Error) {
  const batches: TimelineCall[][] = [];
  const host = {
    async perform(calls: TimelineCall[]) {
      batches.push(calls);
      if (failure !== undefined) throw failure;
      return calls.flatMap(([method, [id]]) => (method === 'read' ? [Uint8Array.of(id)] : []));
    },
  };
  return { batches, host: host as unknown as Remote<WorkerHost> };
}

describe('WorkerTimeline', () => {
  it('sends what is called before the script waits as one message, in order', async () => {
    const { batches, host } = fakeHost();
    const timeline = new WorkerTimeline(host, () => {});
    timeline.call(['write', [1, Uint8Array.of(5)]]);
    timeline.call(['dispatch', [7, { x: 1 }, { y: 2, z: 3 }]]);
    const reads = await Promise.all([timeline.read(2), timeline.read(3)]);
    expect(reads).toEqual([Uint8Array.of(2), Uint8Array.of(3)]);
    expect(batches.map((calls) => calls.map(([method]) => method))).toEqual([['write', 'dispatch', 'read', 'read']]);
    timeline.call(['destroyTensor', [1]]);
    await timeline.read(2);
    expect(batches[1]?.map(([method]) => method)).toEqual(['destroyTensor', 'read']);
  });

  it('tells who reads, and its owner, when the worker fails', async () => {
    const failure = new Error('no memory');
    const failures: unknown[] = [];
    const timeline = new WorkerTimeline(fakeHost(failure).host, (error) => failures.push(error));
    await expect(timeline.read(1)).rejects.toBe(failure);
    expect(failures).toEqual([failure]);
  });
});
