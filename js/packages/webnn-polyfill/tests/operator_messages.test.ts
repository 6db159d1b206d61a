/** What the rules of convolution and movement say, and the boundaries of what they accept. */

import { beforeAll, describe, expect, test } from 'vitest';
import {
  type ML,
  type MLContext,
  type MLGraphBuilder,
  type MLOperand,
  type MLTensorLimits,
  webnnOf,
} from 'webnn-polyfill';
import { Operands, outcomeOf } from './cases/case.js';
import { type FakeContext, FakeEngine } from './fakes/engine.js';

type Arguments = (o: Operands) => readonly unknown[];

const engine = new FakeEngine();
let context: MLContext;
let Builder: new (context: MLContext) => MLGraphBuilder;

beforeAll(async () => {
  const scope = webnnOf(engine);
  Builder = scope.MLGraphBuilder as typeof Builder;
  const ml = scope.navigator?.ml as unknown as ML;
  context = await ml.createContext();
});

/** The result of a call, or the text of its error without the operator's name. */
function resultOf(op: string, args: Arguments): string {
  const builder = new Builder(context);
  const values = args(new Operands(builder));
  try {
    Reflect.apply(Reflect.get(builder, op) as () => unknown, builder, values);
  } catch (error) {
    return (error as Error).message.replace(`Failed to execute '${op}' on 'MLGraphBuilder': `, '');
  }
  return outcomeOf(new Builder(context), op, args);
}

/** Attributes that the engine gets of a call whose first argument creates the only input. */
async function attributes(run: (builder: MLGraphBuilder) => MLOperand): Promise<unknown> {
  const builder = new Builder(context);
  await builder.build({ output: run(builder) });
  return (engine.contexts[0] as FakeContext).graphs.at(-1)?.operators.at(-1)?.attributes;
}

const conv =
  (options: unknown): Arguments =>
  (o) => [o.f(1, 1, 5, 6), o.f(1, 1, 3, 2), options];

const CONV2D: readonly (readonly [string, Arguments])[] = [
  ['The length of padding is 3; it should be 4.', conv({ padding: [1, 1, 1] })],
  ['The length of strides is 1; it should be 2.', conv({ strides: [1] })],
  ['The length of dilations is 3; it should be 2.', conv({ dilations: [1, 1, 1] })],
  ['All values of strides should be greater than 0, but they are [1,0].', conv({ strides: [1, 0] })],
  ['All values of dilations should be greater than 0, but they are [0,1].', conv({ dilations: [0, 1] })],
  ['float32 [1,1,6,12]', conv({ padding: [1, 2, 3, 4] })],
  ['float32 [1,1,2,6]', conv({ strides: [2, 1], padding: [0, 0, 1, 0] })],
  ['float32 [1,1,1,5]', conv({ dilations: [2, 1] })],
  [
    'A window of 3 does not fit into 1 with 0 of padding.',
    (o) => [o.f(1, 1, 1, 5), o.f(1, 1, 3, 3), { strides: [2, 2] }],
  ],
  [
    'A window of 9 does not fit into 5 with 3 of padding.',
    (o) => [o.f(1, 1, 9, 5), o.f(1, 1, 3, 9), { padding: [0, 0, 1, 2] }],
  ],
  ['The groups should be greater than 0.', conv({ groups: 0 })],
  ["4 channels are not 3 groups of the filter's 1 channels.", (o) => [o.f(1, 4, 5, 5), o.f(3, 1, 3, 3), { groups: 3 }]],
  ['The groups 2 should divide the 3 output channels.', (o) => [o.f(1, 4, 5, 5), o.f(3, 2, 3, 3), { groups: 2 }]],
  ['The shape of bias is [2]; it should be [1].', (o) => [o.f(1, 1, 5, 5), o.f(1, 1, 3, 3), { bias: o.f(2) }]],
  [
    'The data type of bias is float16, which is not the float32 of the first operand.',
    (o) => [o.f(1, 1, 5, 5), o.f(1, 1, 3, 3), { bias: o.of('float16', 1) }],
  ],
  [
    'The data type of filter is float16, which is not the float32 of the first operand.',
    (o) => [o.f(1, 1, 5, 5), o.of('float16', 1, 1, 3, 3)],
  ],
];

const transposed =
  (options: unknown): Arguments =>
  (o) => [o.f(1, 1, 3, 3), o.f(1, 1, 3, 2), options];

