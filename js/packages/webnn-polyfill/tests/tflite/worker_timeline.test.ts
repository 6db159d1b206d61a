import { MessageChannel } from 'node:worker_threads';
import { afterEach, describe, expect, it } from 'vitest';
import type { OwnBytes, TimelineCall, TimelineResponse } from '../../src/tflite/engine/timeline_protocol.js';
import { WorkerTensor } from '../../src/tflite/engine/worker_context.js';
import { WorkerTimeline } from '../../src/tflite/engine/worker_timeline.js';

let close = () => {};

/** A timeline whose worker logs the calls. */
function timelineOf(perform: (call: TimelineCall) => OwnBytes | null | undefined) {
  const { port1, port2 } = new MessageChannel();
  const batches: TimelineCall[][] = [];
  const failures: unknown[] = [];
  port2.on('message', (calls: TimelineCall[]) => {
    batches.push(calls);
    let reply: TimelineResponse;
    try {
      reply = { arrays: calls.map(perform).filter((array) => array !== undefined) };
    } catch (error) {
      reply = { failure: String(error) };
    }
    if ('failure' in reply || reply.arrays.length > 0) port2.postMessage(reply);
  });
  const timeline = new WorkerTimeline(port1 as unknown as MessagePort, (error) => failures.push(error));
  close = () => timeline.close();
  return { timeline, batches, failures };
}

afterEach(() => close());

/** Tensors as in a worker: a write returns the previous array, a read its content. */
function memory() {
  const contents = new Map<number, OwnBytes>();
  return ([method, id, array]: TimelineCall) => {
    const content = contents.get(id) ?? new Uint8Array(2);
    if (method === 'read') return content.slice();
    if (method !== 'write') return undefined;
    contents.set(id, array as OwnBytes);
    return content;
  };
}

describe('WorkerTimeline', () => {
  it('sends what is called before the script waits as one message, in order', async () => {
    const { timeline, batches } = timelineOf(memory());
    timeline.write(2, Uint8Array.of(5, 6), () => {});
    timeline.call(['dispatch', 7, [1], [2, 3]]);
    const reads = await Promise.all([timeline.read(2, null), timeline.read(3, null)]);
    expect(reads).toEqual([Uint8Array.of(5, 6), Uint8Array.of(0, 0)]);
    expect(batches.map((calls) => calls.map(([method]) => method))).toEqual([['write', 'dispatch', 'read', 'read']]);
    timeline.call(['destroyTensor', 1]);
    await Promise.resolve();
    expect(await timeline.read(2, null)).toEqual(Uint8Array.of(5, 6));
    expect(batches.slice(1).map((calls) => calls.map(([method]) => method))).toEqual([['destroyTensor'], ['read']]);
  });

  it('reports a failed worker to all readers, and to its owner', async () => {
    const { timeline, failures } = timelineOf(() => {
      throw new Error('no memory');
    });
    const first = timeline.read(1, null);
    await Promise.resolve();
    const reads = await Promise.allSettled([first, timeline.read(1, null)]);
    expect(reads.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(failures[0]).toContain('no memory');
  });
});

describe('WorkerTensor', () => {
  it('reads what was written, into the target or into an array that it does not keep', async () => {
    const { timeline } = timelineOf(memory());
    const tensor = new WorkerTensor(timeline, 1);
    tensor.write(Uint8Array.of(1, 2));
    const target = new Uint8Array(2);
    expect(await tensor.read(target)).toBe(target);
    const kept = await tensor.read();
    tensor.write(Uint8Array.of(3, 4));
    await tensor.read(target);
    expect([target, kept]).toEqual([Uint8Array.of(3, 4), Uint8Array.of(1, 2)]);
  });

  it('sends the arrays that have come back', async () => {
    const { timeline, batches } = timelineOf(memory());
    const tensor = new WorkerTensor(timeline, 1);
    const target = new Uint8Array(2);
    for (const value of [1, 2, 3]) {
      tensor.write(Uint8Array.of(value, value));
      await tensor.read(target);
      expect(target).toEqual(Uint8Array.of(value, value));
    }
    const reads = batches.flat().filter(([method]) => method === 'read');
    expect(reads.map(([, , free]) => free !== null)).toEqual([false, true, true]);
  });

  it('does not write into a target when it has been destroyed, nor into one that the page has transferred', async () => {
    const { timeline } = timelineOf(memory());
    const [first, second] = [new WorkerTensor(timeline, 1), new WorkerTensor(timeline, 2)];
    const targets = [new Uint8Array(2), new Uint8Array(2)] as const;
    for (const tensor of [first, second]) tensor.write(Uint8Array.of(7, 7));
    const reads = [first.read(targets[0]), second.read(targets[1])];
    first.destroy();
    structuredClone(targets[1], { transfer: [targets[1].buffer] });
    expect(await Promise.all(reads)).toEqual([Uint8Array.of(7, 7), Uint8Array.of(7, 7)]);
    expect(targets[0]).toEqual(Uint8Array.of(0, 0));
  });
});
