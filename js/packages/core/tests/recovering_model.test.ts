import { ContextLostError, ModelDisposedError } from 'tflite-webnn';
import { describe, expect, it } from 'vitest';
import { TFLiteModel } from '../src/load/tflite_model.js';
import { RecoveringModel } from '../src/model/recovering_model.js';
import { reportOn } from '../src/report/report.js';
import { type FakeRunner, FakeWasm } from './fakes/fake_wasm.js';
import { backendOn, FAKE_LIMITS, FakeContext } from './fakes/fake_webnn.js';
import { DIRECT, expectRight, STEPPED, sinRunner, X } from './fakes/sin_model.js';
import { STATEFUL } from './fakes/state_model.js';

const OPTIONS = { enableWebnnDelegate: true };

/** A model on the first context; `others` are what the browser provides afterwards, in order (null: nothing yet). */
async function load(behaviour: FakeRunner, contexts: readonly (FakeContext | null)[]) {
  const wasm = new FakeWasm(behaviour);
  const backends = contexts.map((context) => context && backendOn(context));
  const reopenWebnn = async () => backends.shift() ?? { context: null, reason: 'the GPU is gone' };
  const parts = { wasm, model: new Uint8Array(8), options: {}, webnn: await reopenWebnn(), reopenWebnn };
  const recovering = await RecoveringModel.prepare(parts);
  const model = new TFLiteModel(recovering, () => reportOn(recovering, OPTIONS, wasm, 0));
  return { model, wasm };
}

/** What the context still holds: everything that it created and nobody destroyed. */
function leftOn({ calls }: FakeContext): string[] {
  const created = calls.flatMap((call) => /^(?:create|build) (\w+)/.exec(call)?.[1] ?? []);
  return created.filter((name) => !calls.includes(`destroy ${name}`));
}

type ContextMethod = 'dispatch' | 'readTensor' | 'createTensor';

/** A context that is lost at its first call of this kind, which fails. */
function lostAt(method: ContextMethod): FakeContext {
  const context = new FakeContext();
  loseAt(context, method);
  return context;
}

function loseAt(context: FakeContext, method: ContextMethod): void {
  const original = context[method].bind(context) as (...args: unknown[]) => unknown;
  Object.assign(context, {
    [method]: (...args: unknown[]) => {
      context.lose(`lost at ${method}`);
      return original(...args);
    },
  });
}

/** A context that is lost while it builds. */
function lostAtBuild(): FakeContext {
  const context: FakeContext = new FakeContext({
    rejectBuild: () => {
      context.lose('lost at build');
      return null;
    },
  });
  return context;
}

describe('a context that is lost while the model is idle', () => {
  it.each([
    ['direct', DIRECT, 2],
    ['stepped', STEPPED, 1], // its wasm instance is still there
  ])('is replaced on the next use (%s)', async (mode, description, instances) => {
    const [first, second] = [new FakeContext(), new FakeContext()];
    const { model, wasm } = await load(sinRunner(description), [first, second]);
    await expectRight(model);
    first.lose('the GPU was unplugged');
    await expectRight(model);
    await expectRight(model);
    expect(model.executionMode).toBe(mode);
    expect((await model.report()).webnn).toMatchObject({
      used: true,
      contextLosses: 1,
      lastContextLoss: 'the GPU was unplugged',
    });
    expect(wasm.instances).toHaveLength(instances);
    expect(leftOn(first)).toEqual([]);
    model.dispose();
    expect(leftOn(second)).toEqual([]);
    expect([first.destroyed, second.destroyed]).toEqual([true, true]);
  });

  it('costs a model no memory of what was before', async () => {
    const [first, second] = [new FakeContext(), new FakeContext()];
    const { model } = await load(sinRunner(STATEFUL), [first, second]);
    const sums: (number | undefined)[] = [];
    for (const x of [1, 2, 3]) {
      sums.push((await model.run(new Float32Array(4).fill(x)))[0]?.data[0] as number);
      if (x === 2) first.lose('idle');
    }
    expect(sums).toEqual([1, 3, 6]);
    expect((await model.report()).webnn.contextLosses).toBe(1);
  });

  it('is replaced by one with other limits: the model is partitioned again', async () => {
    const { sin: _, ...withoutSin } = FAKE_LIMITS;
    const [first, second] = [new FakeContext(), new FakeContext({ limits: withoutSin })];
    const { model, wasm } = await load(sinRunner(STEPPED), [first, second]);
    first.lose('');
    await expectRight(model);
    expect(wasm.instances).toHaveLength(2);
    expect(wasm.instances[1]?.options.webnn_op_support_limits).not.toContain('sin.input');
  });

  it('sends the model to the CPU where the browser provides no other', async () => {
    const context = new FakeContext();
    const { model } = await load(sinRunner(DIRECT), [context]);
    context.lose('the GPU was unplugged');
    await expectRight(model);
    await expectRight(model);
    expect(model.executionMode).toBe('cpu');
    expect((await model.report()).webnn.reason).toBe(
      'the browser took the WebNN context away (the GPU was unplugged) and provided no other: the GPU is gone',
    );
  });

  it('is replaced as soon as the browser has recovered', async () => {
    const [first, second] = [new FakeContext(), new FakeContext()];
    const { model } = await load(sinRunner(DIRECT), [first, null, second]);
    first.lose('the GPU process crashed');
    await expectRight(model);
    expect((await model.report()).webnn).toMatchObject({ used: true, reason: null, contextLosses: 1 });
  });

  it('does not keep the model from being disposed', async () => {
    const context = new FakeContext();
    const { model } = await load(sinRunner(DIRECT), [context]);
    context.lose('');
    model.dispose();
    expect(leftOn(context)).toEqual([]);
    await expect(model.run(Float32Array.from(X))).rejects.toThrow(ModelDisposedError);
  });
});

