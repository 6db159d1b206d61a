/** Custom ops in models that the real wasm module runs, on the CPU and between nodes of a fake WebNN. */

import {
  type CustomOp,
  type CustomOpInput,
  type CustomOpNode,
  type CustomOpOutput,
  type CustomOps,
  type CustomOpTensor,
  type CustomOpTensorOf,
  InterpreterError,
  loadTFLiteModel,
  ModelDisposedError,
  type TFLiteModelOptions,
} from 'tflite-webnn';
import { expect, it, vi } from 'vitest';
import { describeOnModule, WASM } from '../../../built_module.js';
import { FakeContext, FakeGraphBuilder } from './fakes/fake_webnn.js';
import { customOpModel, type TinyModel, type TinyNode, writeModel } from './fakes/tiny_model.js';

type Floats = CustomOpTensorOf<'float32'>;
/** The tensors of a node with one input and one output. */
type X = [x: Floats];
type Y = [y: Floats & { resize(shape: readonly number[]): void }];

const DOUBLE: CustomOp = { run: ([x]: X, [y]: Y) => y.data.set(x.data.map((value) => 2 * value)) };
const COPY: CustomOp = { run: ([x]: X, [y]: Y) => y.data.set(x.data) };
type Model = Awaited<ReturnType<typeof load>>;
const RUNS = ['run', 'runSync'] as const;
const OWN_MODEL: Readonly<Record<string, (model: Model) => unknown>> = {
  run: (model) => model.run(floats(1, 2, 3, 4)),
  runSync: (model) => model.runSync(floats(1, 2, 3, 4)),
  runSignature: (model) => model.runSignature('main', {}),
  dispose: (model) => model.dispose(),
};
const DEVICES = ['cpu', 'webnn'] as const;
/** op(sin(x)), and what the sum of it with itself is: only a run knows how many of eight elements `op` returns. */
const FILTERED: TinyModel = {
  tensorCount: 4,
  tensors: Object.fromEntries([0, 1, 2, 3].map((tensor) => [tensor, { shape: [8] }])),
  nodes: [
    { op: 'SIN', inputs: [0], outputs: [1] },
    { op: 'CUSTOM', customName: 'Positives', inputs: [1], outputs: [2] },
    { op: 'ADD', inputs: [2, 2], outputs: [3] },
  ],
  inputs: [0],
  outputs: [3],
};

function floats(...values: number[]): Float32Array {
  return Float32Array.from(values);
}

function load(model: TinyModel, customOps: CustomOps | undefined, options: TFLiteModelOptions = { device: 'cpu' }) {
  return loadTFLiteModel(writeModel(model), { ...WASM, numThreads: 1, ...(customOps && { customOps }), ...options });
}

/** Options for the CPU, or for a WebNN with few operators. */
function on(device: (typeof DEVICES)[number]): TFLiteModelOptions {
  if (device === 'cpu') return { device };
  vi.stubGlobal('MLGraphBuilder', FakeGraphBuilder);
  const webnnDelegateOptions = { context: new FakeContext(), ignorePartitionCost: true };
  return { enableWebnnDelegate: true, webnnDelegateOptions };
}

/** The values of the only output. */
async function valuesOf(model: Model, ...input: number[]): Promise<unknown[]> {
  const [y] = await model.run(floats(...input));
  return [...(y.data as Float32Array)];
}

async function errorOf(action: () => unknown): Promise<InterpreterError> {
  try {
    await action();
  } catch (error) {
    return error as InterpreterError;
  }
  throw new Error('nothing failed');
}

