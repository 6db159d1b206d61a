/** The rules of every operator: results and errors. */

import { beforeAll, describe, expect, test } from 'vitest';
import {
  type ML,
  type MLContext,
  type MLGraphBuilder,
  type MLOperand,
  type MLOperandDataType,
  type MLOpSupportLimits,
  type MLTensorLimits,
  webnnOf,
} from 'webnn-polyfill';
import { OPERATORS } from '../src/generated/webnn_idl.js';
import { outcomeOf } from './cases/case.js';
import { CASES } from './cases/every_operator.js';
import { type FakeContext, FakeEngine } from './fakes/engine.js';

const engine = new FakeEngine();
let context: MLContext;
let Builder: new (context: MLContext) => MLGraphBuilder;

async function contextOf(engine: FakeEngine): Promise<MLContext> {
  const scope = webnnOf(engine);
  Builder = scope.MLGraphBuilder as typeof Builder;
  const ml = scope.navigator?.ml as unknown as ML;
  return await ml.createContext();
}

beforeAll(async () => {
  context = await contextOf(engine);
});

test('every operator has cases', () => {
  expect(Object.keys(CASES).sort()).toEqual(Object.keys(OPERATORS).sort());
  expect(Object.keys(OPERATORS)).toHaveLength(95);
});

describe.each(Object.entries(CASES))('%s', (op, cases) => {
  test.each(cases)('%s', (_, args, outcome) => {
    expect(outcomeOf(new Builder(context), op, args)).toBe(outcome);
  });
});

test('errors have the label, and the name of the operator', () => {
  const builder = new Builder(context);
  const input = builder.input('input', { dataType: 'float32', shape: [2, 3] });
  expect(() => builder.transpose(input, { permutation: [0], label: 'my op' })).toThrow(
    /^Failed to execute 'transpose' on 'MLGraphBuilder': \[my op\] The length of permutation is 1; it should be 2\.$/,
  );
  expect(() => builder.softmax(input, 5)).toThrow(/^Failed to execute 'softmax' on 'MLGraphBuilder': The axis 5/);
});

test('convTranspose2d accepts groups that do not divide the channels, which engines reject', () => {
  const builder = new Builder(context);
  const [input, filter] = ['input', 'filter'].map((name) =>
    builder.input(name, { dataType: 'float32', shape: [1, 1, 3, 3] }),
  ) as [MLOperand, MLOperand];
  expect(builder.convTranspose2d(input, filter, { groups: 3 }).shape).toEqual([1, 3, 5, 5]);
});

test('conv2d rejects images that are too large with their padding, though the output is small', () => {
  const builder = new Builder(context);
  const input = builder.input('input', { dataType: 'float32', shape: [1, 1, 8, 8] });
  const filter = builder.input('filter', { dataType: 'float32', shape: [1, 1, 1, 1] });
  const wide = { padding: [40_000, 40_000, 40_000, 40_000], strides: [50_000, 50_000], label: 'wide' };
  expect(() => builder.conv2d(input, filter, wide)).toThrow(/\[wide\] The \d+ bytes of what is computed on the way/);
  const narrow = { ...wide, padding: [40, 40, 40, 40] };
  expect(builder.conv2d(input, filter, narrow).shape).toEqual([1, 1, 1, 1]);
  const uneven = { ...wide, padding: [40_000, 30_000, 20_000, 10_000] };
  expect(() => builder.conv2d(input, filter, uneven)).toThrow(`The ${4 * 70_008 * 30_008} bytes`);
  const last = builder.input('nhwc', { dataType: 'float32', shape: [1, 5, 8, 2] });
  const filterOf2 = builder.input('filter of 2', { dataType: 'float32', shape: [1, 2, 1, 1] });
  const nhwc = { ...uneven, inputLayout: 'nhwc' } as const;
  expect(() => builder.conv2d(last, filterOf2, nhwc)).toThrow(`The ${4 * 70_005 * 30_008 * 2} bytes`);
});

/** The attributes of one call that the engine gets. */
async function attributes(run: (builder: MLGraphBuilder) => ReturnType<MLGraphBuilder['relu']>) {
  const builder = new Builder(context);
  await builder.build({ output: run(builder) });
  return (engine.contexts[0] as FakeContext).graphs.at(-1)?.operators.at(-1)?.attributes;
}

const image = { dataType: 'float32', shape: [1, 2, 6, 6] } as const;

test('engines get all defaults', async () => {
  expect(
    await attributes((builder) => {
      const filter = builder.constant({ dataType: 'float32', shape: [2, 2, 3, 3] }, new Float32Array(36));
      return builder.conv2d(builder.input('x', image), filter);
    }),
  ).toEqual({
    padding: [0, 0, 0, 0],
    strides: [1, 1],
    dilations: [1, 1],
    groups: 1,
    inputLayout: 'nchw',
    filterLayout: 'oihw',
  });
  expect(await attributes((builder) => builder.maxPool2d(builder.input('x', image), { strides: [2, 2] }))).toEqual({
    windowDimensions: [6, 6],
    padding: [0, 0, 0, 0],
    strides: [2, 2],
    dilations: [1, 1],
    layout: 'nchw',
    outputShapeRounding: 'floor',
    outputSizes: [1, 1],
  });
  expect(await attributes((builder) => builder.transpose(builder.input('x', image)))).toEqual({
    permutation: [3, 2, 1, 0],
  });
  expect(await attributes((builder) => builder.reduceSum(builder.input('x', image)))).toEqual({
    axes: [0, 1, 2, 3],
    keepDimensions: false,
  });
});

