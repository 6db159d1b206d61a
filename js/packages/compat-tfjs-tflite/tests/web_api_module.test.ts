/** The client's use of the module; on the real wasm module if it is built. */

import type { HelperContext } from 'tflite-webnn/blocking/blocking_helper';
import { ContextLostError } from 'tflite-webnn/errors';
import { expected, type FakeRunner, FakeWasm, ON_CPU, SIN_MODEL, sinRunner, writeModel } from 'tflite-webnn/fakes';
import { loadWasmModule } from 'tflite-webnn/wasm/wasm_module';
import { WasmRunner } from 'tflite-webnn/wasm/wasm_runner';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { describeOnModule, WASM } from '../../../built_module.js';
import type { TFLiteWebModelRunner } from '../src/model_runner.js';
import type { TFLiteWebModelRunnerOptions } from '../src/options.js';
import { WebApiModule } from '../src/web_api_module.js';

const X = [0, 1, 2, -3];
const MODEL = writeModel(SIN_MODEL);

/** Calls the module like the client's create(). */
function create(module: WebApiModule, model: Uint8Array = MODEL, options: TFLiteWebModelRunnerOptions = {}) {
  const address = module._malloc(model.length);
  module.HEAPU8.set(model, address);
  return { created: module.TFLiteWebModelRunner.CreateFromBufferAndOptions(address, model.length, options), address };
}

/** Calls the runner like the client's predict(). */
function predict(runner: TFLiteWebModelRunner | null): number[] {
  const input = runner?.GetInputs().get(0);
  const output = runner?.GetOutputs().get(0);
  const values = input?.data() as Float32Array;
  values.set(X);
  expect(runner?.Infer()).toBe(true);
  return Array.from(output?.data() as Float32Array);
}

const RIGHT = expected(X).map((value) => expect.closeTo(value, 5));

beforeEach(() => void vi.spyOn(console, 'warn').mockReturnValue());
type OnWebnn = ConstructorParameters<typeof WebApiModule>[1];

const NO_WEBNN: OnWebnn = { create: () => 'there is no WebNN here' };

async function fakeModule(behaviour: Partial<Parameters<typeof sinRunner>[1]> = {}, onWebnn = NO_WEBNN) {
  return new WebApiModule(await new FakeWasm(sinRunner(ON_CPU, behaviour)).instantiate(), onWebnn);
}

