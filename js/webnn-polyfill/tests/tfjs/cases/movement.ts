/** Operators that move values, and those that find them by indices. */

import type { MLGraphBuilder, MLOperand } from '../../../src/generated/webnn_types.js';
import { type Case, check } from '../case.js';
import { at, bytes, filled, integers, noise, tensor, type Values, vector } from '../values.js';

type Numbers = readonly number[];
type Move = (builder: MLGraphBuilder, x: MLOperand) => MLOperand;

const MATRIX = tensor([2, 3], [1, 2, 3, 4, 5, 6]);
const CUBE = noise([2, 3, 4], 11);

function move(op: string, what: string, input: Values, build: Move, expected: Values): Case {
  return check(op, { input }, (builder, { input: x }) => build(builder, x as MLOperand), expected, {
    what,
    tolerance: 0,
  });
}

/** The same, of integers. */
function asBytes({ shape, data }: Values): Values {
  return { dataType: 'uint8', shape, data };
}

function padded(mode: 'constant' | 'edge' | 'reflection', expected: Numbers, value?: number): Case {
  const options = value === undefined ? { mode } : { mode, value };
  const what = value === undefined ? mode : `${mode}, value`;
  return move('pad', what, MATRIX, (b, x) => b.pad(x, [1, 0], [0, 2], options), tensor([3, 5], expected));
}

const MOVES: readonly Case[] = [
  check(
    'concat',
    { a: MATRIX, b: tensor([2, 1], [7, 8]) },
    (builder, { a, b }) => builder.concat([a as MLOperand, b as MLOperand], 1),
    tensor([2, 4], [1, 2, 3, 7, 4, 5, 6, 8]),
  ),
  check(
    'concat',
    { a: CUBE },
    (builder, { a }) => builder.concat([a as MLOperand, a as MLOperand], 0),
    { ...CUBE, shape: [4, 3, 4], data: [...CUBE.data, ...CUBE.data] },
    { what: 'the same twice' },
  ),
  move(
    'expand',
    '',
    tensor([2, 1], [1, 2]),
    (b, x) => b.expand(x, [2, 2, 2]),
    tensor([2, 2, 2], [1, 1, 2, 2, 1, 1, 2, 2]),
  ),
  move('expand', 'a scalar', tensor([], [3]), (b, x) => b.expand(x, [2, 1]), tensor([2, 1], [3, 3])),
  padded('constant', [0, 0, 0, 0, 0, 1, 2, 3, 0, 0, 4, 5, 6, 0, 0]),
  padded('constant', [9, 9, 9, 9, 9, 1, 2, 3, 9, 9, 4, 5, 6, 9, 9], 9),
  padded('edge', [1, 2, 3, 3, 3, 1, 2, 3, 3, 3, 4, 5, 6, 6, 6]),
  padded('reflection', [4, 5, 6, 5, 4, 1, 2, 3, 2, 1, 4, 5, 6, 5, 4]),
  move('reshape', '', MATRIX, (b, x) => b.reshape(x, [3, 1, 2]), { ...MATRIX, shape: [3, 1, 2] }),
  move('reshape', 'many dimensions', MATRIX, (b, x) => b.reshape(x, [1, 3, 1, 2, 1, 1]), {
    ...MATRIX,
    shape: [1, 3, 1, 2, 1, 1],
  }),
  move('reverse', '', MATRIX, (b, x) => b.reverse(x, { axes: [1] }), tensor([2, 3], [3, 2, 1, 6, 5, 4])),
  move('reverse', 'all axes', MATRIX, (b, x) => b.reverse(x), tensor([2, 3], [6, 5, 4, 3, 2, 1])),
  move('slice', '', MATRIX, (b, x) => b.slice(x, [0, 1], [2, 2]), tensor([2, 2], [2, 3, 5, 6])),
  move(
    'slice',
    'strides',
    CUBE,
    (b, x) => b.slice(x, [0, 1, 0], [2, 2, 4], { strides: [1, 2, 3] }),
    filled([2, 1, 2], (i = 0, j = 0, k = 0) => at(CUBE, [i, 1 + 2 * j, 3 * k])),
  ),
  check(
    'split',
    { input: MATRIX },
    (builder, { input }) => builder.split(input as MLOperand, [1, 2], { axis: 1 }),
    [tensor([2, 1], [1, 4]), tensor([2, 2], [2, 3, 5, 6])],
    { what: 'sizes' },
  ),
  check(
    'split',
    { input: MATRIX },
    (builder, { input }) => builder.split(input as MLOperand, 2, { axis: 0 }),
    [tensor([1, 3], [1, 2, 3]), tensor([1, 3], [4, 5, 6])],
    { what: 'number' },
  ),
  move('tile', '', MATRIX, (b, x) => b.tile(x, [1, 2]), tensor([2, 6], [1, 2, 3, 1, 2, 3, 4, 5, 6, 4, 5, 6])),
  move('transpose', '', MATRIX, (b, x) => b.transpose(x), tensor([3, 2], [1, 4, 2, 5, 3, 6])),
  move('transpose', 'uint8', asBytes(MATRIX), (b, x) => b.transpose(x), asBytes(tensor([3, 2], [1, 4, 2, 5, 3, 6]))),
  move(
    'transpose',
    'permutation',
    CUBE,
    (b, x) => b.transpose(x, { permutation: [1, 2, 0] }),
    filled([3, 4, 2], (i = 0, j = 0, k = 0) => at(CUBE, [k, i, j])),
  ),
  move(
    'transpose',
    'uint8, three dimensions',
    asBytes(tensor([2, 1, 3], [0, 1, 2, 253, 254, 255])),
    (b, x) => b.transpose(x, { permutation: [2, 1, 0] }),
    asBytes(tensor([3, 1, 2], [0, 253, 1, 254, 2, 255])),
  ),
  ...[true, false].flatMap((upper) =>
    [-1, 0, 1].map((diagonal) =>
      move(
        'triangular',
        `${upper ? 'upper' : 'lower'}, diagonal ${diagonal}`,
        CUBE,
        (b, x) => b.triangular(x, { upper, diagonal }),
        filled(CUBE.shape, (i = 0, j = 0, k = 0) =>
          (upper ? k >= j + diagonal : k <= j + diagonal) ? at(CUBE, [i, j, k]) : 0,
        ),
      ),
    ),
  ),
];

