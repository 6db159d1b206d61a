/** Small models share a wasm instance: how many there are, when they end, and what a crash does to the others. */

import type { TensorResult } from 'tflite-webnn';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { TFLiteModel } from '../src/load/tflite_model.js';
import { RecoveringModel } from '../src/model/recovering_model.js';
import { reportOn } from '../src/report/report.js';
import { type FakeRunner, FakeWasm } from './fakes/fake_wasm.js';
import { backendOn, FakeContext } from './fakes/fake_webnn.js';
import { DIRECT, expected, ON_CPU, STEPPED, sinRunner, X } from './fakes/sin_model.js';

const SMALL = 8;
const LARGE = 9 << 20;
const INPUT = Float32Array.from(X);
const EXPECTED = expected(X).map((y) => expect.closeTo(y, 5));

interface Provided {
  readonly wasm?: FakeWasm;
  readonly fileBytes?: number;
  readonly context?: FakeContext | null;
}

let keys = 0;
const models: TFLiteModel[] = [];

function fakeWasm(behaviour: Partial<FakeRunner> = {}, description = ON_CPU): FakeWasm {
  const runner = sinRunner(description, { capacityBytes: 1 << 20, ...behaviour });
  return new FakeWasm(runner, 1, `module ${keys++}`);
}

async function load({ wasm = fakeWasm(), fileBytes = SMALL, context = null }: Provided = {}): Promise<TFLiteModel> {
  const webnn = context && backendOn(context);
  const reopenWebnn = () => Promise.reject(new Error('nothing was lost'));
  const parts = { wasm, model: new Uint8Array(fileBytes), options: {}, webnn, reopenWebnn };
  const recovering = await RecoveringModel.prepare(parts);
  const model = new TFLiteModel(recovering, () => reportOn(recovering, {}, wasm, 0));
  models.push(model);
  return model;
}

async function valuesOf(model: TFLiteModel): Promise<number[]> {
  return numbersIn(await model.run(INPUT));
}

function numbersIn([y]: readonly TensorResult[]): number[] {
  return Array.from(y?.data as Float32Array);
}

/** A module whose next run crashes. */
function crashing(description = ON_CPU) {
  const runs = sinRunner(description);
  const next = { crashes: false };
  const wasm = fakeWasm(
    {
      ...(description.keepsState && { describe: () => description }),
      invoke(...args) {
        if (next.crashes) {
          next.crashes = false;
          throw new WebAssembly.RuntimeError('unreachable');
        }
        runs.invoke?.(...args);
      },
    },
    description,
  );
  return { wasm, next };
}

afterEach(() => {
  for (const model of models.splice(0)) model.dispose();
});

describe('small models', () => {
  it('of one module share an instance, which ends with the last of them', async () => {
    const wasm = fakeWasm();
    const [first, second] = [await load({ wasm }), await load({ wasm })];
    expect(wasm.instances).toHaveLength(1);
    first.dispose();
    expect(wasm.calls.filter((call) => call === 'close')).toEqual([]);
    expect(await valuesOf(second)).toEqual(EXPECTED);
    second.dispose();
    await Promise.resolve();
    expect(wasm.calls.filter((call) => call === 'delete')).toHaveLength(2);
    expect(wasm.calls.filter((call) => call === 'close')).toHaveLength(1);
    await load({ wasm });
    expect(wasm.instances).toHaveLength(2);
  });

  it('that are loaded in parallel share one, too', async () => {
    const wasm = fakeWasm();
    const loaded = await Promise.all([load({ wasm }), load({ wasm }), load({ wasm })]);
    expect(wasm.instances).toHaveLength(1);
    for (const values of await Promise.all(loaded.map(valuesOf))) expect(values).toEqual(EXPECTED);
  });

  it('of another module have another one', async () => {
    const [wasm, other] = [fakeWasm(), fakeWasm()];
    await load({ wasm });
    await load({ wasm: other });
    expect([wasm.instances.length, other.instances.length]).toEqual([1, 1]);
  });

  it('leave it to the others where they cannot be loaded', async () => {
    let isBroken = false;
    const wasm = fakeWasm({ initError: () => (isBroken ? '{"code":"MALFORMED_MODEL","message":"no"}' : '') });
    const model = await load({ wasm });
    isBroken = true;
    await expect(load({ wasm })).rejects.toMatchObject({ code: 'MALFORMED_MODEL' });
    expect(wasm.calls.filter((call) => call === 'close')).toEqual([]);
    expect(await valuesOf(model)).toEqual(EXPECTED);
  });

  it('share no instance with large ones', async () => {
    const wasm = fakeWasm({ capacityBytes: 2 * LARGE });
    await load({ wasm });
    const large = await load({ wasm, fileBytes: LARGE });
    expect(wasm.instances).toHaveLength(2);
    large.dispose();
    expect(wasm.calls.filter((call) => call === 'close')).toHaveLength(1);
  });

  it('try another instance after one could not be created', async () => {
    const wasm = fakeWasm();
    const instantiate = vi.spyOn(wasm, 'instantiate').mockRejectedValueOnce(new RangeError('no memory'));
    await expect(Promise.all([load({ wasm }), load({ wasm })])).rejects.toThrow('no memory');
    expect(instantiate).toHaveBeenCalledTimes(1);
    expect(await valuesOf(await load({ wasm }))).toEqual(EXPECTED);
  });

  it('do not wait for the threads of their instance', async () => {
    const wasm = fakeWasm();
    const first = await wasm.instantiate();
    vi.spyOn(wasm, 'instantiate').mockResolvedValueOnce({ ...first, threadsReason: new Promise(() => {}) });
    const models = await Promise.all([load({ wasm }), load({ wasm })]);
    expect(wasm.instances).toHaveLength(1);
    for (const model of models) expect(await valuesOf(model)).toEqual(EXPECTED);
  });

  it('leave it when they are on WebNN', async () => {
    const wasm = fakeWasm({}, DIRECT);
    await load({ wasm, context: new FakeContext() });
    await Promise.resolve();
    expect(wasm.calls).toContain('close');
  });

  it('read from WebNN into a heap that grows meanwhile', async () => {
    const wasm = fakeWasm({ grows: true }, STEPPED);
    const model = await load({ wasm, context: new FakeContext() });
    const other = await load({ wasm, context: new FakeContext() });
    const all = await Promise.all([valuesOf(model), valuesOf(other), valuesOf(model), valuesOf(other)]);
    for (const values of all) expect(values).toEqual(EXPECTED);
  });
});

