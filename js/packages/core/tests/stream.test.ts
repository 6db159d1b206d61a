import {
  InputError,
  ModelDisposedError,
  renderReport,
  type StreamSource,
  type TensorResult,
  type TFLiteModel,
} from 'tflite-webnn';
import { describe, expect, it, vi } from 'vitest';
import type { ModelDescription } from '../src/description.js';
import { TensorRing } from '../src/ml_tensors/stream.js';
import { FakeContext } from './fakes/fake_webnn.js';
import { leftOn, loadOn } from './fakes/load_fake.js';
import { DIRECT, expected, ON_CPU, STEPPED, sinRunner } from './fakes/sin_model.js';

const item = (x: number) => new Float32Array(4).fill(x);

/** Items 0, 1, ..., and how the source ended. */
class Source {
  taken = 0;
  closed = false;

  constructor(private readonly count: number) {}

  async *items(): AsyncGenerator<Float32Array> {
    try {
      while (this.taken < this.count) yield item(this.taken++);
    } finally {
      this.closed = true;
    }
  }
}

async function load(description: ModelDescription = DIRECT, contexts = [new FakeContext()]) {
  const model = await loadOn(contexts, sinRunner(description));
  return { model, context: contexts[0] as FakeContext };
}

async function firstValues(stream: AsyncIterable<TensorResult[]>): Promise<number[]> {
  const values: number[] = [];
  for await (const [y] of stream) values.push(y?.data[0] as number);
  return values;
}

const firstOutputs = (count: number) =>
  expected(Array.from({ length: count }, (_, x) => x)).map((value) => expect.closeTo(value, 4));

/** The maximum of dispatches that were in flight at the same time. */
function maxInFlight({ calls }: FakeContext): number {
  const tensors = calls.filter((call) => call.startsWith('create')).length;
  return tensors / 2 - 1; // two for each set, and the model's own two
}

