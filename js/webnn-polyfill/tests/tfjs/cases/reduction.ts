/** Reductions, matrices and normalizations. */

import type { MLOperand } from '../../../src/generated/webnn_types.js';
import { type Case, check } from '../case.js';
import { at, filled, integers, noise, tensor, type Values, vector } from '../values.js';

type Numbers = readonly number[];
type Reduction =
  | ('reduceL1' | 'reduceL2' | 'reduceLogSum' | 'reduceLogSumExp' | 'reduceMax' | 'reduceMean' | 'reduceMin')
  | ('reduceProduct' | 'reduceSum' | 'reduceSumSquare');

const sum = (values: Numbers) => values.reduce((total, value) => total + value, 0);
const squares = (values: Numbers) => sum(values.map((value) => value * value));

const REDUCERS: Readonly<Record<Reduction, (values: Numbers) => number>> = {
  reduceL1: (values) => sum(values.map(Math.abs)),
  reduceL2: (values) => Math.sqrt(squares(values)),
  reduceLogSum: (values) => Math.log(sum(values)),
  reduceLogSumExp: (values) => Math.log(sum(values.map(Math.exp))),
  reduceMax: (values) => Math.max(...values),
  reduceMean: (values) => sum(values) / values.length,
  reduceMin: (values) => Math.min(...values),
  reduceProduct: (values) => values.reduce((product, value) => product * value, 1),
  reduceSum: sum,
  reduceSumSquare: squares,
};

/** Positive, for logarithms. */
const CUBE = filled([2, 3, 4], (i = 0, j = 0, k = 0) => 0.25 + ((i * 7 + j * 5 + k * 3) % 8) / 8);

/** What a function makes of all elements along axes. */
function reduced(input: Values, axes: Numbers, f: (values: Numbers) => number): Values {
  const kept = input.shape.map((size, axis) => (axes.includes(axis) ? 1 : size));
  return filled(kept, (...place) => {
    const values: number[] = [];
    filled(input.shape, (...from) => {
      if (from.every((at, axis) => axes.includes(axis) || at === place[axis])) values.push(at(input, from));
      return 0;
    });
    return f(values);
  });
}

function reduction(op: Reduction, axes: Numbers, keepDimensions: boolean): Case {
  const kept = reduced(CUBE, axes, REDUCERS[op]);
  const shape = keepDimensions ? kept.shape : kept.shape.filter((_, axis) => !axes.includes(axis));
  return check(
    op,
    { input: CUBE },
    (builder, { input }) => builder[op](input as MLOperand, { axes: [...axes], keepDimensions }),
    { ...kept, shape },
    { what: `axes [${axes}]${keepDimensions ? ', kept' : ''}` },
  );
}

function argument(op: 'argMin' | 'argMax', axis: number, expected: Values, keepDimensions = false): Case {
  const input = tensor([2, 3], [1, 5, 5, -2, 0, -2]);
  return check(
    op,
    { input },
    (builder, { input: x }) => builder[op](x as MLOperand, axis, { keepDimensions, outputDataType: 'int32' }),
    expected,
    { what: `axis ${axis}${keepDimensions ? ', kept' : ''}` },
  );
}

function cumulative(options: { exclusive?: boolean; reversed?: boolean }, expected: Numbers): Case {
  return check(
    'cumulativeSum',
    { input: tensor([2, 3], [1, 2, 3, 4, 5, 6]) },
    (builder, { input }) => builder.cumulativeSum(input as MLOperand, 1, options),
    tensor([2, 3], expected),
    { what: Object.keys(options).join(', ') },
  );
}

const REDUCTIONS: readonly Case[] = [
  ...(Object.keys(REDUCERS) as Reduction[]).flatMap((op) => [
    reduction(op, [0, 1, 2], false),
    reduction(op, [1], true),
    reduction(op, [2, 0], false),
    reduction(op, [], false),
  ]),
  argument('argMax', 1, integers([2], [1, 1])),
  argument('argMax', 0, integers([1, 3], [0, 0, 0]), true),
  argument('argMin', 1, integers([2], [0, 0])),
  argument('argMin', 0, integers([3], [1, 1, 1])),
  check(
    'argMax',
    { input: tensor([2, 2], [3, 255, 7, 7], 'uint8') },
    (builder, { input }) => builder.argMax(input as MLOperand, 1, { outputDataType: 'int32' }),
    integers([2], [1, 0]),
    { what: 'uint8' },
  ),
  check(
    'reduceMin',
    { input: tensor([3], [-128, 127, 0], 'int8') },
    (builder, { input }) => builder.reduceMin(input as MLOperand),
    tensor([], [-128], 'int8'),
    { what: 'int8' },
  ),
  cumulative({}, [1, 3, 6, 4, 9, 15]),
  cumulative({ exclusive: true }, [0, 1, 3, 0, 4, 9]),
  cumulative({ reversed: true }, [6, 5, 3, 15, 11, 6]),
  cumulative({ exclusive: true, reversed: true }, [5, 3, 0, 11, 6, 0]),
];