const CONV_TRANSPOSE2D: readonly (readonly [string, Arguments])[] = [
  ['float32 [1,1,8,10]', transposed({ strides: [2, 3], outputPadding: [1, 2] })],
  ['float32 [1,1,4,1]', transposed({ padding: [1, 0, 2, 1] })],
  ['float32 [1,1,7,7]', transposed({ dilations: [2, 4] })],
  ['float32 [1,1,7,8]', transposed({ strides: [2, 3], outputSizes: [7, 8] })],
  ['float32 [1,1,8,10]', transposed({ strides: [2, 3], outputSizes: [8, 10] })],
  ['float32 [1,1,8,10]', transposed({ strides: [2, 3], outputSizes: [8, 10], outputPadding: [9, 9] })],
  ['The output size 6 should be at least 7 and less than 9.', transposed({ strides: [2, 3], outputSizes: [6, 8] })],
  ['The output size 11 should be at least 8 and less than 11.', transposed({ strides: [2, 3], outputSizes: [7, 11] })],
  ['The length of outputSizes is 1; it should be 2.', transposed({ outputSizes: [5] })],
  ['The length of outputPadding is 3; it should be 2.', transposed({ outputPadding: [0, 0, 0] })],
  [
    'The outputPadding [0,3] should be less than the strides [2,3].',
    transposed({ strides: [2, 3], outputPadding: [0, 3] }),
  ],
  ['The groups should be greater than 0.', transposed({ groups: 0 })],
  ['The 2 channels of the input are not the 3 of the filter.', (o) => [o.f(1, 2, 3, 3), o.f(3, 1, 3, 3)]],
  [
    'The shape of bias is [3]; it should be [4].',
    (o) => [o.f(1, 2, 3, 3), o.f(2, 2, 3, 3), { groups: 2, bias: o.f(3) }],
  ],
  [
    'The data type of filter is float16, which is not the float32 of the first operand.',
    (o) => [o.f(1, 1, 3, 3), o.of('float16', 1, 1, 3, 3)],
  ],
];

const many = (count: number) => (o: Operands) => [new Array(count).fill(o.f(1)), 0];

const MOVEMENT: Readonly<Record<string, readonly (readonly [string, Arguments])[]>> = {
  concat: [
    ['float32 [8192]', many(8192)],
    ['There should be at most 8192 inputs.', many(8193)],
    ['The inputs should not be empty.', () => [[], 0]],
    ['The axis 2 should be less than 2, the rank of the input.', (o) => [[o.f(2, 3)], 2]],
    [
      'The data type of inputs[1] is int32, which is not the float32 of the first operand.',
      (o) => [[o.f(2), o.i(2)], 0],
    ],
    ['The shape of inputs[2] is [3,3]; it should be [2,3].', (o) => [[o.f(2, 3), o.f(2, 3), o.f(3, 3)], 1]],
  ],
  expand: [
    ['All values of newShape should be greater than 0, but they are [0].', (o) => [o.f(1), [0]]],
    ['The shape [2,3] cannot be broadcast to [2,6].', (o) => [o.f(2, 3), [2, 6]]],
  ],
  pad: [
    ['The length of beginningPadding is 1; it should be 2.', (o) => [o.f(2, 3), [1], [1, 2]]],
    ['The length of endingPadding is 3; it should be 2.', (o) => [o.f(2, 3), [1, 0], [1, 2, 3]]],
    ['float32 [5,3]', (o) => [o.f(2, 3), [2, 0], [1, 0], { mode: 'edge' }]],
    [
      'Reflection needs a padding of less than 2 along axis 0.',
      (o) => [o.f(2, 3), [0, 0], [2, 0], { mode: 'reflection' }],
    ],
    [
      'Reflection needs a padding of less than 3 along axis 1.',
      (o) => [o.f(2, 3), [1, 3], [0, 0], { mode: 'reflection' }],
    ],
  ],
  reshape: [
    ['All values of newShape should be greater than 0, but they are [0,6].', (o) => [o.f(2, 3), [0, 6]]],
    ['The shape [2,4] has 8 elements, not 6 as [2,3].', (o) => [o.f(2, 3), [2, 4]]],
  ],
  reverse: [
    ['The axis 2 should be less than 2, the rank of the input.', (o) => [o.f(2, 3), { axes: [2] }]],
    ['The axes [1,1] should be different ones.', (o) => [o.f(2, 3), { axes: [1, 1] }]],
  ],
  slice: [
    ['The length of starts is 1; it should be 2.', (o) => [o.f(3, 4), [0], [1, 1]]],
    ['The length of sizes is 3; it should be 2.', (o) => [o.f(3, 4), [0, 0], [1, 1, 1]]],
    ['The length of strides is 1; it should be 2.', (o) => [o.f(3, 4), [0, 0], [1, 1], { strides: [1] }]],
    ['All values of sizes should be greater than 0, but they are [0].', (o) => [o.f(3), [1], [0]]],
    ['All values of strides should be greater than 0, but they are [0].', (o) => [o.f(3), [0], [3], { strides: [0] }]],
    ['The slice from 2 of size 3 is not in 4, along axis 1.', (o) => [o.f(3, 4), [0, 2], [3, 3]]],
    ['float32 [3,2]', (o) => [o.f(3, 4), [0, 2], [3, 2]]],
  ],
  split: [
    ['The number of splits is 0; it should be 1 to 8192.', (o) => [o.f(5), 0]],
    ['The number of splits is 0; it should be 1 to 8192.', (o) => [o.f(5), []]],
    ['The number of splits is 8193; it should be 1 to 8192.', (o) => [o.f(8193), 8193]],
    [new Array(8192).fill('float32 [1]').join(' '), (o) => [o.f(8192), 8192]],
    ['The size 5 cannot be split into 2 equal parts.', (o) => [o.f(5), 2]],
    ['All values of splits should be greater than 0, but they are [0,5].', (o) => [o.f(5), [0, 5]]],
    ['The sum of the splits [2,2] is 4; it should be the size 5.', (o) => [o.f(5), [2, 2]]],
    ['The axis 1 should be less than 1, the rank of the input.', (o) => [o.f(5), [5], { axis: 1 }]],
  ],
  tile: [
    ['The length of repetitions is 1; it should be 2.', (o) => [o.f(2, 3), [2]]],
    ['All values of repetitions should be greater than 0, but they are [0,1].', (o) => [o.f(2, 3), [0, 1]]],
  ],
  transpose: [
    ['The length of permutation is 1; it should be 2.', (o) => [o.f(2, 3), { permutation: [0] }]],
    ['The axes [0,0] should be different ones.', (o) => [o.f(2, 3), { permutation: [0, 0] }]],
  ],
};