describe('a context that is lost while the model runs', () => {
  it.each(['dispatch', 'readTensor'] as const)('is replaced, and the run repeated (%s)', async (method) => {
    const [first, second] = [lostAt(method), new FakeContext()];
    const { model } = await load(sinRunner(DIRECT), [first, second]);
    await expectRight(model);
    expect((await model.report()).webnn.contextLosses).toBe(1);
    expect(leftOn(first)).toEqual([]);
  });

  it('ends the run of a model of which wasm has computed a part; the next run is on a new context', async () => {
    const first = new FakeContext();
    const { model } = await load(sinRunner(STEPPED), [first, new FakeContext()]);
    await expectRight(model);
    loseAt(first, 'readTensor');
    const error = await model.run(Float32Array.from(X)).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ContextLostError);
    expect((error as Error).message).toMatch(/lost at readTensor.*Run it again/);
    await expectRight(model);
    expect(model.executionMode).toBe('stepped');
  });

  it('is replaced once in a run, and not for ever', async () => {
    const contexts = [new FakeContext(), ...Array.from({ length: 4 }, () => lostAt('dispatch'))];
    const { model } = await load(sinRunner(DIRECT), contexts);
    await expectRight(model);
    loseAt(contexts[0] as FakeContext, 'dispatch');
    await expect(model.run(Float32Array.from(X))).rejects.toThrow(ContextLostError);
    await expectRight(model);
    expect(model.executionMode).toBe('cpu');
    expect((await model.report()).webnn.reason).toContain('away 3 times in a row (lost at dispatch)');
    expect((await model.report()).webnn.contextLosses).toBe(3);
    for (const context of contexts) expect(leftOn(context)).toEqual([]);
  });

  it('counts as a single loss after a run that succeeded', async () => {
    const contexts = Array.from({ length: 7 }, () => new FakeContext());
    const { model } = await load(sinRunner(DIRECT), contexts);
    for (const context of contexts.slice(0, 6)) {
      await expectRight(model);
      context.lose('again');
    }
    await expectRight(model);
    expect(model.executionMode).toBe('direct');
    expect((await model.report()).webnn.contextLosses).toBe(6);
  });

  it('lets dispose() free the model after the run', async () => {
    const [first, second] = [lostAt('readTensor'), new FakeContext()];
    const { model } = await load(sinRunner(DIRECT), [first, second]);
    const run = model.run(Float32Array.from(X));
    model.dispose();
    await expect(run).resolves.toHaveLength(1);
    expect([leftOn(first), leftOn(second)]).toEqual([[], []]);
    expect([first.destroyed, second.destroyed]).toEqual([true, true]);
  });
});

describe('a context that is lost while graphs are built', () => {
  it.each([
    ['build', lostAtBuild],
    ['createTensor', () => lostAt('createTensor')],
  ])('is replaced (%s)', async (_, makeContext) => {
    const first = makeContext();
    const { model } = await load(sinRunner(DIRECT), [first, new FakeContext()]);
    expect(model.executionMode).toBe('direct');
    expect((await model.report()).webnn).toMatchObject({ contextLosses: 1, excludedNodes: [] });
    expect(leftOn(first)).toEqual([]);
    await expectRight(model);
  });

  it('is replaced when the model rebuilds itself, too', async () => {
    const [first, third] = [new FakeContext(), new FakeContext()];
    const { model } = await load(sinRunner(DIRECT), [first, lostAtBuild(), third]);
    first.lose('idle');
    await expectRight(model);
    expect(model.executionMode).toBe('direct');
    expect((await model.report()).webnn).toMatchObject({ contextLosses: 2, lastContextLoss: 'lost at build' });
  });

  it('sends the model to the CPU after two times, where even an addition is lost', async () => {
    const { model } = await load(sinRunner(DIRECT), [lostAtBuild(), lostAtBuild(), lostAtBuild(), new FakeContext()]);
    expect(model.executionMode).toBe('cpu');
    expect((await model.report()).webnn.reason).toContain(
      '2 times in a row (lost at build), also over a graph of one addition',
    );
    await expectRight(model);
  });

  it('lets dispose() free the model that is being rebuilt', async () => {
    const [first, second] = [new FakeContext(), new FakeContext()];
    const { model } = await load(sinRunner(DIRECT), [first, second]);
    first.lose('idle');
    const run = model.run(Float32Array.from(X));
    await Promise.resolve(); // the rebuilding has begun
    model.dispose();
    await run;
    expect(leftOn(second)).toEqual([]);
    expect(second.destroyed).toBe(true);
  });
});