function indexed(op: 'gather' | 'gatherElements', what: string, indices: Values, axis: number, expected: Values): Case {
  return check(
    op,
    { input: MATRIX, indices },
    (builder, { input, indices }) => builder[op](input as MLOperand, indices as MLOperand, { axis }),
    expected,
    { what, tolerance: 0 },
  );
}

const INDEXED: readonly Case[] = [
  indexed('gather', 'axis 1', integers([2, 2], [2, 0, 1, 1]), 1, tensor([2, 2, 2], [3, 1, 2, 2, 6, 4, 5, 5])),
  indexed('gather', 'a scalar', integers([], [1]), 0, vector(4, 5, 6)),
  indexed('gather', 'from the end, and outside', integers([3], [-1, -7, 9]), 1, tensor([2, 3], [3, 1, 3, 6, 4, 6])),
  indexed('gatherElements', 'axis 0', integers([2, 3], [1, 0, 1, 0, -1, 0]), 0, tensor([2, 3], [4, 2, 6, 1, 5, 3])),
  indexed('gatherElements', 'axis 1', integers([2, 1], [2, 0]), 1, tensor([2, 1], [3, 4])),
  check(
    'gatherND',
    { input: MATRIX, indices: integers([2, 2], [0, 2, -1, 0]) },
    (builder, { input, indices }) => builder.gatherND(input as MLOperand, indices as MLOperand),
    vector(3, 4),
    { what: 'elements' },
  ),
  check(
    'gatherND',
    { input: CUBE, indices: integers([1, 2, 1], [1, 0]) },
    (builder, { input, indices }) => builder.gatherND(input as MLOperand, indices as MLOperand),
    filled([1, 2, 3, 4], (_, i = 0, j = 0, k = 0) => at(CUBE, [1 - i, j, k])),
    { what: 'parts' },
  ),
  check(
    'scatterElements',
    { input: MATRIX, indices: integers([2, 1], [-1, 0]), updates: tensor([2, 1], [10, 20]) },
    (builder, { input, indices, updates }) =>
      builder.scatterElements(input as MLOperand, indices as MLOperand, updates as MLOperand, { axis: 1 }),
    tensor([2, 3], [1, 2, 10, 20, 5, 6]),
  ),
  check(
    'scatterND',
    { input: MATRIX, indices: integers([2, 2], [0, 1, -1, 2]), updates: vector(10, 20) },
    (builder, { input, indices, updates }) =>
      builder.scatterND(input as MLOperand, indices as MLOperand, updates as MLOperand),
    tensor([2, 3], [1, 10, 3, 4, 5, 20]),
    { what: 'elements' },
  ),
  check(
    'scatterND',
    { input: MATRIX, indices: integers([1, 1], [1]), updates: tensor([1, 3], [7, 8, 9]) },
    (builder, { input, indices, updates }) =>
      builder.scatterND(input as MLOperand, indices as MLOperand, updates as MLOperand),
    tensor([2, 3], [1, 2, 3, 7, 8, 9]),
    { what: 'rows' },
  ),
  check(
    'scatterND',
    { input: bytes(1, 2, 3), indices: integers([1, 1], [1]), updates: bytes(200) },
    (builder, { input, indices, updates }) =>
      builder.scatterND(input as MLOperand, indices as MLOperand, updates as MLOperand),
    bytes(1, 200, 3),
    { what: 'uint8' },
  ),
];

export const MOVEMENT_CASES: readonly Case[] = [...MOVES, ...INDEXED];