describe.each(Object.entries({ conv2d: CONV2D, convTranspose2d: CONV_TRANSPOSE2D, ...MOVEMENT }))('%s', (op, cases) => {
  test.each(cases)('%s', (expected, args) => {
    expect(resultOf(op, args)).toBe(expected);
  });
});

test('what conv2d pads an image to has a size on each axis', () => {
  const builder = new Builder(context);
  const options = { padding: [20_000, 30_000, 40_000, 50_000], strides: [90_000, 90_000] };
  const bytes = 4 * 2 * (20_000 + 5 + 30_000) * (40_000 + 7 + 50_000);
  const filter = builder.input('filter', { dataType: 'float32', shape: [1, 2, 1, 1] });
  const nchw = builder.input('nchw', { dataType: 'float32', shape: [1, 2, 5, 7] });
  expect(() => builder.conv2d(nchw, filter, options)).toThrow(`The ${bytes} bytes of`);
  const nhwc = builder.input('nhwc', { dataType: 'float32', shape: [1, 5, 7, 2] });
  expect(() => builder.conv2d(nhwc, filter, { ...options, inputLayout: 'nhwc' })).toThrow(`The ${bytes} bytes of`);
});

test('engines get what is left out', async () => {
  const x = (builder: MLGraphBuilder, ...shape: number[]) => builder.input('x', { dataType: 'float32', shape });
  expect(await attributes((builder) => builder.slice(x(builder, 3, 4), [0, 0], [1, 2]))).toMatchObject({
    strides: [1, 1],
  });
  expect(await attributes((builder) => builder.reverse(x(builder, 3, 4)))).toMatchObject({ axes: [0, 1] });
  expect(await attributes((builder) => builder.split(x(builder, 6), 3)[0] as MLOperand)).toMatchObject({
    splits: [2, 2, 2],
  });
  const filter = (builder: MLGraphBuilder) =>
    builder.constant({ dataType: 'float32', shape: [1, 1, 2, 2] }, new Float32Array(4));
  expect(await attributes((builder) => builder.convTranspose2d(x(builder, 1, 1, 3, 3), filter(builder)))).toMatchObject(
    { padding: [0, 0, 0, 0], strides: [1, 1], dilations: [1, 1], outputPadding: [0, 0] },
  );
  expect(await attributes((builder) => builder.pad(x(builder, 3), [1], [1], { value: 0.1 }))).toMatchObject({
    value: Math.fround(0.1),
  });
});

describe('limits', () => {
  const range = (min: number, max = 8) => ({ rankRange: { min, max } });
  const one = (min: number) => ({ input: range(min), output: range(min) });
  const image = { input: range(4, 4), filter: range(4, 4), bias: range(1, 1), output: range(4, 4) };
  const expected: Readonly<Record<string, object>> = {
    concat: { inputs: range(1), output: range(1) },
    conv2d: image,
    convTranspose2d: image,
    expand: one(0),
    pad: one(1),
    reshape: one(0),
    reverse: one(0),
    slice: one(0),
    split: { input: range(1), outputs: range(1) },
    tile: one(0),
    transpose: one(0),
    triangular: one(2),
  };

  test.each(Object.entries(expected))('%s', (op, limits) => {
    const found = (context.opSupportLimits() as Record<string, Record<string, MLTensorLimits>>)[op];
    expect(found).toMatchObject(limits);
    expect(Object.keys(found ?? {}).sort()).toEqual(Object.keys(limits).sort());
  });
});