describe('a crash of one model', () => {
  it('is its error, and another model is prepared again when it runs next', async () => {
    const { wasm, next } = crashing();
    const [broken, other] = [await load({ wasm }), await load({ wasm })];
    next.crashes = true;
    await expect(broken.run(INPUT)).rejects.toMatchObject({
      code: 'WASM_TRAP',
      message: expect.stringMatching(/^Running/),
    });
    expect(await valuesOf(other)).toEqual(EXPECTED);
    expect(wasm.instances).toHaveLength(2);
    await expect(broken.run(INPUT)).rejects.toMatchObject({ code: 'WASM_TRAP' });
  });

  it('lets no further model into the instance', async () => {
    const { wasm, next } = crashing();
    const broken = await load({ wasm });
    next.crashes = true;
    await expect(broken.run(INPUT)).rejects.toMatchObject({ code: 'WASM_TRAP' });
    expect(await valuesOf(await load({ wasm }))).toEqual(EXPECTED);
    expect(wasm.instances).toHaveLength(2);
  });

  it('is an error of runSync() of another one, which says what to do', async () => {
    const { wasm, next } = crashing();
    const [broken, other] = [await load({ wasm }), await load({ wasm })];
    next.crashes = true;
    expect(() => broken.runSync(INPUT)).toThrow('crashed WebAssembly');
    expect(() => other.runSync(INPUT)).toThrow('Another model crashed the WebAssembly instance');
    await other.run(INPUT);
    expect(numbersIn(other.runSync(INPUT))).toEqual(EXPECTED);
  });

  it('accepts what TFLite kept for another one, which says so once', async () => {
    const { wasm, next } = crashing({ ...ON_CPU, keepsState: true });
    const [broken, other] = [await load({ wasm }), await load({ wasm })];
    next.crashes = true;
    await expect(broken.run(INPUT)).rejects.toMatchObject({ code: 'WASM_TRAP' });
    await expect(other.run(INPUT)).rejects.toMatchObject({ code: 'STATE_LOST' });
    expect(await valuesOf(other)).toEqual(EXPECTED);
  });

  it('accepts nothing that was reset', async () => {
    const { wasm, next } = crashing({ ...ON_CPU, keepsState: true });
    const [broken, other] = [await load({ wasm }), await load({ wasm })];
    next.crashes = true;
    await expect(broken.run(INPUT)).rejects.toMatchObject({ code: 'WASM_TRAP' });
    await other.resetState();
    expect(await valuesOf(other)).toEqual(EXPECTED);
  });

  it('leaves another one its graphs on WebNN and its context', async () => {
    const { wasm, next } = crashing(STEPPED);
    const [broken, other] = [
      await load({ wasm, context: new FakeContext() }),
      await load({ wasm, context: new FakeContext() }),
    ];
    next.crashes = true;
    await expect(broken.run(INPUT)).rejects.toMatchObject({ code: 'WASM_TRAP' });
    expect(await valuesOf(other)).toEqual(EXPECTED);
    expect(other.executionMode).toBe('stepped');
  });

  it('repeats a run of another one that waits for WebNN meanwhile', async () => {
    const { wasm, next } = crashing(STEPPED);
    const broken = await load({ wasm });
    const other = await load({ wasm, context: new FakeContext() });
    const values = valuesOf(other);
    await new Promise<void>((resolve) => queueMicrotask(resolve));
    next.crashes = true;
    expect(() => broken.runSync(INPUT)).toThrow('crashed WebAssembly');
    expect(await values).toEqual(EXPECTED);
  });
});
