/** Values of tensors for tests, and what they look like in another order of axes. */

import type { MLOperandDataType } from '../../src/generated/webnn_types.js';

/** A tensor as plain data, row-major. */
export interface Values {
  readonly dataType: MLOperandDataType;
  readonly shape: readonly number[];
  readonly data: readonly number[];
}

export function count(shape: readonly number[]): number {
  return shape.reduce((product, size) => product * size, 1);
}

export function tensor(
  shape: readonly number[],
  data: readonly number[],
  dataType: MLOperandDataType = 'float32',
): Values {
  if (data.length !== count(shape)) throw new Error(`${data.length} values are not [${shape}]`);
  return { dataType, shape, data };
}

export function vector(...data: number[]): Values {
  return tensor([data.length], data);
}

export function bytes(...data: number[]): Values {
  return tensor([data.length], data, 'uint8');
}

export function integers(shape: readonly number[], data: readonly number[]): Values {
  return tensor(shape, data, 'int32');
}

/** Seeded values from -1 to 1, which float32 has exactly. */
export function noise(shape: readonly number[], seed = 1): Values {
  let state = seed * 2654435761;
  const next = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return ((state >>> 16) % 129) / 64 - 1;
  };
  return tensor(shape, Array.from({ length: count(shape) }, next));
}

/** The element at coordinates. */
export function at({ shape, data }: Values, place: readonly number[]): number {
  return data[place.reduce((index, coordinate, axis) => index * (shape[axis] as number) + coordinate, 0)] as number;
}

/** A tensor of what a function has for the coordinates of each element. */
export function filled(shape: readonly number[], valueAt: (...place: number[]) => number): Values {
  const strides = shape.map((_, axis) => count(shape.slice(axis + 1)));
  const placeOf = (index: number) => shape.map((size, axis) => Math.floor(index / (strides[axis] as number)) % size);
  return tensor(
    shape,
    Array.from({ length: count(shape) }, (_, index) => valueAt(...placeOf(index))),
  );
}

/** The same tensor with its axes, named by letters, in another order. */
export function reordered(values: Values, from: string, to: string): Values {
  const shape = [...to].map((letter) => values.shape[from.indexOf(letter)] as number);
  const moved = filled(shape, (...place) =>
    at(
      values,
      [...from].map((letter) => place[to.indexOf(letter)] as number),
    ),
  );
  return { ...moved, dataType: values.dataType };
}
