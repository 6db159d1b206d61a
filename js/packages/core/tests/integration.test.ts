/** The real wasm module in Node, on the CPU and on a fake WebNN. Skipped, with the reason, where it is not built. */

import {
  loadTFLiteModel,
  MalformedModelError,
  ModelDisposedError,
  NotATFLiteModelError,
  preloadTFLite,
  renderReport,
  type TFLiteModelOptions,
} from 'tflite-webnn';
import { expect, it, vi } from 'vitest';
import { describeOnModule, WASM, wasmDirectory } from '../../../built_module.js';
import { loadWasmModule } from '../src/wasm/wasm_module.js';
import { WasmRunner } from '../src/wasm/wasm_runner.js';
import { FakeContext, FakeGraphBuilder, type FakeOptions } from './fakes/fake_webnn.js';
import { expectRight, X } from './fakes/sin_model.js';
import { customOpModel, SIN_MODEL, writeModel } from './fakes/tiny_model.js';

const MODEL = writeModel(SIN_MODEL);

const FASTER_ON_CPU =
  /^a run would take about 0\.27 ms on WebNN and 0\.00 ms on the CPU; .*ignorePartitionCost, keeps the model on WebNN$/;

/** Of two inputs, one run after the other. */
const SIZES = ['0 4', '4 0', '4 4', '0 4', '4 4'].map((text) => text.split(' ').map(Number));

/** Loads on a fake WebNN that stands where a browser's would. */
async function loadOnWebnn(delegate: TFLiteModelOptions['webnnDelegateOptions'] = {}, fake: FakeOptions = {}) {
  const context = new FakeContext(fake);
  vi.stubGlobal('MLGraphBuilder', FakeGraphBuilder);
  const webnnDelegateOptions = { ...delegate, context };
  return { model: await loadTFLiteModel(MODEL, { ...WASM, enableWebnnDelegate: true, webnnDelegateOptions }), context };
}

