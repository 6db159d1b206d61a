/** Operators that only move values or change the shape. */

import { elementCount } from '../data_types.js';
import {
  ANY,
  broadcastsTo,
  castAttributes,
  check,
  checkAxes,
  checkAxis,
  checkLength,
  checkPositive,
  checkSameType,
  checkShape,
  type RuleRows,
  range,
  tensor,
  withSize,
} from './rule.js';

/** Browsers' maximum for inputs of concat and results of split. */
const MAX_OPERANDS = 8192;

const ANY_TO_ANY = { input: tensor(ANY), output: tensor(ANY) };

function splitSizes(splits: number | readonly number[], size: number): readonly number[] {
  const count = typeof splits === 'number' ? splits : splits.length;
  check(count > 0 && count <= MAX_OPERANDS, `The number of splits is ${count}; it should be 1 to ${MAX_OPERANDS}.`);
  if (typeof splits === 'number') {
    check(size % splits === 0, `The size ${size} cannot be split into ${splits} equal parts.`);
    return Array.from({ length: splits }, () => size / splits);
  }
  checkPositive('splits', splits);
  const sum = splits.reduce((total, part) => total + part, 0);
  check(sum === size, `The sum of the splits [${splits}] is ${sum}; it should be the size ${size}.`);
  return splits;
}

/** https://www.w3.org/TR/webnn/#api-mlgraphbuilder-concat and the others */
export const MOVEMENT = {
  concat: {
    limits: { inputs: tensor(ANY, 1), output: tensor(ANY, 1) },
    infer: ({ inputs }, { axis }) => {
      check(inputs.length <= MAX_OPERANDS, `There should be at most ${MAX_OPERANDS} inputs.`);
      const [first] = inputs;
      check(first !== undefined, 'The inputs should not be empty.');
      checkAxis(axis, first);
      for (const [index, input] of inputs.entries()) {
        checkSameType(first, { [`inputs[${index}]`]: input });
        checkShape(`inputs[${index}]`, input, withSize(first.shape, axis, input.shape[axis] as number));
      }
      const size = inputs.reduce((sum, { shape }) => sum + (shape[axis] as number), 0);
      return { dataType: first.dataType, shape: withSize(first.shape, axis, size) };
    },
  },
  expand: {
    limits: ANY_TO_ANY,
    infer: ({ input }, { newShape }) => {
      checkPositive('newShape', newShape);
      check(broadcastsTo(input.shape, newShape), `The shape [${input.shape}] cannot be broadcast to [${newShape}].`);
      return { dataType: input.dataType, shape: newShape };
    },
  },
  pad: {
    limits: { input: tensor(ANY, 1), output: tensor(ANY, 1) },
    infer: ({ input }, attributes) => {
      const { beginningPadding, endingPadding, mode } = attributes;
      const shape = input.shape.map((size, axis) => {
        const [before = 0, after = 0] = [beginningPadding[axis], endingPadding[axis]];
        const fits = mode !== 'reflection' || Math.max(before, after) < size;
        check(fits, `Reflection needs a padding of less than ${size} along axis ${axis}.`);
        return size + before + after;
      });
      checkLength('beginningPadding', beginningPadding, shape.length);
      checkLength('endingPadding', endingPadding, shape.length);
      castAttributes(attributes, input, 'value');
      return { dataType: input.dataType, shape };
    },
  },
  reshape: {
    limits: ANY_TO_ANY,
    infer: ({ input }, { newShape }) => {
      checkPositive('newShape', newShape);
      const [before, after] = [elementCount(input.shape), elementCount(newShape)];
      check(before === after, `The shape [${newShape}] has ${after} elements, not ${before} as [${input.shape}].`);
      return { dataType: input.dataType, shape: newShape };
    },
  },
  reverse: {
    limits: ANY_TO_ANY,
    infer: ({ input }, attributes) => {
      attributes.axes ??= range(0, input.shape.length);
      checkAxes(attributes.axes, input);
      return input;
    },
  },
  slice: {
    limits: ANY_TO_ANY,
    infer: ({ input }, attributes) => {
      const { starts, sizes } = attributes;
      const rank = input.shape.length;
      attributes.strides ??= Array.from({ length: rank }, () => 1);
      const { strides } = attributes;
      for (const [name, values] of Object.entries({ starts, sizes, strides })) checkLength(name, values, rank);
      checkPositive('sizes', sizes);
      checkPositive('strides', strides);
      const shape = input.shape.map((size, axis) => {
        const [start, length] = [starts[axis] as number, sizes[axis] as number];
        check(
          start + length <= size,
          `The slice from ${start} of size ${length} is not in ${size}, along axis ${axis}.`,
        );
        return Math.ceil(length / (strides[axis] as number));
      });
      return { dataType: input.dataType, shape };
    },
  },
  split: {
    limits: { input: tensor(ANY, 1), outputs: tensor(ANY, 1) },
    infer: ({ input }, attributes) => {
      checkAxis(attributes.axis, input);
      const sizes = splitSizes(attributes.splits, input.shape[attributes.axis] as number);
      // A number of parts becomes their sizes.
      attributes.splits = sizes;
      return sizes.map((size) => ({ dataType: input.dataType, shape: withSize(input.shape, attributes.axis, size) }));
    },
  },
  tile: {
    limits: ANY_TO_ANY,
    infer: ({ input }, { repetitions }) => {
      checkLength('repetitions', repetitions, input.shape.length);
      checkPositive('repetitions', repetitions);
      return { dataType: input.dataType, shape: input.shape.map((size, axis) => size * (repetitions[axis] as number)) };
    },
  },
  transpose: {
    limits: ANY_TO_ANY,
    infer: ({ input }, attributes) => {
      attributes.permutation ??= range(0, input.shape.length).reverse();
      const { permutation } = attributes;
      checkLength('permutation', permutation, input.shape.length);
      checkAxes(permutation, input);
      return { dataType: input.dataType, shape: permutation.map((axis) => input.shape[axis] as number) };
    },
  },
  triangular: {
    limits: { input: tensor(ANY, 2), output: tensor(ANY, 2) },
    infer: ({ input }) => input,
  },
} satisfies RuleRows;