/** a * b for the last two axes; the batches of both are broadcast. */
function product(a: Values, b: Values, shape: Numbers): Values {
  const placeIn = ({ shape: own }: Values, place: Numbers) =>
    own.map((size, axis) => (size === 1 ? 0 : (place[place.length - own.length + axis] as number)));
  return filled(shape, (...place) => {
    const [batches, row, column] = [place.slice(0, -2), place.at(-2) as number, place.at(-1) as number];
    const inner = Array.from({ length: a.shape.at(-1) as number }, (_, k) => k);
    return sum(inner.map((k) => at(a, placeIn(a, [...batches, row, k])) * at(b, placeIn(b, [...batches, k, column]))));
  });
}

function matmul(what: string, first: Numbers, second: Numbers, shape: Numbers): Case {
  const [a, b] = [noise(first, 21), noise(second, 22)];
  return check(
    'matmul',
    { a, b },
    (builder, { a, b }) => builder.matmul(a as MLOperand, b as MLOperand),
    product(a, b, shape),
    { what },
  );
}

interface GemmOptions {
  readonly alpha?: number;
  readonly beta?: number;
  readonly aTranspose?: boolean;
  readonly bTranspose?: boolean;
}

/** [3, 4] by [4, 2] */
function gemm(what: string, c: Numbers | null, options: GemmOptions = {}): Case {
  const { alpha = 1, beta = 1, aTranspose = false, bTranspose = false } = options;
  const [a, b] = [noise([3, 4], 23), noise([4, 2], 24)];
  const turned = (values: Values) => filled([...values.shape].reverse(), (i = 0, j = 0) => at(values, [j, i]));
  const added = c && noise(c, 25);
  const result = filled([3, 2], (i = 0, j = 0) => {
    const padded = c ? [i, j].slice(2 - c.length).map((place, axis) => (c[axis] === 1 ? 0 : place)) : [];
    return alpha * at(product(a, b, [3, 2]), [i, j]) + (added ? beta * at(added, padded) : 0);
  });
  const operands = { a: aTranspose ? turned(a) : a, b: bTranspose ? turned(b) : b, ...(added ? { c: added } : {}) };
  return check(
    'gemm',
    operands,
    (builder, { a, b, c }) =>
      builder.gemm(a as MLOperand, b as MLOperand, c ? { ...options, c: c as MLOperand } : options),
    result,
    { what },
  );
}

const MATRICES: readonly Case[] = [
  matmul('matrices', [3, 4], [4, 2], [3, 2]),
  matmul('a batch', [2, 3, 4], [2, 4, 2], [2, 3, 2]),
  matmul('one for all batches', [2, 3, 4], [4, 2], [2, 3, 2]),
  matmul('batches broadcast to each other', [2, 1, 3, 4], [1, 3, 4, 2], [2, 3, 3, 2]),
  gemm('without c', null),
  gemm('a value for each column', [2]),
  gemm('alpha, beta and transposed', [1, 2], { alpha: 0.5, beta: 2, aTranspose: true, bTranspose: true }),
  gemm('a value for each row', [3, 1]),
  gemm('c is a scalar', []),
  gemm('c is a matrix', [3, 2], { bTranspose: true }),
];

const EPSILON = 1e-5;

function normalized(input: Values, axes: Numbers): Values {
  const average = reduced(input, axes, REDUCERS.reduceMean);
  const variance = reduced(input, axes, (values) => {
    const middle = sum(values) / values.length;
    return squares(values.map((value) => value - middle)) / values.length;
  });
  return filled(input.shape, (...place) => {
    const kept = place.map((at, axis) => (axes.includes(axis) ? 0 : at));
    return (at(input, place) - at(average, kept)) / Math.sqrt(at(variance, kept) + EPSILON);
  });
}