describeOnModule('on the real wasm module', () => {
  it('runs on the CPU and says why not on WebNN', async () => {
    const model = await loadTFLiteModel(MODEL, { ...WASM, enableWebnnDelegate: true });
    expect(model.executionMode).toBe('cpu');
    expect((await model.report()).webnn.reason).toContain('navigator.ml is missing');
    expect(model.inputs).toMatchObject([
      { name: 't0', dtype: 'float32', shape: [4], sizeBytes: 16, quantization: null },
    ]);
    await expectRight(model);
    await expectRight(model);
    model.dispose();
    await expect(model.run(Float32Array.from(X))).rejects.toThrow(ModelDisposedError);
  });

  it('is loaded before the first model', async () => {
    await expect(preloadTFLite(WASM)).resolves.toBeUndefined();
    const elsewhere = new URL('nowhere/', wasmDirectory).href;
    await expect(preloadTFLite({ wasmPath: elsewhere, variant: 'simd' })).rejects.toThrow(
      expect.objectContaining({ name: 'WasmLoadError', code: 'WASM_LOAD_FAILED' }),
    );
  });

  it('runs without XNNPACK', async () => {
    await expectRight(await loadTFLiteModel(MODEL, { ...WASM, enableXnnpackDelegate: false }));
  });

  it.each([true, false])('runs again after runs without elements, with XNNPACK: %s', async (hasXnnpack) => {
    const module = await loadWasmModule(WASM);
    const content = writeModel({
      tensorCount: 4,
      nodes: [
        { op: 'SIN', inputs: [0], outputs: [2] },
        { op: 'ADD', inputs: [1, 1], outputs: [3] },
      ],
      inputs: [0, 1],
      outputs: [2, 3],
    });
    const options = { defer_allocation: true, enable_xnnpack_delegate: hasXnnpack };
    const runner = new WasmRunner(await module.instantiate(), content, options);
    runner.allocateSubgraph(0);
    const floats = (tensor: number) => [...new Float32Array(runner.tensorBytes(tensor).slice().buffer)];
    for (const counts of SIZES) {
      counts.forEach((count, input) => {
        runner.resizeInput(input, [count], false);
      });
      runner.allocateSubgraph(0);
      counts.forEach((count, input) => {
        runner.tensorBytes(input).set(new Uint8Array(Float32Array.from(X.slice(0, count)).buffer));
      });
      runner.invoke();
      expect(floats(2)).toEqual(X.slice(0, counts[0]).map((x) => expect.closeTo(Math.sin(x), 5)));
      expect(floats(3)).toEqual(X.slice(0, counts[1]).map((x) => 2 * x));
    }
  });

  it('hands the entire graph to WebNN', async () => {
    const { model } = await loadOnWebnn();
    expect(await model.report()).toMatchObject({ executionMode: 'direct', totals: { delegatedNodes: 5, nodes: 5 } });
    await expectRight(model);
  });

  it.each([
    [{}, 'cpu'],
    [{ polyfill: 'never' }, 'cpu'],
    [{ ignorePartitionCost: true }, 'direct'],
    [{ devicePreference: 'npu' }, 'direct'],
    [{ powerPreference: 'high-performance' }, 'direct'],
  ] as const)('with %o has so small a model on WebNN only where that is requested', async (delegate, mode) => {
    vi.stubGlobal('MLGraphBuilder', FakeGraphBuilder);
    vi.stubGlobal('navigator', { ml: { createContext: async () => new FakeContext() } });
    const options = { ...WASM, enableWebnnDelegate: true, webnnDelegateOptions: delegate };
    const model = await loadTFLiteModel(MODEL, options);
    expect(model.executionMode).toBe(mode);
    if (mode === 'cpu') expect((await model.report()).webnn.reason).toMatch(FASTER_ON_CPU);
    await expectRight(model);
  });

  it('steps through the ordered subsets of a graph of which WebNN may run the sines', async () => {
    const { model, context } = await loadOnWebnn({ allowedOps: ['SIN'] });
    expect(model.executionMode).toBe('stepped');
    expect((await model.report()).partitions.map(({ ops }) => ops)).toEqual([
      ['SIN'],
      ['ADD', 'MUL'],
      ['SIN'],
      ['ADD'],
    ]);
    const onCpu = (await model.report()).nodes.filter(({ placement }) => placement === 'cpu');
    expect(onCpu.map(({ op }) => op)).toEqual(['ADD', 'MUL', 'ADD']);
    for (const { reason } of onCpu) expect(reason).toEqual(expect.any(String));
    context.takeCalls();
    await expectRight(model);
    expect(context.calls.filter((call) => call.startsWith('dispatch'))).toHaveLength(2);
  });

  it('takes back a node that the browser rejects', async () => {
    const rejectBuild = (labels: readonly string[]) => (labels.includes('2:MUL') ? 'at [2:MUL]' : null);
    const { model } = await loadOnWebnn({ ignorePartitionCost: true }, { rejectBuild });
    expect((await model.report()).webnn.excludedNodes.map(({ node }) => node)).toEqual([2]);
    expect((await model.report()).nodes[2]?.placement).toBe('cpu');
    expect(model.executionMode).toBe('stepped');
    await expectRight(model);
  });

  it("keeps to the context's limits", async () => {
    const limits = Object.fromEntries(
      Object.entries(new FakeContext().opSupportLimits()).filter(([op]) => op !== 'sin'),
    );
    const { model } = await loadOnWebnn({ ignorePartitionCost: true }, { limits });
    expect((await model.report()).nodes.map(({ placement }) => placement)).toEqual([
      'cpu',
      'webnn',
      'webnn',
      'cpu',
      'webnn',
    ]);
    await expectRight(model);
  });

  it.each(['compile', 'init', 'build'])('ends at an abort during %s and frees the context', async (phase) => {
    const controller = new AbortController();
    const context = new FakeContext();
    vi.stubGlobal('MLGraphBuilder', FakeGraphBuilder);
    vi.stubGlobal('navigator', { ml: { createContext: async () => context } });
    const loading = loadTFLiteModel(MODEL, {
      ...WASM,
      enableWebnnDelegate: true,
      webnnDelegateOptions: { ignorePartitionCost: true },
      signal: controller.signal,
      onProgress: (progress) => {
        if (progress.phase === phase) controller.abort('not any more');
      },
    });
    await expect(loading).rejects.toBe('not any more');
    await vi.waitFor(() => expect(context.destroyed).toBe(true));
    const destroyed = context.calls.filter((call) => call.startsWith('destroy graph'));
    expect(destroyed).toHaveLength(context.calls.filter((call) => call.startsWith('build')).length);
  });

  it('reports the progress of loading, and the number of threads', async () => {
    const seen: string[] = [];
    const model = await loadTFLiteModel(MODEL, {
      ...WASM,
      numThreads: 4,
      onProgress: ({ phase, loadedBytes, totalBytes }) => seen.push(`${phase} ${loadedBytes}/${totalBytes}`),
    });
    const size = MODEL.byteLength;
    expect(seen).toEqual(['compile 0/1', 'compile 1/1', `init 0/${size}`, `init ${size}/${size}`]);
    expect((await model.report()).threads).toEqual({
      requested: 4,
      used: 1,
      reason: 'the variant simd has one thread',
    });
    expect(renderReport(await model.report())).toContain('1 of the 4 requested');
  });

  it.each([
    ['a file of zeros', new Uint8Array(1000), NotATFLiteModelError],
    ['an empty file', new Uint8Array(), NotATFLiteModelError],
    ['a web page', new TextEncoder().encode('<!doctype html><title>404</title>'), NotATFLiteModelError],
    ['a truncated file', MODEL.subarray(0, MODEL.length - 100), MalformedModelError],
    [
      'a Flex op',
      writeModel(customOpModel('FlexErf')),
      expect.objectContaining({ name: 'UnsupportedOpError', code: 'FLEX_OP' }),
    ],
    [
      'an Edge TPU model',
      writeModel(customOpModel('edgetpu-custom-op')),
      expect.objectContaining({ name: 'UnsupportedOpError', code: 'EDGE_TPU_OP' }),
    ],
    [
      'an unknown custom op',
      writeModel(customOpModel('MyOwnOp')),
      expect.objectContaining({ name: 'UnsupportedOpError', code: 'UNRESOLVED_CUSTOM_OP' }),
    ],
  ])('rejects %s, and loads a good one afterwards', async (_, bytes, errorClass) => {
    await expect(loadTFLiteModel(bytes, WASM)).rejects.toThrow(errorClass);
    await expectRight(await loadTFLiteModel(MODEL, WASM));
  });
});
