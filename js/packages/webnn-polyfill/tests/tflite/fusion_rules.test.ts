/** Fusion rules on both sides of each of their limits: integer kernel or float32. */

import { describe, expect, it } from 'vitest';
import type { MLConv2dOptions, MLConvTranspose2dOptions, MLOperand, MLPool2dOptions } from 'webnn-polyfill';
import { type Parameters, Quantizer } from './quantizer.js';

/** Creates a graph and returns its outputs. */
type Build = (m: Quantizer) => MLOperand | readonly MLOperand[];
type Builds = Readonly<Record<string, Build>>;

const P: Parameters = [0.5, 3];
const OTHER: Parameters = [0.25, -1];

/** A dequantized input. */
function x(m: Quantizer, shape: readonly number[] = [2], parameters = P, name = 'x'): MLOperand {
  return m.dq(m.input(name, 'int8', ...shape), parameters);
}

function u8(m: Quantizer, shape: readonly number[] = [2], parameters = P, name = 'u'): MLOperand {
  return m.dq(m.input(name, 'uint8', ...shape), parameters);
}

function real(m: Quantizer, ...shape: readonly number[]): MLOperand {
  return m.input('real', 'float32', ...shape);
}

function isFused(build: Build): boolean {
  const m = new Quantizer();
  return !m.lines(...[build(m)].flat()).some((line) => line.includes('float32'));
}

/** Tests of the rules of `what`. */
function rules(what: string, fused: Builds, inFloat: Builds): void {
  describe(what, () => {
    it.each(Object.entries(fused))('fused: %s', (_, build) => {
      expect(isFused(build)).toBe(true);
    });
    it.each(Object.entries(inFloat))('in float32: %s', (_, build) => {
      expect(isFused(build)).toBe(false);
    });
  });
}

/** An operator of two inputs with these scales, quantized with that one. */
function twoInputs(op: 'add' | 'sub' | 'mul', a: number, b: number, result: number): Build {
  return (m) => m.q(m.builder[op](x(m, [2], [a, 0], 'a'), x(m, [2], [b, 0], 'b')), [result, 0]);
}

rules(
  'add and sub',
  {
    'ratios of 1/1024': twoInputs('add', 1, 1, 1024),
    'ratios below 256': twoInputs('sub', 255, 255, 1),
    'a constant': (m) => m.q(m.builder.add(x(m), m.dq(m.integers('int8', 2), OTHER)), P),
  },
  {
    'a ratio of 256 of a': twoInputs('add', 256, 1, 1),
    'a ratio of 256 of b': twoInputs('sub', 1, 256, 1),
    'a ratio below 1/1024 of a': twoInputs('sub', 0.5, 1, 1024),
    'a ratio below 1/1024 of b': twoInputs('add', 1, 0.5, 1024),
    'another type of the result': (m) => m.q(m.builder.add(x(m, [2], P, 'a'), x(m, [2], P, 'b')), P, 'uint8'),
    'another type of a': (m) => m.q(m.builder.add(u8(m), x(m)), P),
    'another type of b': (m) => m.q(m.builder.add(x(m), u8(m)), P),
    'a that is float': (m) => m.q(m.builder.add(real(m, 2), x(m)), P),
    'b that is float': (m) => m.q(m.builder.sub(x(m), real(m, 2)), P),
    'a with a scale for each channel': (m) =>
      m.q(m.builder.add(m.perChannel(m.integers('int8', 2), [1, 1], 0), x(m)), P),
    'b with a scale for each channel': (m) =>
      m.q(m.builder.add(x(m), m.perChannel(m.integers('int8', 2), [1, 1], 0)), P),
    'an activation behind it': (m) => m.q(m.builder.relu(m.builder.add(x(m), x(m, [2], P, 'y'))), P),
  },
);

rules(
  'mul',
  {
    'a ratio of 1/65536': twoInputs('mul', 1 / 256, 1 / 256, 1),
    'a ratio below 256': twoInputs('mul', 16, 15, 1),
  },
  {
    'a ratio of 256': twoInputs('mul', 16, 16, 1),
    'a ratio of 256 by the result': twoInputs('mul', 1, 1, 1 / 256),
    'a ratio below 1/65536': twoInputs('mul', 1 / 256, 1 / 512, 1),
  },
);

