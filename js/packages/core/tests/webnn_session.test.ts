/** Graphs and tensors of one model on WebNN: how they are created, what is rejected, what a failure leaves. */

import type { GraphPort } from 'tflite-webnn/explain';
import { describe, expect, it, vi } from 'vitest';
import type { ModelDescription } from '../src/description.js';
import { makeSchedule, type Schedule } from '../src/model/schedule.js';
import { WebnnSession } from '../src/model/webnn_session.js';
import { WebnnBuildError } from '../src/webnn/excluded_nodes.js';
import { FakeContext, FakeGraphBuilder, type FakeOptions } from './fakes/fake_webnn.js';
import { DIRECT, STEPPED } from './fakes/sin_model.js';

/** The constant of DIRECT, which is all that is read of the heap. */
const heap = () => new Uint8Array(new Float32Array([2]).buffer);

function on(context: FakeContext) {
  return { context, Builder: FakeGraphBuilder, guard: null };
}

interface Session {
  readonly context: FakeContext;
  readonly session: WebnnSession;
}

async function open(description: ModelDescription, options: FakeOptions = {}): Promise<Session> {
  const context = new FakeContext(options);
  const schedule = makeSchedule(description);
  return { context, session: await WebnnSession.create({ webnn: on(context), description, schedule, heap }) };
}

/** The error of building, and the calls of it. */
async function failure(description: ModelDescription, schedule: Schedule, options: FakeOptions = {}) {
  const context = new FakeContext(options);
  const building = WebnnSession.create({ webnn: on(context), description, schedule, heap });
  const error = await building.then(
    () => expect.unreachable('it should fail'),
    (error: unknown) => error as WebnnBuildError,
  );
  return { error, calls: context.takeCalls().split('\n') };
}

describe('building', () => {
  it('makes the graphs one after the other and reports each', async () => {
    const context = new FakeContext();
    const built: string[] = [];
    const begin = performance.now();
    const session = await WebnnSession.create({
      webnn: on(context),
      description: STEPPED,
      schedule: makeSchedule(STEPPED),
      heap,
      onBuilt: (graph) => built.push(`${graph} after ${context.calls.length} calls`),
    });
    expect(built).toEqual(['0 after 1 calls', '1 after 2 calls']);
    expect(session.graphs).toHaveLength(2);
    for (const { buildMs, devices, queuedDispatches } of session.graphs) {
      expect(buildMs).toBeGreaterThanOrEqual(0);
      expect(buildMs).toBeLessThanOrEqual(performance.now() - begin);
      expect([devices, queuedDispatches]).toEqual([null, 0]);
    }
  });

  it('has the devices that the browser names', async () => {
    const context = new FakeContext();
    class Builder extends FakeGraphBuilder {
      override async build(...args: Parameters<InstanceType<typeof FakeGraphBuilder>['build']>) {
        return Object.assign(await super.build(...args), { devices: ['gpu', 'cpu'] });
      }
    }
    const session = await WebnnSession.create({
      webnn: { ...on(context), Builder },
      description: DIRECT,
      schedule: makeSchedule(DIRECT),
      heap,
    });
    expect(session.graphs[0]?.devices).toEqual(['gpu', 'cpu']);
  });

  it('destroys what it has built when a later graph is rejected', async () => {
    const rejectBuild = (labels: readonly string[]) => (labels.includes('3:SIN') ? 'no' : null);
    const { error, calls } = await failure(STEPPED, makeSchedule(STEPPED), { rejectBuild });
    expect(error).toBeInstanceOf(WebnnBuildError);
    expect(calls.at(-1)).toBe('destroy graph0');
  });

  it('destroys the graphs when a tensor cannot be created', async () => {
    const { error, calls } = await failure(STEPPED, makeSchedule(STEPPED), { rejectTensors: true });
    expect(error).toBeInstanceOf(WebnnBuildError);
    expect(error.message).toMatch(/WebNN could not make a tensor: .*out of memory/);
    expect(error.node).toBeNull();
    expect(error.cause).toBeInstanceOf(DOMException);
    expect(calls.slice(-2)).toEqual(['destroy graph0', 'destroy graph1']);
  });
});