const IMAGE = noise([2, 3, 4, 2], 26);

function layerNormalization(what: string, axes: number[], hasScale: boolean): Case {
  const shape = axes.map((axis) => IMAGE.shape[axis] as number);
  const [scale, bias] = [noise(shape, 27), noise(shape, 28)];
  const middle = normalized(IMAGE, axes);
  const expected = filled(IMAGE.shape, (...place) => {
    const own = axes.map((axis) => place[axis] as number);
    return hasScale ? at(middle, place) * at(scale, own) + at(bias, own) : at(middle, place);
  });
  return check(
    'layerNormalization',
    hasScale ? { input: IMAGE, scale, bias } : { input: IMAGE },
    (builder, { input, scale, bias }) =>
      builder.layerNormalization(input as MLOperand, {
        axes,
        epsilon: EPSILON,
        ...(scale && bias ? { scale, bias } : {}),
      }),
    expected,
    { what },
  );
}

function instanceNormalization(layout: 'nchw' | 'nhwc'): Case {
  const [channel, axes] = layout === 'nchw' ? [1, [2, 3]] : [3, [1, 2]];
  const [scale, bias] = [noise([IMAGE.shape[channel] as number], 29), noise([IMAGE.shape[channel] as number], 30)];
  const middle = normalized(IMAGE, axes as number[]);
  const expected = filled(IMAGE.shape, (...place) => {
    const own = [place[channel as number] as number];
    return at(middle, place) * at(scale, own) + at(bias, own);
  });
  return check(
    'instanceNormalization',
    { input: IMAGE, scale, bias },
    (builder, { input, scale, bias }) =>
      builder.instanceNormalization(input as MLOperand, {
        layout,
        epsilon: EPSILON,
        ...(scale && bias ? { scale, bias } : {}),
      }),
    expected,
    { what: layout },
  );
}

function batchNormalization(axis: number, hasScale: boolean): Case {
  const size = [IMAGE.shape[axis] as number];
  const [mean, scale, bias] = [noise(size, 31), noise(size, 32), noise(size, 33)];
  const variance = filled(size, (i = 0) => 0.5 + i);
  const expected = filled(IMAGE.shape, (...place) => {
    const own = [place[axis] as number];
    const middle = (at(IMAGE, place) - at(mean, own)) / Math.sqrt(at(variance, own) + EPSILON);
    return hasScale ? middle * at(scale, own) + at(bias, own) : middle;
  });
  return check(
    'batchNormalization',
    hasScale ? { input: IMAGE, mean, variance, scale, bias } : { input: IMAGE, mean, variance },
    (builder, { input, mean, variance, scale, bias }) =>
      builder.batchNormalization(input as MLOperand, mean as MLOperand, variance as MLOperand, {
        axis,
        epsilon: EPSILON,
        ...(scale && bias ? { scale, bias } : {}),
      }),
    expected,
    { what: `axis ${axis}${hasScale ? ', scale and bias' : ''}` },
  );
}

function softmax(axis: number): Case {
  const powers = { ...IMAGE, data: IMAGE.data.map(Math.exp) };
  const sums = reduced(powers, [axis], sum);
  const expected = filled(IMAGE.shape, (...place) => {
    return (
      at(powers, place) /
      at(
        sums,
        place.map((at, other) => (other === axis ? 0 : at)),
      )
    );
  });
  return check('softmax', { input: IMAGE }, (b, { input }) => b.softmax(input as MLOperand, axis), expected, {
    what: `axis ${axis}`,
  });
}

const NORMALIZATIONS: readonly Case[] = [
  layerNormalization('last axis', [3], true),
  layerNormalization('axes in another order', [3, 1], true),
  layerNormalization('without scale', [1, 2], false),
  instanceNormalization('nchw'),
  instanceNormalization('nhwc'),
  batchNormalization(1, true),
  batchNormalization(3, false),
  softmax(3),
  softmax(1),
  check(
    'softmax',
    { input: vector(1000, 1000) },
    (builder, { input }) => builder.softmax(input as MLOperand, 0),
    vector(0.5, 0.5),
    { what: 'large values' },
  ),
];

export const REDUCTION_CASES: readonly Case[] = [...REDUCTIONS, ...MATRICES, ...NORMALIZATIONS];
