/** What functions of the option `customOps` get, return and do wrong. */

import {
  type CustomOp,
  type CustomOpInput,
  type CustomOpTensor,
  InterpreterError,
  type TFLiteModel,
  type TFLiteModelOptions,
} from 'tflite-webnn';
import { describe, expect, it } from 'vitest';
import { COPY, DOUBLE, floatsOf, load, ONE_TO_FOUR, onFloats } from './custom_op.js';
import { CPU, errorOf, expectClose, floats, WEBNN } from './fixtures.js';

const POLYFILL = { ...WEBNN, webnnDelegateOptions: { polyfill: 'tflite', ignorePartitionCost: true } } as const;
const EXECUTIONS: [name: string, options: TFLiteModelOptions][] = [
  ['the CPU', CPU],
  ['the polyfill', POLYFILL],
];
const TABLE = [0.5, -2, 3, 0.25];
async function expectDoubled(model: TFLiteModel): Promise<void> {
  expect([...floats((await model.run(ONE_TO_FOUR()))[0])]).toEqual([2, 4, 6, 8]);
}

it.each<[string, TFLiteModelOptions, string]>([
  ['the CPU', CPU, 'cpu'],
  ["TFLite's kernels", { ...CPU, enableXnnpackDelegate: false }, 'cpu'],
  ['WebNN', WEBNN, 'stepped'],
  ['the polyfill', POLYFILL, 'stepped'],
])('the other nodes run as ever on %s', async (_, options, mode) => {
  const scale = {
    run([x, table]: CustomOpTensor[], [y]: CustomOpTensor[]) {
      const [values, factors, results] = [x, table, y].map((tensor) => tensor?.data as Float32Array);
      results?.set(values?.map((value, at) => value * (factors?.[at % factors.length] ?? 0)) ?? []);
    },
  };
  const model = await load('mine_between_nodes', scale, options);
  const x = Float32Array.from({ length: 8 }, (_, at) => -2 + (at * 4) / 7);
  const [first] = await model.run(x);
  const [second] = await model.run(x);
  expect(second.data).toEqual(first.data);
  const expected = [...x].map((value, at) => -Math.sin(value) * (TABLE[at % 4] as number));
  expectClose(floats(first), expected, 1e-6, 1e-5);
  expect(model.executionMode).toBe(mode);
  const rows = (await model.report()).nodes.map(({ op, placement, reason }) => [op, placement, reason]);
  if (mode === 'stepped') {
    expect(rows).toEqual([
      ['SIN', 'webnn', null],
      ['Mine', 'cpu', 'a function of the option customOps computes Mine'],
      ['NEG', 'webnn', null],
    ]);
  }
});

it('runSync() calls the functions', async () => {
  const model = await load('mine_float32', DOUBLE);
  expect([...floats(model.runSync(ONE_TO_FOUR())[0])]).toEqual([2, 4, 6, 8]);
});

it('functions get tensors, options and their node', async () => {
  const shown = ({ index, name, dtype, shape, quantization, data }: CustomOpInput) => {
    return {
      index,
      name,
      dtype,
      shape,
      quantization,
      data: data && Array.from(data, Number),
      type: data?.constructor.name,
    };
  };
  const calls: unknown[] = [];
  const op: CustomOp & { factor: number } = {
    factor: 2,
    prepare(inputs, options, node) {
      const shownNode = { ...node, options: [...node.options] };
      calls.push({ inputs: inputs.map(shown), options: [...options], node: shownNode });
      node.state = this.factor;
    },
    run(inputs, outputs, node) {
      calls.push({ inputs: inputs.map(shown), outputs: outputs.map(shown), state: node.state });
      outputs[0]?.data.fill(1 as never);
    },
  };
  const model = await load('mine_between_nodes', op);
  const common = { dtype: 'float32', quantization: null };
  const sine = { index: 1, name: 'sine', shape: [2, 4], ...common };
  const table = { index: 4, name: 'table', shape: [4], ...common, data: TABLE, type: 'Float32Array' };
  expect(calls.at(-1)).toEqual({
    inputs: [{ ...sine, data: null, type: undefined }, table],
    options: [3, 5],
    node: { op: 'Mine', index: 1, subgraph: 0, options: [3, 5] },
  });
  await model.run(new Float32Array(8));
  expect(calls.at(-1)).toEqual({
    inputs: [{ ...sine, data: Array(8).fill(0), type: 'Float32Array' }, table],
    outputs: [{ index: 2, name: 'scaled', shape: [2, 4], ...common, data: expect.any(Array), type: 'Float32Array' }],
    state: 2,
  });
});

