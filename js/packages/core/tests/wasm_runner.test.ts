import { InterpreterError, WasmTrapError } from 'tflite-webnn';
import { describe, expect, it, vi } from 'vitest';
import { type RunnerOptions, WasmRunner } from '../src/wasm/wasm_runner.js';
import { type FakeRunner, FakeWasm } from './fakes/fake_wasm.js';
import { ON_CPU, sinRunner } from './fakes/sin_model.js';

async function start(behaviour: Partial<FakeRunner> = {}, options: RunnerOptions = {}, modelBytes = 100) {
  const wasm = new FakeWasm(sinRunner(ON_CPU, behaviour));
  return { wasm, runner: new WasmRunner(await wasm.instantiate(), new Uint8Array(modelBytes), options) };
}

describe('WasmRunner', () => {
  it('writes options as text', async () => {
    const { wasm } = await start({}, { enable_xnnpack_delegate: false, num_threads: 2, webnn_allowed_ops: 'SIN,É' });
    expect(wasm.instances[0]?.options).toEqual({
      enable_xnnpack_delegate: '0',
      num_threads: '2',
      webnn_allowed_ops: 'SIN,É',
    });
  });

  it('writes options where there is no TextEncoder', async () => {
    vi.stubGlobal('TextEncoder', undefined);
    const { wasm } = await start({}, { input_shapes: '1,2;3' });
    expect(wasm.instances[0]?.options).toEqual({ input_shapes: '1,2;3' });
  });

  it('describes the model, and accepts an empty file for the runner to judge', async () => {
    expect((await start()).runner.description).toEqual(ON_CPU);
    expect((await start({}, {}, 0)).wasm.calls).toEqual(['init 0 bytes']);
  });

  it('fetches new views after memory has grown', async () => {
    const { runner } = await start({ grows: true });
    const before = runner.tensorBytes(0);
    runner.invoke();
    expect(before.byteLength).toBe(0); // detached
    expect(runner.tensorBytes(0).byteLength).toBe(16);
  });

  it('reads constants from the heap, and large ones that are generated for it piece by piece', async () => {
    const { runner } = await start({ capacityBytes: 1 << 24 });
    const inHeap = runner.constant(4096, 9 << 20);
    expect([inHeap.byteOffset, inHeap.byteLength]).toEqual([4096, 9 << 20]);
    expect(inHeap.buffer).toBe(runner.heapBytes(0, 1).buffer);
    const generated = runner.constant(2 ** 32, (1 << 23) + 400);
    expect(generated.buffer.byteLength).toBe((1 << 23) + 400);
    // Its size and its address are what the fake writes at the start of each.
    const pieces = [0, 1 << 23].map((start) => [...new Uint32Array(generated.buffer, start, 2)]);
    expect(pieces).toEqual([
      [1 << 23, 0],
      [400, 1 << 23],
    ]);
    expect(runner.constant(2 ** 32, 400).buffer).toBe(inHeap.buffer);
  });

  it('reports that memory is full', async () => {
    const loading = start({ capacityBytes: 4096 }, {}, 5000);
    await expect(loading).rejects.toThrow(InterpreterError);
    await expect(loading).rejects.toMatchObject({ code: 'OUT_OF_MEMORY' });
  });

  it('requests the updates in place again once TFLite may have another plan', async () => {
    const { wasm, runner } = await start({ updatesInPlace: [[1, 3]] });
    const bindings = wasm.instances[0] as NonNullable<(typeof wasm.instances)[0]>;
    const request = vi.spyOn(bindings, '_tflite_runner_describe_updates_in_place');
    const plans = [() => {}, () => runner.resizeInput(0, [4], false), () => runner.allocateSubgraph(1)];
    for (const [position, change] of plans.entries()) {
      change();
      for (let run = 0; run < 2; run++) expect(runner.updatesInPlace(0)).toEqual(new Map([[3, 1]]));
      expect(request).toHaveBeenCalledTimes(position + 1);
    }
  });

  it('never enters wasm again after a trap', async () => {
    let entered = 0;
    const { runner } = await start({
      invoke: () => {
        entered++;
        throw new RangeError('Maximum call stack size exceeded');
      },
    });
    expect(() => runner.invoke()).toThrow(WasmTrapError);
    expect(() => runner.invokeSteps(0, 1)).toThrow(WasmTrapError);
    expect(() => runner.tensorBytes(0)).toThrow(/Maximum call stack size/);
    expect(entered).toBe(1);
  });
});