describe('WebApiModule', () => {
  it('describes inputs and outputs as embind would', async () => {
    const runner = create(await fakeModule()).created.value();
    const inputs = runner?.GetInputs();
    expect(inputs?.size()).toBe(1);
    expect(inputs?.get(0)).toMatchObject({ id: 0, name: 'x', dataType: 'float32', shape: '4' });
    expect(inputs?.get(1)).toBeUndefined();
    inputs?.delete();
    expect(predict(runner)).toEqual(RIGHT);
  });

  it('runs again after memory has grown', async () => {
    const runner = create(await fakeModule({ grows: true })).created.value();
    expect(predict(runner)).toEqual(RIGHT);
    expect(predict(runner)).toEqual(RIGHT);
  });

  it('passes on why a model cannot be loaded', async () => {
    const initError = () => JSON.stringify({ code: 'MALFORMED_MODEL', message: 'the model is cut off' });
    const { created } = create(await fakeModule({ initError }));
    expect(created.ok()).toBe(false);
    expect(created.errorMessage()).toBe('the model is cut off');
    expect(created.value()).toBeNull();
  });

  it('names an option that there is not', async () => {
    const wrong = { enableWebNNDelegate: true } as TFLiteWebModelRunnerOptions;
    const { created } = create(await fakeModule(), MODEL, wrong);
    expect(created.errorMessage()).toBe(
      'no option "enableWebNNDelegate": it is one of numThreads, enableProfiling, maxProfilingBufferEntries, ' +
        'enableWebnnDelegate, webnnDelegateOptions',
    );
    const without = create(await fakeModule(), MODEL, null as never).created;
    expect(without.errorMessage()).toBe('the options are null: leave them out');
    for (const numThreads of [-1, 1.5]) {
      expect(create(await fakeModule(), MODEL, { numThreads }).created.ok()).toBe(true); // half of three cores
    }
  });

  it('reports a failed run, and logs the reason', async () => {
    const written = vi.spyOn(console, 'error').mockReturnValue();
    const invoke = () => {
      throw new RangeError('Maximum call stack size exceeded');
    };
    const module = await fakeModule({ invoke });
    expect(create(module).created.value()?.Infer()).toBe(false);
    expect(written.mock.calls[0]?.[0]).toContain('Maximum call stack size');
    // All models of the client share the instance, whose memory is no longer reliable.
    expect(create(module).created.errorMessage()).toContain('Maximum call stack size');
  });

  it('runs on the CPU without WebNN, and logs the reason', async () => {
    const { created } = create(await fakeModule(), MODEL, { enableWebnnDelegate: true });
    expect(predict(created.value())).toEqual(RIGHT);
    expect(console.warn).toHaveBeenCalledWith('tflite-webnn: the model runs on the CPU: there is no WebNN here.');
  });

  it('frees the context of a model on WebNN with it', async () => {
    const context = { destroy: vi.fn() } as unknown as HelperContext;
    const onWebnn: OnWebnn = {
      create: (instance, bytes) => ({ runner: new WasmRunner(instance, bytes, {}), context }),
    };
    const runner = create(await fakeModule({}, onWebnn), MODEL, { enableWebnnDelegate: true }).created.value();
    expect(predict(runner)).toEqual(RIGHT);
    runner?.delete();
    expect(context.destroy).toHaveBeenCalledOnce();
    expect(console.warn).not.toHaveBeenCalled();
  });

  it('loads tasks on WebNN where a call can wait for it, and the CPU elsewhere', async () => {
    const context = { destroy: vi.fn() } as unknown as HelperContext;
    const create = vi.fn<OnWebnn['create']>((instance, bytes) => ({
      runner: new WasmRunner(instance, bytes, {}),
      context,
    }));
    const model = (await fakeModule({}, { create })).prepare(MODEL);
    model.invoke();
    model.delete();
    expect(create).toHaveBeenCalledExactlyOnceWith(expect.anything(), MODEL, {}, false);
    expect(context.destroy).toHaveBeenCalledOnce();
    (await fakeModule()).prepare(MODEL).invoke();
    expect(console.warn).not.toHaveBeenCalled();
  });

  it('prepares a model again, with its inputs, when it has lost WebNN', async () => {
    let losses = 0;
    const invoke: FakeRunner['invoke'] = (_first, _count, tensor) => {
      if (losses++ === 0) throw new ContextLostError('the GPU process crashed');
      tensor(5).set(expected([...tensor(0)]));
    };
    const contexts = [{ destroy: vi.fn() }, { destroy: vi.fn() }];
    const created = contexts[Symbol.iterator]();
    const onWebnn: OnWebnn = {
      create: (instance, bytes) => ({
        runner: new WasmRunner(instance, bytes, {}),
        context: created.next().value as unknown as HelperContext,
      }),
    };
    const runner = create(await fakeModule({ invoke }, onWebnn), MODEL, { enableWebnnDelegate: true }).created.value();
    expect(predict(runner)).toEqual(RIGHT);
    expect(contexts.map(({ destroy }) => destroy.mock.calls.length)).toEqual([1, 0]);
  });
});

describeOnModule('on the real wasm module', () => {
  async function realModule() {
    const module = await loadWasmModule(WASM);
    return new WebApiModule(await module.instantiate(), NO_WEBNN);
  }

  it('keeps models separate, and survives that the client frees their bytes', async () => {
    const module = await realModule();
    const [one, other] = [create(module), create(module)];
    module._free(one.address);
    module._free(other.address);
    expect(predict(one.created.value())).toEqual(RIGHT);
    one.created.value()?.delete();
    expect(predict(other.created.value())).toEqual(RIGHT);
  });

  it('frees the memory of models that are deleted or fail to load', async () => {
    const module = await realModule();
    const cycle = (model?: Uint8Array) => {
      const { created, address } = create(module, model);
      created.value()?.delete();
      module._free(address);
    };
    cycle();
    const size = module.HEAPU8.length;
    for (let i = 0; i < 50; i++) {
      cycle();
      cycle(new Uint8Array(1_000_000));
    }
    expect(module.HEAPU8.length).toBeLessThanOrEqual(size + 2_000_000);
  });

  it('does not run a deleted model', async () => {
    const written = vi.spyOn(console, 'error').mockReturnValue();
    const runner = create(await realModule()).created.value();
    runner?.delete();
    runner?.delete();
    expect(runner?.Infer()).toBe(false);
    expect(written.mock.calls[0]?.[0]).toContain('disposed');
  });
});