test('numbers are cast to the type that they are computed in', async () => {
  expect(await attributes((builder) => builder.elu(builder.input('x', image), { alpha: 0.1 }))).toEqual({
    alpha: Math.fround(0.1),
  });
  const integers = { dataType: 'int8', shape: [2] } as const;
  expect(await attributes((builder) => builder.clamp(builder.input('x', integers), { minValue: -1.5 }))).toEqual({
    minValue: -1,
    maxValue: 127,
  });
  const large = { dataType: 'uint64', shape: [2] } as const;
  expect(await attributes((builder) => builder.clamp(builder.input('x', large), { maxValue: 2n ** 80n }))).toEqual({
    minValue: 0n,
    maxValue: 2n ** 64n - 1n,
  });
});

describe('an engine with fewer types', () => {
  const limits: MLOpSupportLimits = {
    maxTensorByteLength: 1000,
    preferredInputLayout: 'nhwc',
    input: { dataTypes: ['float32', 'int32'] },
    relu: { input: { dataTypes: ['float32', 'uint8'], rankRange: { max: 4 } } },
    gelu: { input: { dataTypes: [] }, output: { dataTypes: [] } },
  };

  test('says so, and what the specification says of the others', async () => {
    const supported = (await contextOf(new FakeEngine(limits))).opSupportLimits();
    expect(supported.maxTensorByteLength).toBe(999);
    expect(supported.preferredInputLayout).toBe('nhwc');
    expect(supported.input).toEqual({ dataTypes: ['float32', 'int32'], rankRange: { min: 0, max: 8 } });
    expect(supported.relu?.input).toEqual({ dataTypes: ['float32'], rankRange: { min: 0, max: 4 } });
    expect(supported.conv2d?.bias).toEqual({ dataTypes: ['float32', 'float16'], rankRange: { min: 1, max: 1 } });
    expect(Object.keys(supported)).toHaveLength(95 + 5);
  });

  test('is not called for what it lacks', async () => {
    const builder = new Builder(await contextOf(new FakeEngine(limits)));
    const input = builder.input('a', { dataType: 'float32', shape: [1, 1, 1, 1, 2] });
    expect(() => builder.relu(input)).toThrow(/rank/);
    expect(() => builder.gelu(input)).toThrow(/no type is supported/);
    expect(() => builder.input('b', { dataType: 'int8', shape: [2] })).toThrow(TypeError);
    expect(() => builder.input('b', { dataType: 'float32', shape: [251] })).toThrow(/1004 bytes/);
    expect(() => builder.tile(input, [1, 1, 1, 1, 126])).toThrow(/1008 bytes/);
  });
});

describe('exactly the ranks of opSupportLimits() are accepted', () => {
  /** Arguments after the input, for operators that need them. */
  const others: Readonly<Record<string, (rank: number) => readonly unknown[]>> = {
    argMax: () => [0],
    argMin: () => [0],
    cast: () => ['int32'],
    cumulativeSum: () => [0],
    expand: (rank) => [Array(rank).fill(2)],
    pad: (rank) => [Array(rank).fill(1), Array(rank).fill(1)],
    reshape: (rank) => [[2 ** rank]],
    slice: (rank) => [Array(rank).fill(1), Array(rank).fill(1)],
    softmax: () => [0],
    split: () => [2],
    tile: (rank) => [Array(rank).fill(2)],
  };
  const isAlone = (op: string) => {
    const [parameters = []] = OPERATORS[op as keyof typeof OPERATORS].overloads;
    return parameters.every(({ name, optional }) => name === 'input' || optional);
  };
  const ops = Object.keys(OPERATORS).filter((op) => op in others || isAlone(op));

  test.each(ops)('%s', (op) => {
    const limits = context.opSupportLimits() as Record<string, { input: Required<MLTensorLimits> }>;
    const { dataTypes, rankRange } = (limits[op] as { input: Required<MLTensorLimits> }).input;
    for (let rank = 0; rank <= 8; rank++) {
      const isAccepted = rank >= (rankRange.min ?? 0) && rank <= (rankRange.max ?? 8);
      const args = others[op]?.(rank) ?? [];
      const outcome = outcomeOf(new Builder(context), op, (o) => [
        o.of(dataTypes[0] as MLOperandDataType, ...Array(rank).fill(2)),
        ...args,
      ]);
      expect([rank, outcome !== 'TypeError']).toEqual([rank, isAccepted]);
    }
  });
});