describeOnModule('functions of custom ops', () => {
  it('are called by runSync()', async () => {
    const model = await load(customOpModel('Double'), { Double: DOUBLE });
    expect([...(model.runSync(floats(1, 2, 3, 4))[0].data as Float32Array)]).toEqual([2, 4, 6, 8]);
  });

  it('get tensors, constants, options and their node', async () => {
    const calls: unknown[] = [];
    const scale: CustomOp & { factor: number } = {
      factor: 2,
      prepare(inputs, options, node) {
        const shown = inputs.map(({ index, name, dtype, shape, quantization, data }) => {
          return { index, name, dtype, shape, quantization, data: data?.slice() ?? null };
        });
        calls.push({ inputs: shown, options: options.slice(), node: { ...node, options: node.options.slice() } });
        node.state = this.factor;
      },
      run([x, table]: [Floats, Floats], [y]: Y, { state }) {
        calls.push({ x: x.data.slice(), table: table.data.slice(), y: y.data.length, state });
        y.data.fill(1);
      },
    };
    const nodes: TinyNode[] = [
      { op: 'SIN', inputs: [0], outputs: [1] },
      { op: 'CUSTOM', customName: 'Scale', inputs: [1, 3], outputs: [2], options: [3, 5] },
    ];
    const constants = { 3: [0.5, -2, 3, 0.25] };
    const model = await load({ tensorCount: 4, constants, nodes, inputs: [0], outputs: [2] }, { Scale: scale });
    const table = floats(...constants[3]);
    const tensor = { dtype: 'float32', shape: [4], quantization: null };
    expect(calls.at(-1)).toMatchObject({
      inputs: [
        { ...tensor, index: 1, name: 't1', data: null },
        { ...tensor, index: 3, name: 't3', data: table },
      ],
      options: Uint8Array.of(3, 5),
      node: { op: 'Scale', index: 1, subgraph: 0, options: Uint8Array.of(3, 5) },
    });
    await model.run(floats(0, 0, 0, 0));
    expect(calls.at(-1)).toEqual({ x: floats(0, 0, 0, 0), table, y: 4, state: 2 });
  });

  it.each([
    ['float32', Float32Array],
    ['float64', Float64Array],
    ['int8', Int8Array],
    ['uint8', Uint8Array],
    ['int16', Int16Array],
    ['uint16', Uint16Array],
    ['int32', Int32Array],
    ['uint32', Uint32Array],
    ['int64', BigInt64Array],
    ['uint64', BigUint64Array],
    ['bool', Uint8Array],
    ['complex64', Float32Array],
  ] as const)('get %s in the typed array of its type', async (dtype, ArrayType) => {
    const length = dtype === 'complex64' ? 8 : 4;
    const seen: unknown[] = [];
    const op: CustomOp = {
      run([x]: [CustomOpTensor], [y]: [CustomOpOutput]) {
        seen.push(x.dtype, x.data.constructor, y.data.constructor, x.data.length);
        y.data.set(x.data.slice().reverse() as never);
      },
    };
    const model = await load(customOpModel('Reverse', { dtype }), { Reverse: op });
    const x = new ArrayType(length);
    x[0] = (dtype.endsWith('int64') ? 1n : 1) as never;
    const [y] = await model.run(x);
    expect(seen).toEqual([dtype, ArrayType, ArrayType, length]);
    expect([...(y.data as Int8Array)].map(Number)).toEqual([...Array(length - 1).fill(0), 1]);
  });

  it('get float16 in an array that this engine has', async () => {
    let sameType = false;
    const op: CustomOp = {
      run([x]: [CustomOpTensor], [y]: [CustomOpOutput]) {
        sameType = x.data.constructor === y.data.constructor;
        y.data.set(x.data as never);
      },
    };
    const model = await load(customOpModel('Copy', { dtype: 'float16' }), { Copy: op });
    const [y] = await model.run(Uint16Array.of(0x3c00, 0, 0, 0));
    const { buffer, byteOffset } = y.data as Uint16Array;
    expect([sameType, ...new Uint16Array(buffer, byteOffset, 2)]).toEqual([true, 0x3c00, 0]);
  });

  it('get the quantization of the file', async () => {
    let found: unknown;
    const op: CustomOp = {
      run([x]: [CustomOpTensor]) {
        found = x.quantization;
      },
    };
    const quantization = { scale: 0.5, zeroPoint: -3 };
    const model = await load(customOpModel('Read', { dtype: 'int8', quantization }), { Read: op });
    await model.run(new Int8Array(4));
    expect(found).toEqual({ scales: [0.5], zeroPoints: [-3], quantizedDimension: 0 });
  });

  it('have options and state of their own for each node of an op', async () => {
    const seen: unknown[] = [];
    const add: CustomOp = {
      prepare([x]: [CustomOpInput], options, node) {
        node.state = options[0];
        return [{ shape: x.shape, dtype: x.dtype }];
      },
      run([x]: X, [y]: Y, { index, state }: CustomOpNode) {
        seen.push([index, state]);
        y.data.set(x.data.map((value) => value + (state as number)));
      },
    };
    const nodes = [1, 10, 100].map((value, index): TinyNode => {
      return { op: 'CUSTOM', customName: 'Add', inputs: [index], outputs: [index + 1], options: [value] };
    });
    const model = await load({ tensorCount: 4, nodes, inputs: [0], outputs: [3] }, { Add: add });
    expect(await valuesOf(model, 0, 1, 2, 3)).toEqual([111, 112, 113, 114]);
    expect(seen).toEqual([
      [0, 1],
      [1, 10],
      [2, 100],
    ]);
  });

  it('get an input that is left out without elements', async () => {
    const op: CustomOp = {
      run: ([none, x]: [Floats, Floats], [y]: Y) => y.data.set([none.index, none.data.length, ...x.data.slice(2)]),
    };
    const nodes: TinyNode[] = [{ op: 'CUSTOM', customName: 'First', inputs: [-1, 0], outputs: [1] }];
    const model = await load({ tensorCount: 2, nodes, inputs: [0], outputs: [1] }, { First: op });
    expect(await valuesOf(model, 5, 6, 7, 8)).toEqual([-1, 0, 7, 8]);
  });

  it('may use another model', async () => {
    const other = await load(customOpModel('Double'), { Double: DOUBLE });
    const op: CustomOp = { run: ([x]: X, [y]: Y) => y.data.set(other.runSync(x.data.slice())[0].data as Float32Array) };
    expect(await valuesOf(await load(customOpModel('Double'), { Double: op }), 1, 2, 3, 4)).toEqual([2, 4, 6, 8]);
  });

  const calls = Object.entries(OWN_MODEL).flatMap(([call, use]) => RUNS.map((outer) => ({ outer, call, use })));
  it.each(calls)('cannot call $call() of their own model in $outer()', async ({ outer, use }) => {
    let reentered: Promise<InterpreterError> | undefined;
    const op: CustomOp = {
      run([x]: X, [y]: Y) {
        reentered = errorOf(() => use(model));
        y.data.set(x.data);
      },
    };
    const model = await load(customOpModel('Copy'), { Copy: op });
    await model[outer](floats(1, 2, 3, 4));
    expect((await reentered)?.message).toContain(
      "The custom op 'Copy' (node 0) used its own model, which waits for it: use the model after its run.",
    );
  });

  it('have their tensors during the call only', async () => {
    let kept: { readonly data: unknown } | undefined;
    const op: CustomOp = {
      run([x]: X, [y]: Y) {
        kept = x;
        y.data.set(x.data);
      },
    };
    await valuesOf(await load(customOpModel('Copy'), { Copy: op }), 1, 2, 3, 4);
    expect(() => kept?.data).toThrow(
      'a tensor of a custom op can be used during its call only: copy the values with data.slice()',
    );
  });

  it('compute an op of TensorFlow', async () => {
    const model = await load(customOpModel('FlexErf'), { FlexErf: DOUBLE });
    expect(await valuesOf(model, 1, 2, 3, 4)).toEqual([2, 4, 6, 8]);
  });

  it.each(['Convolution2DTransposeBias', 'AudioSpectrogram'])('are not held to the kernel of %s', async (op) => {
    // The kernels need another number of inputs, and options.
    expect(await valuesOf(await load(customOpModel(op), { [op]: DOUBLE }), 1, 2, 3, 4)).toEqual([2, 4, 6, 8]);
  });

  it('are measured as nodes of their op', async () => {
    const model = await load(customOpModel('Copy'), { Copy: COPY }, { device: 'cpu', enableProfiling: true });
    await valuesOf(model, 1, 2, 3, 4);
    expect((await model.getProfilingResults()).map(({ nodeType }) => nodeType)).toContain('Copy');
  });

  it('are loaded again after dispose()', async () => {
    for (let i = 0; i < 5; i++) {
      const model = await load(customOpModel('Double'), { Double: DOUBLE });
      expect(await valuesOf(model, 1, 2, 3, i)).toEqual([2, 4, 6, 2 * i]);
      model.dispose();
      await expect(model.run(floats(1, 2, 3, 4))).rejects.toThrow(ModelDisposedError);
    }
  });

  it.each([undefined, { Other: DOUBLE }])('are named by the error of an unknown op, with %o', async (customOps) => {
    const error = await errorOf(() => load(customOpModel('Mine'), customOps, {}));
    expect(error.code).toBe('UNRESOLVED_CUSTOM_OP');
    expect(error.message).toMatch(/or compute the op in JavaScript: loadTFLiteModel\(\) of .* option customOps$/);
  });
});