describe('data is the typed array of its type', () => {
  it.each([
    ['float32', Float32Array],
    ['float64', Float64Array],
    ['float16', Float16Array],
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
  ] as const)('%s', async (dtype, Values) => {
    const seen: unknown[] = [];
    const reverse: CustomOp = {
      run([x], [y]) {
        seen.push(x?.data.constructor, y?.data.constructor, x?.dtype, x?.data.length);
        y?.data.set(x?.data.slice().reverse() as never);
      },
    };
    const model = await load(`mine_${dtype}`, reverse);
    const x = new Values(dtype === 'complex64' ? 8 : 4);
    x[0] = typeof x[0] === 'bigint' ? 1n : 1;
    const [{ data }] = await model.run(x as Float32Array);
    expect(seen).toEqual([Values, Values, dtype, x.length]);
    expect([Number(data.at(-1)), Number(data[0])]).toEqual([1, 0]);
  });

  it.each(['string', 'int4'])('%s, which no array holds, is an error', async (dtype) => {
    const error = await errorOf(load(`mine_${dtype}`, { run() {} }));
    expect(error.message).toContain(`cannot have input 0 of the type ${dtype}, which no array holds`);
  });
});

it("quantization is the file's", async () => {
  let found: unknown;
  const model = await load('mine_quantized', {
    run([x]: CustomOpTensor[]) {
      found = x?.quantization;
    },
  });
  await model.run(new Int8Array(4));
  expect(found).toEqual({ scales: [0.5], zeroPoints: [-3], quantizedDimension: 0 });
});

it('nodes of one op have their own options and state', async () => {
  const seen: unknown[] = [];
  const add: CustomOp = {
    prepare([x], options, node) {
      node.state = options[0];
      return [{ shape: x?.shape ?? null, ...(x && { dtype: x.dtype }) }];
    },
    run([x], [y], node) {
      seen.push([node.index, node.state]);
      floatsOf(y).set(floatsOf(x).map((value) => value + Number(node.state)));
    },
  };
  const [y] = await (await load('mine_chain', add)).run(Float32Array.of(0, 1, 2, 3));
  expect(seen).toEqual([[0, 1], [1, 10], [2, 100]]); // biome-ignore format: node and state
  expect([...floats(y)]).toEqual([111, 112, 113, 114]);
});

it('an input that is left out has no elements', async () => {
  const first: CustomOp = {
    run([none, x], [y]) {
      floatsOf(y).set([none?.index ?? 0, none?.data.length ?? 1, ...floatsOf(x).slice(2)]);
    },
  };
  const [y] = await (await load('mine_without_input', first)).run(Float32Array.of(5, 6, 7, 8));
  expect([...floats(y)]).toEqual([-1, 0, 7, 8]);
});

describe.each(EXECUTIONS)('on %s', (_, options) => {
  it('only the branch that is chosen calls its node', async () => {
    const nodes = new Set<string>();
    const op: CustomOp = {
      run(inputs, outputs, node) {
        nodes.add(`${node.subgraph}:${node.index}`);
        DOUBLE.run(inputs, outputs, node);
      },
    };
    const model = await load('mine_in_branches', op, options);
    for (const [chosen, expected] of [
      [1, [2, 4, 6, 8]],
      [0, [-2, -4, -6, -8]],
    ] as const) {
      // biome-ignore format: rows
      expect([...floats((await model.run([Uint8Array.of(chosen), ONE_TO_FOUR()]))[0])]).toEqual(expected);
    }
    expect([...nodes]).toEqual(['1:0', '2:1']);
  });

  it('a signature of another subgraph calls the functions', async () => {
    const model = await load('mine_of_signature', DOUBLE, options);
    const { y } = await model.runSignature<'y'>('other', { x: ONE_TO_FOUR() });
    expect([...floats(y)]).toEqual([2, 4, 6, 8]);
    expect([...floats((await model.run(Float32Array.of(1, 0, 0, 0)))[0])]).toEqual([-1, -0, -0, -0]);
  });

  it('prepare() runs again for other shapes', async () => {
    const shapes: unknown[] = [];
    const op: CustomOp = {
      prepare([x]) {
        shapes.push(x?.shape);
        return [{ shape: x?.shape ?? null }];
      },
      run: DOUBLE.run,
    };
    const model = await load('mine_with_open_shape', op, options);
    await model.resizeInputs([3, 2]);
    const [large] = await model.run(Float32Array.of(1, 2, 3, 4, 5, 6));
    await model.resizeInputs([1, 2]);
    const [small] = await model.run(Float32Array.of(1, 2));
    expect(large.shape).toEqual([3, 2]);
    expect([[...floats(large)], [...floats(small)]]).toEqual([[2, 4, 6, 8, 10, 12], [2, 4]]); // biome-ignore format: two
    expect([shapes[0], shapes.at(-1)]).toEqual([[1, 2], [3, 2]]); // biome-ignore format: the first shape's model was kept
  });

  it('a run decides the shape of an output', async () => {
    const positives: CustomOp = {
      prepare: () => [{ shape: null }],
      run([x], [y]) {
        const found = floatsOf(x).filter((value) => value > 0);
        y?.resize([found.length]);
        floatsOf(y).set(found);
      },
    };
    const model = await load('mine_filtered', positives, options);
    for (const sign of [1, -1, 0, 1]) {
      const x = Float32Array.from({ length: 8 }, (_, at) => sign * (at + 1));
      const [y] = await model.run(x);
      const expected = [...x].map((value) => 2 * Math.sin(value)).filter((value) => value > 0);
      expectClose(floats(y), expected, 0, 1e-5);
      expect(y.shape).toEqual([expected.length]);
    }
    expect(model.executionMode).toBe(options === CPU ? 'cpu' : 'stepped');
  });
});

