/** Custom ops without a wasm module: the tables, and views of a heap. web_tests/tests/node runs models with them. */

import {
  type CustomOp,
  type CustomOps,
  InterpreterError,
  loadTFLiteModel,
  OptionError,
  type TFLiteModelOptions,
} from 'tflite-webnn';
import { expect, it, vi } from 'vitest';
import type { CallPointer } from '../src/wasm/custom_op_frame.js';
import { CustomOpsHost } from '../src/wasm/custom_ops.js';
import { withCustomOps } from '../src/wasm/load_custom_ops.js';
import type { WasmBindings } from '../src/wasm/wasm_binding_types.js';
import { FakeWasm } from './fakes/fake_wasm.js';
import { customOpModel, writeModel } from './fakes/tiny_model.js';

const RUN = () => undefined;

it.each([
  [{ Mine: RUN }, 'customOps.Mine', 'is an object with the function run; got () => void 0'],
  [{ Mine: null }, 'customOps.Mine', 'is an object with the function run; got null'],
  [{ Mine: {} }, 'customOps.Mine.run', 'is a function; got undefined'],
  [{ Mine: { run: 'run' } }, 'customOps.Mine.run', 'is a function; got "run"'],
  [{ Mine: { run: RUN, prepare: [] } }, 'customOps.Mine.prepare', 'is a function; got '],
  [{ '': { run: RUN } }, 'customOps.', 'is no name of an op'],
  [{ 'A\nB': { run: RUN } }, 'customOps.A\nB', 'is no name of an op'],
  [{ 'A\0': { run: RUN } }, 'customOps.A\0', 'is no name of an op'],
])('rejects %j before a model is loaded', async (customOps, option, problem) => {
  const loading = withCustomOps(
    Promise.resolve(new FakeWasm({ describe: vi.fn() })),
    customOps as unknown as CustomOps,
  );
  await expect(loading).rejects.toThrow(OptionError);
  await expect(loading).rejects.toMatchObject({ option, message: expect.stringContaining(problem) });
});

it('rejects what is no table', async () => {
  const loading = loadTFLiteModel(writeModel(customOpModel('Mine')), {
    customOps: [],
  } as unknown as TFLiteModelOptions);
  await expect(loading).rejects.toThrow(
    'the option "customOps" is an object of custom ops, or the address of a module',
  );
});

it('passes each instance its ops, and leaves the module as it is', async () => {
  const wasm = new FakeWasm({ describe: vi.fn() });
  const within = await withCustomOps(Promise.resolve(wasm), { A: { run: RUN }, B: { run: RUN } });
  const instances = [await within.instantiate(), await within.instantiate()];
  expect(instances.map(({ bindings }) => bindings.customOps?.names)).toEqual(['A\nB', 'A\nB']);
  expect(instances[0]?.bindings.customOps).not.toBe(instances[1]?.bindings.customOps);
  expect([within.variant, within.threads, within.threadsReason]).toEqual([
    wasm.variant,
    wasm.threads,
    wasm.threadsReason,
  ]);
  expect(await withCustomOps(Promise.resolve(wasm), undefined)).toBe(wasm);
});

const CALL = 256 as CallPointer;
const [SHAPE, TENSORS, NAME] = [64, 128, 192];
const [X, Y] = [1026, 2048]; // x is not aligned, as a constant of a file may be

/** A node x -> y of float32[2] in a heap as C++ lays it out. */
function openNode(op: CustomOp, resize: () => number = () => 0) {
  const heap = new Uint8Array(4096);
  const bindings = {
    HEAPU8: heap,
    UTF8ToString: (address: number) => new TextDecoder().decode(heap.subarray(address, heap.indexOf(0, address))),
    _tflite_custom_op_resize: vi.fn(resize),
  } as unknown as WasmBindings;
  const words = new Uint32Array(heap.buffer);
  words.set([1, 2], SHAPE / 4);
  words.set([X, 8, SHAPE, Y, 8, SHAPE], TENSORS / 4);
  words.set([1, 0, 3, NAME, 0, 0, 1, 1, TENSORS], CALL / 4 + 64);
  heap.set(new TextEncoder().encode('Mine'), NAME);
  heap.set(new Uint8Array(Float32Array.of(3, 4).buffer), X);
  const makeError = (message: string) => new InterpreterError('CUSTOM_OP_FAILED', message);
  const host = new CustomOpsHost(bindings, new Map([['Mine', op]]), makeError);
  const row = { dtype: 'float32', shape: [2], shapeSignature: [2], sizeBytes: 8, quantization: null } as const;
  const tensors = [
    { ...row, index: 0, name: 'x', isConstant: true },
    { ...row, index: 1, name: 'y', isConstant: false },
  ];
  return {
    host,
    heap,
    prepare: () => host.call(CALL, JSON.stringify(tensors)),
    run: () => host.call(CALL, null),
  };
}

it('copies an input that is not aligned', () => {
  const seen: unknown[] = [];
  const { prepare, run, heap } = openNode({
    prepare([x]) {
      seen.push([...(x?.data ?? [])]);
    },
    run([x], [y]) {
      seen.push([...(x?.data ?? [])]);
      y?.data.set([5, 6] as never);
    },
  });
  expect([prepare(), run()]).toEqual([0, 0]);
  expect(seen).toEqual([
    [3, 4],
    [3, 4],
  ]);
  expect([...new Float32Array(heap.buffer, Y, 2)]).toEqual([5, 6]);
});

it('keeps a failure until it is taken', () => {
  const { host, prepare, run } = openNode({
    run() {
      throw new Error('no');
    },
  });
  expect([prepare(), run()]).toEqual([0, 1]);
  expect(host.takeFailure()).toMatchObject({ message: "The custom op 'Mine' (node 3) failed in run(): Error: no." });
  expect(host.takeFailure()).toBeNull();
});

it('forgets the state of a node that TFLite has deleted', () => {
  const nodes = new Set<unknown>();
  const { host, prepare } = openNode({ prepare: (_inputs, _options, node) => void nodes.add(node), run: RUN });
  expect([prepare(), prepare()]).toEqual([0, 0]);
  expect(nodes.size).toBe(1);
  host.free(1);
  expect([prepare(), nodes.size]).toEqual([0, 2]);
});

it('reports a shape that TFLite has no memory for', () => {
  const op = { prepare: () => [{ shape: [3] }], run: RUN };
  const { host, prepare } = openNode(op, () => 1);
  expect(prepare()).toBe(1);
  expect(host.takeFailure()).toMatchObject({
    message: expect.stringContaining("TFLite could not resize output 0 ('y') to [3]"),
  });
});

it('ends the instance where wasm traps below a function', () => {
  const trap = new Error('unreachable');
  const op: CustomOp = {
    prepare: () => [{ shape: null }],
    run(_, [y]) {
      try {
        y?.resize([3]);
      } catch {} // a function cannot hide it
    },
  };
  let isTrapping = false;
  const { prepare, run } = openNode(op, () => {
    if (isTrapping) throw trap;
    return 0;
  });
  expect(prepare()).toBe(0);
  isTrapping = true;
  expect(run).toThrow(trap);
});

it('cannot be entered while a function runs', () => {
  const calls: unknown[] = [];
  const { host, prepare, run } = openNode({
    run() {
      calls.push(host.checkEntry());
    },
  });
  host.checkEntry();
  expect([prepare(), run()]).toEqual([0, 1]);
  host.checkEntry();
  expect(calls).toEqual([]);
  expect(host.takeFailure()).toMatchObject({ message: expect.stringContaining('used its own model') });
});