describeOnModule('shapes of custom ops', () => {
  it.each(DEVICES)('are prepared again for other inputs, on %s', async (device) => {
    const shapes: unknown[] = [];
    const op: CustomOp = {
      ...DOUBLE,
      prepare([x]: [CustomOpInput]) {
        shapes.push(x.shape);
        return [{ shape: x.shape }];
      },
    };
    const model = await load(
      customOpModel('Double', { shape: [1, 2], signature: [-1, 2] }),
      { Double: op },
      on(device),
    );
    await model.resizeInputs([3, 2]);
    const [y] = await model.run(floats(1, 2, 3, 4, 5, 6));
    expect([y.shape, [...(y.data as Float32Array)]]).toEqual([
      [3, 2],
      [2, 4, 6, 8, 10, 12],
    ]);
    await model.resizeInputs([1, 2]);
    expect(await valuesOf(model, 1, 2)).toEqual([2, 4]);
    expect([shapes[0], shapes.at(-1)]).toEqual([
      [1, 2],
      [3, 2], // the model of the first shape was kept
    ]);
  });

  it('need prepare() after a resize where the file leaves them open', async () => {
    const model = await load(customOpModel('Double', { shape: [1, 2], signature: [-1, 2] }), { Double: DOUBLE });
    const error = await errorOf(() => model.resizeInputs([3, 2]));
    expect(error.code).toBe('CUSTOM_OP_FAILED');
    expect(error.message).toContain(
      "has output 0 ('t1') of the shape [-1, 2], which depends on its inputs: return it from prepare()",
    );
    expect(await valuesOf(model, 1, 2)).toEqual([2, 4]);
  });

  it.each(DEVICES)('may be known to the run only, on %s', async (device) => {
    const op: CustomOp = {
      prepare: () => [{ shape: null }],
      run([x]: X, [y]: Y) {
        const kept = x.data.filter((value) => value > 0);
        y.resize([kept.length]);
        y.data.set(kept);
      },
    };
    const model = await load(FILTERED, { Positives: op }, on(device));
    expect(model.executionMode).toBe(device === 'cpu' ? 'cpu' : 'stepped');
    for (const sign of [1, -1, 0, 1]) {
      const x = [1, 2, 3, 4, 5, 6, 7, 8].map((value) => sign * value);
      const expected = x.map((value) => 2 * Math.sin(value)).filter((value) => value > 0);
      const [y] = await model.run(floats(...x));
      expect(y.shape).toEqual([expected.length]);
      expect([...(y.data as Float32Array)]).toEqual(expected.map((value) => expect.closeTo(value, 5)));
    }
  });

  it('may need so much memory that it grows: views are created again', async () => {
    const seen: unknown[] = [];
    const op: CustomOp = {
      prepare: () => [{ shape: null }],
      run([x]: X, [y]: Y) {
        const before = x.data;
        y.resize([2 ** 25]);
        seen.push(before.length, x.data.length, y.data.length);
        y.data[2 ** 25 - 1] = x.data[3] as number;
      },
    };
    const model = await load(customOpModel('Grow'), { Grow: op });
    const [y] = await model.run(floats(1, 2, 3, 4));
    expect(seen).toEqual([0, 4, 2 ** 25]); // the view of the memory before has no elements any more
    expect((y.data as Float32Array).at(-1)).toBe(4);
  });
});