it('an open shape needs prepare() after a resize', async () => {
  const model = await load('mine_with_open_shape', DOUBLE);
  const before = await model.run(Float32Array.of(1, 2));
  const error = await errorOf(model.resizeInputs([3, 2]));
  expect(error.code).toBe('CUSTOM_OP_FAILED');
  expect(error.message).toContain(
    "has output 0 ('y') of the shape [-1, 2], which depends on its inputs: return it from prepare()",
  );
  expect((await model.run(Float32Array.of(1, 2)))[0].data).toEqual(before[0].data);
});

it('views are made again when memory grows', async () => {
  const seen: unknown[] = [];
  const grow: CustomOp = {
    prepare: () => [{ shape: null }],
    run([x], [y]) {
      const before = floatsOf(x);
      y?.resize([2 ** 25]);
      const [values, results] = [floatsOf(x), floatsOf(y)];
      seen.push(before.length, values.length, values[3], results.length);
      results[2 ** 25 - 1] = values[3] as number;
    },
  };
  const model = await load('mine_float32', grow, { ...CPU, variant: 'simd' });
  const [y] = await model.run(ONE_TO_FOUR());
  expect(seen).toEqual([0, 4, 4, 2 ** 25]); // the view of the memory before has no elements any more
  expect([y.shape, y.data.at(-1)]).toEqual([[2 ** 25], 4]);
  model.dispose();
});