describe('model.stream()', () => {
  it('frees its ring when it is left before the first item', async () => {
    const { model } = await load();
    const closed = vi.spyOn(TensorRing.prototype, 'close');
    const source = new Source(5);
    const stream = model.stream(source.items());
    await stream.return();
    expect(closed).toHaveBeenCalledOnce();
    expect(await stream.next()).toEqual({ done: true, value: undefined });
    expect(source.taken).toBe(0);
  });

  it('is counted in the report, and so is dispatch(); only runs are timed', async () => {
    const { model } = await load();
    await firstValues(model.stream(new Source(5).items()));
    await model.dispatch(item(1), new Float32Array(4));
    expect((await model.report()).partitions).toMatchObject([{ queuedDispatches: 6, dispatchMs: null }]);
    expect(renderReport(await model.report())).toContain(', 6 by dispatch() or stream(), not timed');
    await model.run(item(1));
    expect((await model.report()).partitions).toMatchObject([{ queuedDispatches: 6, dispatchMs: { count: 1 } }]);
  });

  it.each([
    ['direct', DIRECT],
    ['stepped', STEPPED],
    ['cpu', ON_CPU],
  ])('returns the results in order (%s)', async (_, description) => {
    const { model } = await load(description);
    const source = new Source(10);
    expect(await firstValues(model.stream(source.items()))).toEqual(firstOutputs(10));
    expect(source.closed).toBe(true);
  });

  it('accepts plain iterables, and empty ones', async () => {
    const { model } = await load();
    expect(await firstValues(model.stream([item(0), [item(1)]]))).toEqual(firstOutputs(2));
    expect(await firstValues(model.stream([]))).toEqual([]);
  });

  it.each([
    ['direct', DIRECT],
    ['cpu', ON_CPU],
  ])('returns the results of each item in its structure (%s)', async (_, description) => {
    const { model } = await load(description);
    const found = [];
    for await (const results of model.stream([item(0), { x: item(1) }])) found.push(results);
    expect(found).toMatchObject([[{ name: 'f', shape: [4] }], { f: { name: 'f', shape: [4] } }]);
  });

  it('has as many in flight as requested, and takes no more from the source than it has space for', async () => {
    const { model, context } = await load();
    const source = new Source(100);
    const stream = model.stream(source.items(), { inFlight: 4 });
    await stream.next();
    await vi.waitFor(() => expect(maxInFlight(context)).toBe(4));
    await new Promise((resolve) => setTimeout(resolve, 20)); // time to take more
    expect(maxInFlight(context)).toBe(4);
    expect(source.taken).toBeLessThanOrEqual(4);
    await stream.return();
  });

  it.each([
    ['stepped', STEPPED],
    ['cpu', ON_CPU],
  ])('does one at a time in %s mode', async (_, description) => {
    const { model } = await load(description);
    const source = new Source(100);
    const stream = model.stream(source.items(), { inFlight: 4 });
    await stream.next();
    expect(source.taken).toBe(1);
    await stream.return();
    expect(source.closed).toBe(true);
  });

  it('does not hold back a result while the source has nothing new', async () => {
    const { model } = await load();
    let more: (x: Float32Array) => void = () => undefined;
    async function* slow() {
      yield item(0);
      yield await new Promise<Float32Array>((resolve) => {
        more = resolve;
      });
    }
    const stream = model.stream(slow());
    expect((await stream.next()).value?.[0]?.data[0]).toBe(0);
    const second = stream.next();
    more(item(1));
    expect((await second).value?.[0]?.data[0]).toBeCloseTo(expected([1])[0] as number, 4);
    expect((await stream.next()).done).toBe(true);
  });

  it.each(['return', 'throw'] as const)('frees everything when the consumer leaves early (%s)', async (how) => {
    const { model, context } = await load();
    const before = leftOn(context);
    const source = new Source(100);
    const stream = model.stream(source.items());
    await stream.next();
    if (how === 'return') await stream.return();
    else await expect(stream.throw(new Error('enough'))).rejects.toThrow('enough');
    expect(leftOn(context)).toEqual(before);
    expect(source.closed).toBe(true);
  });

  it('does not wait for a source that never yields again', async () => {
    const { model } = await load();
    const never: StreamSource = {
      [Symbol.asyncIterator]: () => {
        let taken = 0;
        return { next: () => (taken++ === 0 ? Promise.resolve({ value: item(0) }) : new Promise(() => undefined)) };
      },
    };
    const stream = model.stream(never);
    await stream.next();
    expect(await stream.return()).toMatchObject({ done: true });
  });

  it.each(['source', 'inference'])('brings an error of the %s in its turn', async (origin) => {
    const { model, context } = await load();
    const before = leftOn(context);
    async function* items() {
      yield item(0);
      yield item(1);
      if (origin === 'source') throw new InputError('INPUT_SHAPE', 'no more frames');
      yield new Float32Array(3);
      yield item(3);
    }
    const values: number[] = [];
    const reading = (async () => {
      for await (const [y] of model.stream(items())) values.push(y?.data[0] as number);
    })();
    await expect(reading).rejects.toThrow(expect.objectContaining({ name: 'InputError', code: 'INPUT_SHAPE' }));
    expect(values).toEqual(firstOutputs(2));
    expect(leftOn(context)).toEqual(before);
  });

  it('goes on after a lost context', async () => {
    const [first, second] = [new FakeContext(), new FakeContext()];
    const { model } = await load(DIRECT, [first, second]);
    const source = new Source(12);
    const values: number[] = [];
    for await (const [y] of model.stream(source.items())) {
      values.push(y?.data[0] as number);
      if (values.length === 4) first.lose('the GPU was unplugged');
    }
    expect(values).toEqual(firstOutputs(12));
    expect(second.calls.filter((call) => call.startsWith('dispatch')).length).toBeGreaterThan(1);
    expect((await model.report()).webnn.contextLosses).toBe(1);
    model.dispose();
    expect([leftOn(first), leftOn(second)]).toEqual([[], []]);
  });

  it('ends with the model', async () => {
    const { model, context } = await load();
    const stream = model.stream(new Source(100).items());
    await stream.next();
    model.dispose();
    const remaining = async () => {
      for await (const _ of stream);
    };
    await expect(remaining()).rejects.toThrow(ModelDisposedError);
    expect(leftOn(context)).toEqual([]);
    expect(context.destroyed).toBe(true);
  });

  it('that nobody finishes is freed with the model', async () => {
    const { model, context } = await load();
    await abandon(model);
    model.dispose();
    await vi.waitFor(() => expect(leftOn(context)).toEqual([]));
  });

  it('ends with the signal: it waits neither for the source nor for an inference', async () => {
    for (const description of [DIRECT, ON_CPU]) {
      const { model, context } = await load(description);
      const abort = new AbortController();
      const source = new Source(100);
      const stream = model.stream(source.items(), { signal: abort.signal });
      await stream.next();
      const next = stream.next();
      abort.abort(new Error('enough'));
      await expect(next).rejects.toThrow('enough');
      expect(source.closed).toBe(true);
      expect(await stream.next()).toEqual({ done: true, value: undefined });
      model.dispose();
      await vi.waitFor(() => expect(leftOn(context)).toEqual([]));
    }
    const { model } = await load();
    const silent = { [Symbol.asyncIterator]: () => ({ next: () => new Promise<never>(() => undefined) }) };
    await expect(model.stream(silent, { signal: AbortSignal.timeout(5) }).next()).rejects.toThrow('timeout');
    await expect(model.stream(silent, { signal: AbortSignal.abort('before') }).next()).rejects.toBe('before');
  });

  it('requires an integer as the number of inferences in flight', async () => {
    const { model } = await load();
    for (const inFlight of [0, 1.5, Number.NaN])
      expect(() => model.stream([], { inFlight })).toThrow('"inFlight" is an integer');
  });
});

async function abandon(model: TFLiteModel): Promise<void> {
  await model.stream(new Source(100).items()).next();
}