describe('inputs and outputs that share a tensor', () => {
  /** DIRECT's inputs and outputs bound to slots of others. */
  function bound(input: Partial<GraphPort>, output: Partial<GraphPort>): Schedule {
    const schedule = makeSchedule(DIRECT);
    const changes = [input, output];
    const slots = schedule.slots.map((slot, index) => ({ ...slot, port: { ...slot.port, ...changes[index] } }));
    return { ...schedule, slots };
  }

  it.each([
    ['data type', { dataType: 'int32' }],
    ['shape', { shape: [2, 2] }],
    ['rank', { shape: [4, 1] }],
    ['type of the tensor', { tensorType: 'int16' }],
  ] as const)('are rejected with another %s', async (_, change) => {
    for (const [wrong, name] of [
      [bound(change, {}), 't0'],
      [bound({}, change), 't5'],
    ] as const) {
      const { error, calls } = await failure(DIRECT, wrong);
      expect(error).toBeInstanceOf(WebnnBuildError);
      expect(error.node).toBeNull();
      expect(error.message).toContain(
        `WebNN cannot run the model: two graphs disagree on the type or shape of the tensor ${name} that they share`,
      );
      expect(calls).toEqual(['']); // nothing was built
    }
  });

  it('may have other names and ids', async () => {
    const other = bound({ id: 77, name: 'another' }, { id: 78 });
    const context = new FakeContext();
    const parts = { webnn: on(context), description: DIRECT, schedule: other, heap };
    await expect(WebnnSession.create(parts)).resolves.toBeDefined();
  });
});

describe('dispatches', () => {
  it('put a graph on the queue with its tensors', async () => {
    const { context, session } = await open(DIRECT);
    context.takeCalls();
    session.write(0, new Float32Array([0, 0, 0, 0]));
    session.dispatch(0);
    const result = new Float32Array(4).fill(9);
    await session.read(1, result);
    expect(Array.from(result)).toEqual([0, 0, 0, 0]);
    expect(context.takeCalls().split('\n')).toEqual([
      'write tensor0',
      'dispatch graph0 (t0=tensor0) -> (t5=tensor1)',
      'read tensor1 into',
    ]);
    expect(session.graphs[0]?.queuedDispatches).toBe(0);
  });

  it('with tensors from elsewhere are counted', async () => {
    const { context, session } = await open(DIRECT);
    const [input, output] = [session.tensor(0), session.tensor(1)];
    context.takeCalls();
    session.dispatchWith(0, { t0: input }, { t5: output });
    session.dispatchWith(0, { t0: input }, { t5: output });
    expect(session.graphs[0]?.queuedDispatches).toBe(2);
    expect(context.takeCalls()).toContain('dispatch graph0 (t0=tensor0) -> (t5=tensor1)');
    expect(session.isUnverified).toBe(true);
  });

  it('keep what they bind where no tensors are bound, and none were', async () => {
    const { context, session } = await open(DIRECT);
    const dispatch = vi.spyOn(context, 'dispatch');
    session.dispatch(0);
    session.bind();
    session.dispatch(0);
    expect(dispatch.mock.calls[1]?.[1]).toBe(dispatch.mock.calls[0]?.[1]);
  });

  it('leave the graphs unverified until a result has come back', async () => {
    const { session } = await open(DIRECT);
    const state = () => [session.isUnverified, session.isVerified];
    expect(state()).toEqual([false, false]);
    session.verify();
    expect(state()).toEqual([false, false]);
    session.dispatch(0);
    expect(state()).toEqual([true, false]);
    session.verify();
    expect(state()).toEqual([false, true]);
    session.dispatch(0);
    expect(state()).toEqual([false, true]);
  });
});

it('destroys all graphs and tensors', async () => {
  const { context, session } = await open(STEPPED);
  context.takeCalls();
  session.destroy();
  const tensors = makeSchedule(STEPPED).slots.map((_, index) => `destroy tensor${index}`);
  expect(context.takeCalls().split('\n')).toEqual(['destroy graph0', 'destroy graph1', ...tensors]);
});

it('leaves graphs alone that a browser cannot destroy', async () => {
  const context = new FakeContext();
  class Builder extends FakeGraphBuilder {
    override async build(...args: Parameters<InstanceType<typeof FakeGraphBuilder>['build']>) {
      return Object.assign(await super.build(...args), { destroy: undefined });
    }
  }
  const direct = { description: DIRECT, schedule: makeSchedule(DIRECT), heap };
  const session = await WebnnSession.create({ webnn: { context, Builder, guard: null }, ...direct });
  context.takeCalls();
  session.destroy();
  expect(context.takeCalls().split('\n')).toEqual(['destroy tensor0', 'destroy tensor1']);

  const failing = new FakeContext({ rejectTensors: true });
  const building = WebnnSession.create({ webnn: { context: failing, Builder, guard: null }, ...direct });
  await expect(building).rejects.toThrow('out of memory');
});