rules(
  'max and min',
  {
    max: (m) => m.q(m.builder.max(x(m, [2], P, 'a'), x(m, [2], P, 'b')), P),
    min: (m) => m.q(m.builder.min(x(m, [2], P, 'a'), x(m, [2], P, 'b')), P),
  },
  {
    'other parameters of a': (m) => m.q(m.builder.max(x(m, [2], OTHER, 'a'), x(m, [2], P, 'b')), P),
    'other parameters of b': (m) => m.q(m.builder.min(x(m, [2], P, 'a'), x(m, [2], OTHER, 'b')), P),
  },
);

const indices = (m: Quantizer) => m.builder.constant({ dataType: 'int32', shape: [1] }, Int32Array.of(1));

/** Operators that move or select values. */
const MOVEMENT: Readonly<Record<string, (m: Quantizer, input: MLOperand) => MLOperand | readonly MLOperand[]>> = {
  gather: (m, input) => m.builder.gather(input, indices(m)),
  pad: (m, input) => m.builder.pad(input, [1, 0, 0, 0], [0, 0, 0, 0]),
  resample2d: (m, input) => m.builder.resample2d(input, { sizes: [4, 4], axes: [1, 2], mode: 'nearest-neighbor' }),
  reshape: (m, input) => m.builder.reshape(input, [8]),
  slice: (m, input) => m.builder.slice(input, [0, 0, 0, 0], [1, 1, 2, 1]),
  split: (m, input) => m.builder.split(input, 2, { axis: 1 }),
  transpose: (m, input) => m.builder.transpose(input),
  reduceMax: (m, input) => m.builder.reduceMax(input, { axes: [1] }),
  reduceMin: (m, input) => m.builder.reduceMin(input, { axes: [1] }),
};

function moved(op: string, result: Parameters): Build {
  return (m) => [MOVEMENT[op]?.(m, x(m, [2, 2, 2, 1], P)) ?? []].flat().map((part) => m.q(part, result));
}

rules('movement', Object.fromEntries(Object.keys(MOVEMENT).map((op) => [op, moved(op, P)])), {
  ...Object.fromEntries(Object.keys(MOVEMENT).map((op) => [`${op} with another scale`, moved(op, [0.25, 3])])),
  'another zero point': moved('reshape', [0.5, 2]),
  'a split, one part of which means something else': (m) => {
    const [first, second] = m.builder.split(x(m, [4]), 2) as [MLOperand, MLOperand];
    return [m.q(first, P), m.q(second, OTHER)];
  },
  'a split, one part of which is not quantized': (m) => {
    const [first, second] = m.builder.split(x(m, [4]), 2) as [MLOperand, MLOperand];
    return [m.q(first, P), second];
  },
  'another type': (m) => m.q(m.builder.reshape(x(m), [2, 1]), P, 'uint8'),
  'a float': (m) => m.q(m.builder.reshape(real(m, 2), [2, 1]), P),
  'a scale for each channel': (m) =>
    m.q(m.builder.transpose(m.perChannel(m.input('x', 'int8', 2, 2), [0.5, 0.5], 0, [3, 3])), P),
});

rules(
  'concat',
  {
    'the same parameters': (m) => m.q(m.builder.concat([x(m, [2], P, 'a'), x(m, [2], P, 'b')], 0), P),
  },
  {
    'other parameters of one input': (m) => m.q(m.builder.concat([x(m, [2], P, 'a'), x(m, [2], OTHER, 'b')], 0), P),
    'other parameters of the result': (m) => m.q(m.builder.concat([x(m, [2], P, 'a'), x(m, [2], P, 'b')], 0), OTHER),
    'one input that is float': (m) => m.q(m.builder.concat([x(m), real(m, 2)], 0), P),
    'one input of another type': (m) => m.q(m.builder.concat([x(m), u8(m)], 0), P),
    'a scale for each channel': (m) =>
      m.q(m.builder.concat([x(m), m.perChannel(m.integers('int8', 2), [0.5, 0.5], 0, [3, 3])], 0), P),
  },
);

