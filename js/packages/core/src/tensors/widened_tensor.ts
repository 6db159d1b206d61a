/** Values of a type that WebNN has not got, int16, in an MLTensor of a wider one, int32. */

import type { GraphPort } from '../description.js';
import type { TypedArray } from '../dtypes.js';
import { elementCount, newArray } from '../dtypes.js';

/** Converts between the values of a TFLite tensor and those of its operand. One array serves all copies of a tensor. */
export class WidenedTensor {
  /** @returns null where the operand has the tensor's own type. */
  static of({ name, tensorType, shape }: GraphPort): WidenedTensor | null {
    return tensorType === undefined ? null : new WidenedTensor(newArray(Int32Array, elementCount(shape), name));
  }

  /** @param wide - The operand's values, as WebNN takes and gives them. */
  private constructor(readonly wide: Int32Array) {}

  /** Takes the tensor's values, or their bytes. */
  widen(values: TypedArray): Int32Array {
    this.wide.set(int16View(values));
    return this.wide;
  }

  /** Gives the values to the tensor's array, or to its bytes. */
  narrow(values: TypedArray): void {
    int16View(values).set(this.wide);
  }
}

function int16View(values: TypedArray): Int16Array {
  return new Int16Array(values.buffer, values.byteOffset, values.byteLength / Int16Array.BYTES_PER_ELEMENT);
}