describe('what functions do wrong is an error with the node, and another model still runs', () => {
  const open = () => [{ shape: null }];
  const nothing = () => {};
  const throwing = (value: unknown) => () => {
    throw value;
  };
  const endless = (): void => endless();
  const FAILURES: Record<string, [op: unknown, words: string]> = {
    'run() throws': [{ run: throwing(new RangeError('too bad')) }, 'failed in run(): RangeError: too bad.'],
    'run() throws no error': [{ run: throwing(5) }, 'failed in run(): 5.'],
    'prepare() throws': [
      { prepare: throwing(new RangeError('too bad')), run: nothing },
      'failed in prepare(): RangeError: too bad.',
    ],
    'an asynchronous run()': [
      { run: async () => throwing(new Error('unseen'))() },
      'has an asynchronous run(), but TFLite cannot wait: make it synchronous.',
    ],
    'an asynchronous prepare()': [
      { prepare: async () => {}, run: nothing },
      'has an asynchronous prepare(), but TFLite cannot wait: make it synchronous.',
    ],
    'too few results': [
      { prepare: () => [], run: nothing },
      'has another number of results: prepare() returns a list with { shape } for each of its 1 outputs; it returned 0.',
    ],
    'no list': [
      { prepare: () => ({ shape: [4] }), run: nothing },
      'has another result: prepare() returns a list with { shape } for each of its 1 outputs; it returned [object Object].',
    ],
    'a bare shape': [
      { prepare: () => [[4]], run: nothing },
      'prepare() returns a list with { shape } for each of its 1 outputs; it returned 4 for output 0.',
    ],
    'a wrong shape': [
      { prepare: () => [{ shape: [-1] }], run: nothing },
      'cannot have output 0 of the shape -1: a shape is a list of integers, 0 or more, or null if run() sets it',
    ],
    'a large shape': [
      { prepare: () => [{ shape: [65536, 65536] }], run: nothing },
      "failed in prepare(): RangeError: output 0 ('y') of the shape [65536, 65536] takes more than 2 GB.",
    ],
    'a wrong type': [
      { prepare: () => [{ dtype: 'int32' }], run: nothing },
      'cannot have output 0 of the type "int32": the file says float32, which other nodes rely on.',
    ],
    'no resize()': [
      { prepare: open, run: nothing },
      'did not call resize(shape) of output 0, whose shape prepare() left to run().',
    ],
    'a read before resize()': [
      { prepare: open, ...onFloats((_, y) => y.fill(1)) },
      "failed in run(): TypeError: output 0 ('y') has no values before resize(shape) gives it a shape.",
    ],
    'resize() of a fixed shape': [
      { run: (_: unknown, [y]: [{ resize(shape: unknown): void }]) => y.resize([2]) },
      "failed in run(): TypeError: resize() is for outputs that prepare() returned with the shape null; output 0 ('y') has the shape [4].",
    ],
    'resize() to no shape': [
      { prepare: open, run: (_: unknown, [y]: [{ resize(shape: unknown): void }]) => y.resize('4') },
      'failed in run(): TypeError: resize() needs a list of integers, 0 or more; it was given "4".',
    ],
    'endless recursion': [{ run: endless }, 'failed in run(): RangeError: Maximum call stack size exceeded.'],
  };
  const rows = EXECUTIONS.flatMap(([place, options]) =>
    Object.entries(FAILURES).map(([name, [op, words]]) => ({ place, options, name, op, words })),
  );
  it.each(rows)('$name, on $place', async ({ options, op, words }) => {
    const good = await load('mine_float32', DOUBLE, options);
    const running = load('mine_float32', op, options).then(async (model) => {
      await errorOf(model.run(ONE_TO_FOUR()));
      return model.run(ONE_TO_FOUR());
    });
    const error = await errorOf(running);
    expect(error).toBeInstanceOf(InterpreterError);
    expect(error.message).toMatch(/^The custom op 'Mine' \(node 0\) /);
    expect(error.message).toContain(words);
    expect(error).toMatchObject({ code: 'CUSTOM_OP_FAILED', details: { op: 'Mine', node: 0, subgraph: 0 } });
    expect('cause' in error).toBe(words.includes('failed in'));
    await expectDoubled(good);
  });
});

it('a model runs again after a failed run', async () => {
  let fails = true;
  const op = onFloats((x, y) => {
    if (fails) throw new Error('once');
    y.set(x.map((value) => 2 * value));
  });
  const model = await load('mine_float32', op);
  expect((await errorOf(model.run(ONE_TO_FOUR()))).code).toBe('CUSTOM_OP_FAILED');
  fails = false;
  await expectDoubled(model);
});

it('a run may use another model', async () => {
  const other = await load('mine_float32', DOUBLE);
  const op = onFloats((x, y) => y.set(floats(other.runSync(x.slice())[0])));
  await expectDoubled(await load('mine_float32', op));
});

it('tensors can be used during their call only', async () => {
  let kept: CustomOpTensor | undefined;
  const op: CustomOp = {
    run(inputs, outputs, node) {
      kept = inputs[0];
      COPY.run(inputs, outputs, node);
    },
  };
  await (await load('mine_float32', op)).run(ONE_TO_FOUR());
  expect(() => kept?.data).toThrow(
    'a tensor of a custom op can be used during its call only: copy the values with data.slice()',
  );
});

it('models load and run again after dispose()', async () => {
  for (let count = 0; count < 5; count++) {
    const model = await load('mine_float32', DOUBLE);
    await expectDoubled(model);
    model.dispose();
    expect((await errorOf(model.run(ONE_TO_FOUR()))).name).toBe('ModelDisposedError');
  }
});

it('nodes are measured by their op', async () => {
  const model = await load('mine_between_nodes', { run() {} }, { ...CPU, enableProfiling: true });
  await model.run(new Float32Array(8));
  expect((await model.getProfilingResults()).map(({ nodeType }) => nodeType)).toContain('Mine');
});