rules(
  'comparisons',
  Object.fromEntries(
    (['equal', 'notEqual', 'greater', 'greaterOrEqual', 'lesser', 'lesserOrEqual'] as const).map((op) => [
      op,
      (m: Quantizer) => m.builder[op](x(m, [2], P, 'a'), x(m, [2], P, 'b')),
    ]),
  ),
  {
    'other parameters': (m) => m.builder.equal(x(m, [2], P, 'a'), x(m, [2], OTHER, 'b')),
    'other types': (m) => m.builder.equal(x(m), u8(m)),
    'a that is float': (m) => m.builder.equal(real(m, 2), x(m)),
    'b that is float': (m) => m.builder.equal(x(m), real(m, 2)),
    int32: (m) => m.builder.equal(m.dq(m.integers('int32', 2), P), m.dq(m.integers('int32', 2), P)),
  },
);

rules(
  'argMax',
  { int8: (m) => m.builder.argMax(x(m), 0) },
  {
    int32: (m) => m.builder.argMax(m.dq(m.integers('int32', 2), P), 0),
    'a scale for each channel': (m) => m.builder.argMax(m.perChannel(m.integers('int8', 2), [1, 2], 0), 0),
  },
);

const UNIT = 1 / 256;
const softmax = (result: Parameters, dataType?: 'uint8') => (m: Quantizer) =>
  m.q(m.builder.softmax(dataType === undefined ? x(m, [1, 2]) : u8(m, [1, 2]), 1), result, dataType);

rules(
  'results from 0 to 1',
  {
    'sigmoid in int8': (m) => m.q(m.builder.sigmoid(x(m)), [UNIT, -128]),
    'sigmoid in uint8': (m) => m.q(m.builder.sigmoid(u8(m)), [UNIT, 0], 'uint8'),
    'softmax in int8': softmax([UNIT, -128]),
    'softmax in uint8': softmax([UNIT, 0], 'uint8'),
    'a scale a little too large': softmax([UNIT * 1.0009, -128]),
    'a scale a little too small': softmax([UNIT * 0.9991, -128]),
  },
  {
    'a larger scale': (m) => m.q(m.builder.sigmoid(x(m)), [UNIT * 1.0011, -128]),
    'a smaller scale': (m) => m.q(m.builder.sigmoid(x(m)), [UNIT * 0.9989, -128]),
    'another zero point in int8': softmax([UNIT, 0]),
    'another zero point in uint8': softmax([UNIT, 1], 'uint8'),
    'softmax of a larger scale': softmax([UNIT * 2, -128]),
  },
);

const leaky = (input: number, result: number, alpha: number) => (m: Quantizer) =>
  m.q(m.builder.leakyRelu(x(m, [2], [input, 0]), { alpha }), [result, 0]);

rules(
  'activations',
  {
    'relu, whatever the scales are': (m) => m.q(m.builder.relu(x(m)), OTHER),
    tanh: (m) => m.q(m.builder.tanh(x(m)), OTHER),
    elu: (m) => m.q(m.builder.elu(x(m)), OTHER),
    'clamp from -1 to 1': (m) => m.q(m.builder.clamp(x(m), { minValue: -1, maxValue: 1 }), OTHER),
    'clamp from 0 to 1': (m) => m.q(m.builder.clamp(x(m), { minValue: 0, maxValue: 1 }), OTHER),
    'clamp from 0 to 6': (m) => m.q(m.builder.clamp(x(m), { minValue: 0, maxValue: 6 }), OTHER),
    'clamp from 0': (m) => m.q(m.builder.clamp(x(m), { minValue: 0 }), OTHER),
    'leakyRelu with a ratio of 1/256': leaky(1, 256, 1),
    'leakyRelu with a ratio of 128': leaky(128, 1, 1),
    'leakyRelu with the smallest negative slope': leaky(1, 1, -127.99609375),
    'leakyRelu with a slope of 1/256': leaky(1, 1, 1 / 256),
  },
  {
    'elu of uint8': (m) => m.q(m.builder.elu(u8(m)), P, 'uint8'),
    'elu with another alpha': (m) => m.q(m.builder.elu(x(m), { alpha: 0.5 }), OTHER),
    'clamp to 2': (m) => m.q(m.builder.clamp(x(m), { minValue: 0, maxValue: 2 }), OTHER),
    'clamp from -2': (m) => m.q(m.builder.clamp(x(m), { minValue: -2, maxValue: 1 }), OTHER),
    'clamp from -1 to 6': (m) => m.q(m.builder.clamp(x(m), { minValue: -1, maxValue: 6 }), OTHER),
    'leakyRelu with a ratio below 1/256': leaky(1, 512, 100),
    'leakyRelu with a ratio above 128': leaky(129, 1, 0.5),
    'leakyRelu with a slope below 1/256': leaky(1, 1, 1 / 512),
    'leakyRelu with a slope above 128': leaky(2, 1, 65),
    'leakyRelu with a slope that is too negative': leaky(1, 1, -128),
    'relu of a float': (m) => m.q(m.builder.relu(real(m, 2)), P),
    'relu of another type': (m) => m.q(m.builder.relu(x(m)), P, 'uint8'),
    'a result that is an output, too': (m) => {
      const result = m.builder.relu(x(m));
      return [m.q(result, P), result];
    },
  },
);