function bad(): never {
  throw new RangeError('too bad');
}

const FAILURES: Readonly<Record<string, readonly [op: unknown, message: string]>> = {
  'run() that throws': [{ run: bad }, 'failed in run(): RangeError: too bad.'],
  'run() that throws no error': [
    {
      run() {
        throw 5;
      },
    },
    'failed in run(): 5.',
  ],
  'prepare() that throws': [{ prepare: bad, run() {} }, 'failed in prepare(): RangeError: too bad.'],
  'an asynchronous run()': [
    { run: async () => bad() },
    'has an asynchronous run(), but TFLite cannot wait: make it synchronous.',
  ],
  'an asynchronous prepare()': [
    { prepare: async () => undefined, run() {} },
    'has an asynchronous prepare(), but TFLite cannot wait: make it synchronous.',
  ],
  'too few results': [
    { prepare: () => [], run() {} },
    'has another number of results: prepare() returns a list with { shape } for each of its 1 outputs; it returned 0.',
  ],
  'no list': [
    { prepare: () => ({ shape: [4] }), run() {} },
    'has another result: prepare() returns a list with { shape } for each of its 1 outputs; it returned [object Object].',
  ],
  'a bare shape': [
    { prepare: () => [[4]], run() {} },
    'prepare() returns a list with { shape } for each of its 1 outputs; it returned 4 for output 0.',
  ],
  'a wrong shape': [
    { prepare: () => [{ shape: [-1] }], run() {} },
    'cannot have output 0 of the shape -1: a shape is a list of integers, 0 or more, or null if run() sets it',
  ],
  'a large shape': [
    { prepare: () => [{ shape: [65536, 65536] }], run() {} },
    "failed in prepare(): RangeError: output 0 ('t1') of the shape [65536, 65536] takes more than 2 GB.",
  ],
  'a wrong type': [
    { prepare: () => [{ dtype: 'int32' }], run() {} },
    'cannot have output 0 of the type "int32": the file says float32, which other nodes rely on.',
  ],
  'a shape that is never set': [
    { prepare: () => [{ shape: null }], run() {} },
    'did not call resize(shape) of output 0, whose shape prepare() left to run().',
  ],
  'values that are read before the shape is set': [
    { prepare: () => [{ shape: null }], run: (_: unknown, [y]: Y) => y.data.fill(1) },
    "failed in run(): TypeError: output 0 ('t1') has no values before resize(shape) sets its shape.",
  ],
  'resize() of a fixed shape': [
    { run: (_: unknown, [y]: Y) => y.resize([2]) },
    "failed in run(): TypeError: resize() is for outputs that prepare() returned with the shape null; output 0 ('t1') " +
      'has the shape [4].',
  ],
  'resize() to no shape': [
    { prepare: () => [{ shape: null }], run: (_: unknown, [y]: Y) => y.resize('4' as never) },
    'failed in run(): TypeError: resize() needs a list of integers, 0 or more; got "4".',
  ],
  'endless recursion': [
    {
      run: function run(inputs: unknown, outputs: unknown) {
        run(inputs, outputs);
      },
    },
    'failed in run(): RangeError: Maximum call stack size exceeded.',
  ],
};

