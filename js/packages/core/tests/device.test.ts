/** The option `device`, and the RFC's options that win over it. */

import { DeviceUnavailableError, loadTFLiteModel, type TFLiteModelOptions } from 'tflite-webnn';
import { describe, expect, it, vi } from 'vitest';
import { describeOnModule, WASM } from '../../../built_module.js';
import { resolveDevice } from '../src/options.js';
import { FakeContext, FakeGraphBuilder } from './fakes/fake_webnn.js';
import { expectRight } from './fakes/sin_model.js';
import { SIN_MODEL, writeModel } from './fakes/tiny_model.js';

const MODEL = writeModel(SIN_MODEL);

describe('the device', () => {
  const all = { ignorePartitionCost: true };

  it.each<[TFLiteModelOptions, boolean, object, string | null]>([
    [{}, true, {}, null],
    [{ device: undefined } as object, true, {}, null],
    [{ device: 'auto' }, true, {}, null],
    [{ device: 'cpu' }, false, {}, null],
    [{ device: 'webnn' }, true, all, 'webnn'],
    [{ device: 'gpu' }, true, { ...all, devicePreference: 'gpu' }, 'gpu'],
    [{ device: 'npu' }, true, { ...all, devicePreference: 'npu' }, 'npu'],
    [{ enableWebnnDelegate: false }, false, {}, null],
    [{ enableWebnnDelegate: true }, true, {}, null],
    [{ device: 'gpu', enableWebnnDelegate: false }, false, {}, null],
    [{ device: 'gpu', enableWebnnDelegate: true }, true, {}, null],
    [{ device: 'cpu', enableWebnnDelegate: true }, true, {}, null],
    [{ webnnDelegateOptions: { devicePreference: 'npu' } }, true, { devicePreference: 'npu' }, null],
    [
      { device: 'gpu', webnnDelegateOptions: { devicePreference: 'npu' } },
      true,
      { ...all, devicePreference: 'npu' },
      'gpu',
    ],
    [
      { device: 'webnn', webnnDelegateOptions: { ignorePartitionCost: false } },
      true,
      { ignorePartitionCost: false },
      'webnn',
    ],
    [{ device: 'webnn', webnnDelegateOptions: { ignorePartitionCost: undefined } as object }, true, all, 'webnn'],
  ])(
    "%o is, in the RFC's terms: %s, %o, required: %s",
    (options, enableWebnnDelegate, webnnDelegateOptions, requiredDevice) => {
      const defaults = { ignorePartitionCost: false, devicePreference: 'default' };
      expect(resolveDevice(options)).toEqual({
        ...options,
        enableWebnnDelegate,
        webnnDelegateOptions: { ...defaults, ...webnnDelegateOptions },
        requiredDevice,
      });
    },
  );
});

describeOnModule('a model', () => {
  function stubWebnn() {
    const context = new FakeContext();
    const createContext = vi.fn(async () => context);
    vi.stubGlobal('MLGraphBuilder', FakeGraphBuilder);
    vi.stubGlobal('navigator', { ml: { createContext } });
    return createContext;
  }

  it.each([
    [undefined, 'cpu', { requested: true, used: false }],
    ['cpu', 'cpu', { requested: false, used: false, reason: null }],
    ['webnn', 'direct', { requested: true, used: true, devicePreference: 'default' }],
    ['gpu', 'direct', { used: true, devicePreference: 'gpu' }],
    ['npu', 'direct', { used: true, devicePreference: 'npu' }],
  ] as const)('of the device %s, so small that the CPU is faster, runs as %s', async (device, mode, webnn) => {
    const createContext = stubWebnn();
    const model = await loadTFLiteModel(MODEL, { ...WASM, ...(device && { device }) });
    expect(model.executionMode).toBe(mode);
    expect((await model.report()).webnn).toMatchObject(webnn);
    const deviceType = device === 'gpu' || device === 'npu' ? device : undefined;
    if (device === 'cpu') expect(createContext).not.toHaveBeenCalled();
    else
      expect(createContext).toHaveBeenCalledWith(
        deviceType ? expect.objectContaining({ deviceType }) : { powerPreference: 'default' },
      );
    await expectRight(model);
  });

  it('runs on the CPU without WebNN by default, and says why', async () => {
    const model = await loadTFLiteModel(MODEL, WASM);
    expect(model.executionMode).toBe('cpu');
    expect((await model.report()).webnn.reason).toContain('navigator.ml is missing');
    await expectRight(model);
  });

  it.each(['webnn', 'gpu', 'npu'] as const)('of the device %s is not loaded without WebNN', async (device) => {
    const error: unknown = await loadTFLiteModel(MODEL, { ...WASM, device }).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(DeviceUnavailableError);
    expect((error as Error).message).toMatch(`The device "${device}" needs WebNN: this browser has no WebNN`);
    expect((error as Error).message).toContain('The device "auto" runs on the CPU instead');
  });

  it('without WebNN at loading stays on the CPU when it is resized: wasm may have reordered its weights', async () => {
    const model = await loadTFLiteModel(MODEL, WASM);
    const createContext = stubWebnn();
    await model.resizeInputs([[1, 4]]);
    expect(createContext).not.toHaveBeenCalled();
    const [y] = await model.run(new Float32Array(4));
    expect(y.shape).toEqual([1, 4]);
  });

  it('that cannot run synchronously on WebNN says which device can', async () => {
    stubWebnn();
    const model = await loadTFLiteModel(MODEL, { ...WASM, device: 'webnn' });
    expect(() => model.runSync(new Float32Array(4))).toThrow("load the model with device: 'cpu'");
  });
});