rules(
  'sums',
  {
    reduceMean: (m) => m.q(m.builder.reduceMean(x(m, [2, 2]), { axes: [1] }), OTHER),
    reduceSum: (m) => m.q(m.builder.reduceSum(x(m, [2, 2]), { axes: [1] }), OTHER),
  },
  { 'reduceMean of another type': (m) => m.q(m.builder.reduceMean(x(m, [2, 2]), { axes: [1] }), P, 'uint8') },
);

const NHWC_POOL = { layout: 'nhwc', windowDimensions: [2, 2] } as const;

/** A pool of an image of that shape with the parameters P. */
function pool(options: MLPool2dOptions, shape = [1, 4, 4, 2], result: Parameters = P): Build {
  return (m) => m.q(m.builder.maxPool2d(x(m, shape), options), result);
}

rules(
  'pools',
  {
    'VALID in nhwc': pool(NHWC_POOL),
    'VALID in nchw': pool({ windowDimensions: [2, 2] }, [1, 5, 4, 4]),
    'VALID with strides': pool({ ...NHWC_POOL, strides: [2, 2] }),
    'SAME in nhwc': pool({ ...NHWC_POOL, padding: [0, 1, 0, 1] }),
    'SAME with strides': pool({ layout: 'nhwc', windowDimensions: [3, 3], strides: [2, 2], padding: [0, 1, 0, 1] }),
    averagePool2d: (m) => m.q(m.builder.averagePool2d(x(m, [1, 4, 4, 2]), NHWC_POOL), P),
    'a scale that rounding made larger': pool(NHWC_POOL, undefined, [0.5 * (1 + 2 ** -21), 3]),
    'a scale that rounding made smaller': pool(NHWC_POOL, undefined, [0.5 * (1 - 2 ** -21), 3]),
  },
  {
    dilations: pool({ ...NHWC_POOL, dilations: [2, 2] }),
    'one dilation': pool({ ...NHWC_POOL, dilations: [1, 2] }),
    'another padding': pool({ ...NHWC_POOL, padding: [1, 0, 1, 0] }),
    'padding without effect on the size': pool({ ...NHWC_POOL, padding: [1, 1, 0, 0] }),
    'windows that reach beyond the image': pool({
      ...NHWC_POOL,
      windowDimensions: [3, 3],
      strides: [3, 3],
      outputShapeRounding: 'ceil',
    }),
    'windows that reach beyond it on one axis': pool({
      ...NHWC_POOL,
      windowDimensions: [2, 3],
      strides: [2, 3],
      outputShapeRounding: 'ceil',
    }),
    'a larger scale': pool(NHWC_POOL, undefined, [0.500002, 3]),
    'a smaller scale': pool(NHWC_POOL, undefined, [0.499998, 3]),
    'half of a tiny scale': (m) => m.q(m.builder.maxPool2d(x(m, [1, 4, 4, 2], [2e-7, 3]), NHWC_POOL), [1e-7, 3]),
    'another zero point': pool(NHWC_POOL, undefined, [0.5, 4]),
  },
);

const NHWC = { inputLayout: 'nhwc', filterLayout: 'ohwi' } as const;
const IMAGE = [1, 4, 4, 2];

interface Layer {
  /** The quantized image. */
  readonly input?: (m: Quantizer) => MLOperand;
  /** Weights of [2, 1, 1, 2]. */
  readonly weights?: (m: Quantizer) => MLOperand;
  readonly bias?: (m: Quantizer) => MLOperand;
  readonly options?: MLConv2dOptions;
  readonly dataType?: 'uint8';
}

const WEIGHTS = [2, 1, 1, 2];

