/** A fake model: it gives the results that a test sets, and keeps its inputs. */

import type { DType, ShapedValues, TensorInfo, TypedArray } from 'tflite-webnn';
import type { TaskMetadata, TaskModel } from '../src/index.js';

export interface FakeModel extends TaskModel {
  /** Copies of the inputs of each run. */
  readonly seen: (readonly number[])[];
  /** How often it was disposed of. */
  disposals: number;
}

export function tensor(
  name: string,
  dtype: DType,
  shape: readonly number[],
  quantization?: [number, number],
): TensorInfo {
  const [scale, zeroPoint] = quantization ?? [1, 0];
  return {
    index: 0,
    name,
    dtype,
    shape,
    shapeSignature: shape,
    sizeBytes: 0,
    quantization: quantization ? { scales: [scale], zeroPoints: [zeroPoint], quantizedDimension: 0 } : null,
  };
}

/** A model with one input, and outputs with fixed values. */
export function fakeModel(
  input: TensorInfo,
  outputs: readonly (readonly [TensorInfo, TypedArray])[],
  metadata?: TaskMetadata | null,
): FakeModel {
  const model: FakeModel = {
    inputs: [input],
    outputs: outputs.map(([info]) => info),
    ...(metadata !== undefined && { metadata }),
    seen: [],
    disposals: 0,
    async run(input: ShapedValues) {
      model.seen.push(Array.from(input.data as Uint8Array));
      return outputs.map(([{ name, shape, quantization }, data]) => ({ name, shape, quantization, data }));
    },
    dispose() {
      model.disposals += 1;
    },
  };
  return model;
}