describeOnModule('errors of custom ops', () => {
  const cases = DEVICES.flatMap((device) =>
    Object.entries(FAILURES).map(([name, [op, message]]) => ({ device, name, op: op as CustomOp, message })),
  );
  it.each(cases)('name the node on $device: $name', async ({ device, op, message }) => {
    const good = await load(customOpModel('Mine'), { Mine: DOUBLE }, on(device));
    const error = await errorOf(async () => {
      const model = await load(customOpModel('Mine'), { Mine: op }, on(device));
      await model.run(floats(1, 2, 3, 4)).catch(() => undefined);
      await model.run(floats(1, 2, 3, 4));
    });
    expect(error).toBeInstanceOf(InterpreterError);
    expect(error.message).toMatch(/^The custom op 'Mine' \(node 0\) /);
    expect(error.message).toContain(message);
    expect(error.code).toBe('CUSTOM_OP_FAILED');
    expect(error.details).toEqual({ op: 'Mine', node: 0, subgraph: 0 });
    expect(error.cause !== undefined).toBe(message.includes('failed in'));
    expect(await valuesOf(good, 1, 2, 3, 4)).toEqual([2, 4, 6, 8]);
  });

  it('leave the model as it was', async () => {
    let fails = true;
    const op: CustomOp = { run: ([x]: X, [y]: Y) => (fails ? bad() : y.data.set(x.data)) };
    const model = await load(customOpModel('Copy'), { Copy: op });
    expect((await errorOf(() => model.run(floats(1, 2, 3, 4)))).code).toBe('CUSTOM_OP_FAILED');
    fails = false;
    expect(await valuesOf(model, 1, 2, 3, 4)).toEqual([1, 2, 3, 4]);
  });

  it.each(['string', 'int4'])('name the type %s, which no array holds', async (dtype) => {
    const error = await errorOf(() => load(customOpModel('Copy', { dtype }), { Copy: COPY }));
    expect(error.message).toContain(`cannot have input 0 of the type ${dtype}, which no array holds`);
  });
});