/** A conv2d whose products have the scales 0.05 and 0.1, with an output scale of 0.25. */
function conv({ input, weights, bias, options, dataType }: Layer): Build {
  return (m) => {
    const filter = weights?.(m) ?? m.weights([0.1, 0.2], ...WEIGHTS);
    const biasOption = bias === undefined ? {} : { bias: bias(m) };
    const result = m.builder.conv2d(input?.(m) ?? x(m, IMAGE), filter, { ...NHWC, ...options, ...biasOption });
    return m.q(result, [0.25, 3], dataType);
  };
}

const image8 = (m: Quantizer) => u8(m, IMAGE);
const symmetric = (dataType: 'int8' | 'uint8') => (m: Quantizer) => m.dq(m.integers(dataType, ...WEIGHTS), [0.1, 0]);
const asymmetric = (dataType: 'int8' | 'uint8') => (m: Quantizer) => m.dq(m.integers(dataType, ...WEIGHTS), [0.1, 1]);

rules(
  'weights',
  {
    'one scale': conv({ weights: symmetric('int8') }),
    'uint8, with a zero point': conv({ input: image8, weights: asymmetric('uint8'), dataType: 'uint8' }),
    'a scale for each output': conv({}),
    'a scale for each output, which is the last axis': conv({
      weights: (m) => m.perChannel(m.integers('int8', 1, 1, 2, 2), [0.1, 0.2], 3),
      options: { filterLayout: 'hwio' },
    }),
  },
  {
    'no constant': conv({ weights: (m) => m.dq(m.input('w', 'int8', ...WEIGHTS), [0.1, 0]) }),
    float: conv({ weights: (m) => m.input('w', 'float32', ...WEIGHTS) }),
    'another type than the image': conv({ weights: symmetric('uint8') }),
    'int8, with a zero point': conv({ weights: asymmetric('int8') }),
    'a scale and a zero point for each output': conv({
      weights: (m) => m.perChannel(m.integers('int8', ...WEIGHTS), [0.1, 0.2], 0, [0, 1]),
    }),
    'uint8 with a scale for each output': conv({
      input: image8,
      weights: (m) => m.perChannel(m.integers('uint8', ...WEIGHTS), [0.1, 0.2], 0),
      dataType: 'uint8',
    }),
    'a scale for each input': conv({ weights: (m) => m.perChannel(m.integers('int8', ...WEIGHTS), [0.1, 0.2], 3) }),
    'a scale that is too small in one channel': conv({ weights: (m) => m.weights([0.1, 2 ** -127], ...WEIGHTS) }),
    'a scale that is infinite in one channel': conv({
      weights: (m) => m.weights([0.1, Number.POSITIVE_INFINITY], ...WEIGHTS),
    }),
    'a scale for each output and input': conv({
      weights: (m) => {
        const scale = m.builder.constant({ dataType: 'float32', shape: WEIGHTS }, Float32Array.of(0.1, 0.2, 0.3, 0.4));
        const zeroPoint = m.builder.constant({ dataType: 'int8', shape: WEIGHTS }, new Int8Array(4));
        return m.builder.dequantizeLinear(m.integers('int8', ...WEIGHTS), scale, zeroPoint);
      },
    }),
    'an image that is float': conv({ input: (m) => real(m, ...IMAGE) }),
    'an image with a scale for each channel': conv({
      input: (m) => m.perChannel(m.integers('int8', ...IMAGE), [0.5, 0.5], 3),
    }),
    'another type of the result': conv({ dataType: 'uint8' }),
  },
);

const ACTIVATIONS: Builds = Object.fromEntries(
  [
    [0, 6],
    [0, Number.POSITIVE_INFINITY],
    [-1, 1],
  ].map(([minValue = 0, maxValue = 0]) => [
    `behind it, from ${minValue} to ${maxValue}`,
    (m: Quantizer) => {
      const layer = m.builder.conv2d(x(m, IMAGE), m.weights([0.1, 0.2], ...WEIGHTS), NHWC);
      return m.q(m.builder.clamp(layer, { minValue, maxValue }), P);
    },
  ]),
);

/** What follows a layer before its result is quantized. */
function followed(by: (m: Quantizer, layer: MLOperand) => MLOperand | readonly MLOperand[]): Build {
  return (m) => by(m, m.builder.conv2d(x(m, IMAGE), m.weights([0.1, 0.2], ...WEIGHTS), NHWC));
}

