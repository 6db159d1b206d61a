/** Gathering and scattering by indices. */

import type { OperandDescriptor } from '../engine.js';
import { ANY, check, checkAxis, checkSameType, checkShape, INDICES, type RuleRows, tensor, withSize } from './rule.js';

const INPUT = tensor(ANY, 1);

/** Checks indices that are as large as the input except along the axis. */
function checkAlongAxis(input: OperandDescriptor, indices: OperandDescriptor, axis: number): void {
  checkAxis(axis, input);
  checkShape('indices', indices, withSize(input.shape, axis, indices.shape[axis] as number));
}

/** Shape of the values that the coordinates in the last axis of the indices select. */
function pointedShape(input: OperandDescriptor, indices: OperandDescriptor): number[] {
  const coordinates = indices.shape.at(-1) as number;
  check(
    coordinates <= input.shape.length,
    `The last size of indices, ${coordinates}, should be at most ${input.shape.length}, the rank of the input.`,
  );
  return [...indices.shape.slice(0, -1), ...input.shape.slice(coordinates)];
}

/** https://www.w3.org/TR/webnn/#api-mlgraphbuilder-gather and the others */
export const INDEXING = {
  gather: {
    limits: { input: INPUT, indices: tensor(INDICES), output: tensor(ANY) },
    infer: ({ input, indices }, { axis }) => {
      checkAxis(axis, input);
      const shape = [...input.shape.slice(0, axis), ...indices.shape, ...input.shape.slice(axis + 1)];
      return { dataType: input.dataType, shape };
    },
  },
  gatherElements: {
    limits: { input: INPUT, indices: tensor(INDICES, 1), output: INPUT },
    infer: ({ input, indices }, { axis }) => {
      checkAlongAxis(input, indices, axis);
      return { dataType: input.dataType, shape: indices.shape };
    },
  },
  gatherND: {
    limits: { input: INPUT, indices: tensor(INDICES, 1), output: tensor(ANY) },
    infer: ({ input, indices }) => ({ dataType: input.dataType, shape: pointedShape(input, indices) }),
  },
  scatterElements: {
    limits: { input: INPUT, indices: tensor(INDICES, 1), updates: INPUT, output: INPUT },
    infer: ({ input, indices, updates }, { axis }) => {
      checkSameType(input, { updates });
      checkAlongAxis(input, indices, axis);
      checkShape('updates', updates, indices.shape);
      return input;
    },
  },
  scatterND: {
    limits: { input: INPUT, indices: tensor(INDICES, 1), updates: tensor(ANY), output: INPUT },
    infer: ({ input, indices, updates }) => {
      checkSameType(input, { updates });
      checkShape('updates', updates, pointedShape(input, indices));
      return input;
    },
  },
} satisfies RuleRows;