rules(
  'an activation',
  { ...ACTIVATIONS, 'behind it: relu': followed((m, layer) => m.q(m.builder.relu(layer), P)) },
  {
    'of another range': followed((m, layer) => m.q(m.builder.clamp(layer, { minValue: 0, maxValue: 5 }), P)),
    'of another lower limit': followed((m, layer) => m.q(m.builder.clamp(layer, { minValue: -2, maxValue: 1 }), P)),
    'to 1 from 0': followed((m, layer) => m.q(m.builder.clamp(layer, { minValue: 0, maxValue: 1 }), P)),
    'to 6 from -1': followed((m, layer) => m.q(m.builder.clamp(layer, { minValue: -1, maxValue: 6 }), P)),
    'of another kind': followed((m, layer) => m.q(m.builder.tanh(layer), P)),
    'that is an output, too': followed((m, layer) => {
      const result = m.builder.relu(layer);
      return [m.q(result, P), result];
    }),
    'that is used by something else': followed((m, layer) => {
      const result = m.builder.relu(layer);
      return [m.q(result, P), m.builder.neg(result)];
    }),
    'that is not quantized': followed((m, layer) => m.builder.relu(layer)),
    'behind which is another one': followed((m, layer) => m.q(m.builder.neg(m.builder.relu(layer)), P)),
    'behind a float that is used twice': followed((m, layer) => [
      m.q(m.builder.relu(layer), P),
      m.q(m.builder.relu(layer), OTHER),
    ]),
  },
);

const twoScales = (m: Quantizer) => m.bias([0.05, 0.1]);

rules(
  'a bias',
  {
    'with the scales of the products': conv({ bias: twoScales }),
    'with scales that rounding made larger': conv({ bias: (m) => m.bias([0.05 * (1 + 2 ** -21), 0.1]) }),
    'with scales that rounding made smaller': conv({ bias: (m) => m.bias([0.05 * (1 - 2 ** -21), 0.1]) }),
    'with one scale, like the weights': conv({
      weights: symmetric('int8'),
      bias: (m) => m.dq(m.integers('int32', 2), [0.05, 0]),
    }),
  },
  {
    'that is float': conv({ bias: (m) => m.input('b', 'float32', 2) }),
    'that is no constant': conv({ bias: (m) => m.dq(m.input('b', 'int32', 2), [0.05, 0]) }),
    'in int8': conv({ bias: (m) => m.perChannel(m.integers('int8', 2), [0.05, 0.1], 0) }),
    'with a zero point': conv({
      bias: (m) => m.perChannel(m.integers('int32', 2), [0.05, 0.1], 0, [0, 1]),
    }),
    'with a larger scale': conv({ bias: (m) => m.bias([0.05, 0.1001]) }),
    'with a smaller scale': conv({ bias: (m) => m.bias([0.0499, 0.1]) }),
    'with several scales for weights with one': conv({ weights: symmetric('int8'), bias: twoScales }),
    'with several equal scales for weights with one': conv({
      weights: symmetric('int8'),
      bias: (m) => m.bias([0.05, 0.05]),
    }),
    'with one scale for weights with several': conv({ bias: (m) => m.dq(m.integers('int32', 2), [0.05, 0]) }),
  },
);

interface Transposed {
  readonly shape?: readonly number[];
  /** Weights of [2, 3, 3, 2]: outputs, rows, columns, inputs. */
  readonly weights?: (m: Quantizer) => MLOperand;
  readonly options?: MLConvTranspose2dOptions;
}

function transposed({ shape = [1, 2, 2, 2], weights, options }: Transposed): Build {
  return (m) => {
    const filter = weights?.(m) ?? m.weights([0.1, 0.2], 2, 3, 3, 2);
    return m.q(m.builder.convTranspose2d(x(m, shape), filter, { ...NHWC, ...options }), OTHER);
  };
}

rules(
  'convTranspose2d',
  {
    'VALID in nhwc': transposed({}),
    'VALID with strides': transposed({ options: { strides: [2, 2] } }),
    'SAME with strides': transposed({ options: { strides: [2, 2], padding: [0, 1, 0, 1] } }),
    'SAME in nchw': transposed({
      shape: [1, 2, 3, 2],
      options: { inputLayout: 'nchw', strides: [2, 2], padding: [0, 1, 0, 1] },
    }),
    'SAME with an uneven filter': transposed({
      weights: (m) => m.weights([0.1, 0.2], 2, 5, 3, 2),
      options: { strides: [2, 2], padding: [1, 2, 0, 1] },
    }),
    'SAME in hwoi': transposed({
      weights: (m) => m.perChannel(m.integers('int8', 5, 3, 2, 2), [0.1, 0.2], 2),
      options: { filterLayout: 'hwoi', strides: [2, 2], padding: [1, 2, 0, 1] },
    }),
    'an activation behind it': (m) => {
      const layer = m.builder.convTranspose2d(x(m, [1, 2, 2, 2]), m.weights([0.1, 0.2], 2, 3, 3, 2), NHWC);
      return m.q(m.builder.relu(layer), OTHER);
    },
  },
  {
    groups: transposed({ weights: (m) => m.weights([0.1], 1, 3, 3, 2), options: { groups: 2 } }),
    dilations: transposed({ options: { dilations: [2, 2] } }),
    'one dilation': transposed({ options: { dilations: [1, 2] } }),
    'another padding': transposed({ options: { strides: [2, 2], padding: [1, 0, 1, 0] } }),
    'another padding on one axis': transposed({ options: { strides: [2, 2], padding: [0, 1, 1, 0] } }),
    'a bias of another scale': (m) => {
      const options = { ...NHWC, bias: m.bias([0.05, 0.5]) };
      const layer = m.builder.convTranspose2d(x(m, [1, 2, 2, 2]), m.weights([0.1, 0.2], 2, 3, 3, 2), options);
      return m.q(layer, OTHER);
    },
    'weights that are no constant': transposed({
      weights: (m) => m.dq(m.input('w', 'int8', 2, 3, 3, 2), [0.1, 0]),
    }),
  },
);

interface Gemm {
  readonly bTranspose?: boolean;
  readonly axis?: number;
  readonly alpha?: number;
  readonly beta?: number;
  readonly c?: (m: Quantizer) => MLOperand;
}

/** [1, 2] x [2, 2]. */
function gemm({ axis = 0, c, bTranspose = true, ...more }: Gemm): Build {
  return (m) => {
    const b = m.perChannel(m.integers('int8', 2, 2), [0.1, 0.2], axis);
    const options = { bTranspose, ...more, ...(c && { c: c(m) }) };
    return m.q(m.builder.gemm(x(m, [1, 2]), b, options), OTHER);
  };
}

rules(
  'gemm',
  {
    'b with rows of outputs': gemm({}),
    'b with columns of outputs': gemm({ bTranspose: false, axis: 1 }),
    'a bias': gemm({ c: twoScales }),
    'an activation behind it': (m) => {
      const layer = m.builder.gemm(x(m, [1, 2]), m.weights([0.1, 0.2], 2, 2), { bTranspose: true });
      return m.q(m.builder.relu(layer), OTHER);
    },
  },
  {
    'b with a scale for each input': gemm({ axis: 1 }),
    'b with a scale for each input in rows': gemm({ bTranspose: false, axis: 0 }),
    alpha: gemm({ alpha: 2 }),
    beta: gemm({ beta: 2, c: twoScales }),
    'c of two dimensions': gemm({ c: (m) => m.perChannel(m.integers('int32', 1, 2), [0.05, 0.1], 1) }),
    'c of as many rows as outputs': (m) => {
      const options = { bTranspose: true, c: m.dq(m.integers('int32', 2, 2), [0.05, 0]) };
      return m.q(m.builder.gemm(x(m, [2, 2]), m.dq(m.integers('int8', 2, 2), [0.1, 0]), options), OTHER);
    },
    'one value for all outputs': (m) => {
      const b = m.dq(m.integers('int8', 2, 2), [0.1, 0]);
      const c = m.dq(m.integers('int32', 1), [0.05, 0]);
      return m.q(m.builder.gemm(x(m, [1, 2]), b, { bTranspose: true, c }), OTHER);
    },
    'a that is float': (m) => m.q(m.builder.gemm(real(m, 1, 2), m.weights([0.1, 0.2], 2, 2), { bTranspose: true }), P),
  },
);

it('gemm in float32 with alpha: its factor is no matter of integers', () => {
  const m = new Quantizer();
  const [first] = m.lines(gemm({ alpha: 2 })(m) as MLOperand);
  expect(first).toBe('DEQUANTIZE(x) -> t1 float32[1,2]');
});
