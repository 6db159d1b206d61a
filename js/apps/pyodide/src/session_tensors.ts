/** Copies between the tensors of Python's interpreter and of a model prepared next to it. */

import type { TensorInfo } from 'tflite-webnn/description';
import { bytesOf, type TypedArray } from 'tflite-webnn/dtypes';
import type { WasmRunner } from 'tflite-webnn/wasm/wasm_runner';

/** The inputs in the interpreter's heap. */
export function inputViews(interpreter: WasmRunner, inputs: readonly TensorInfo[]): Uint8Array[] {
  return inputs.map(({ index }) => interpreter.tensorBytes(index));
}

/** Places in the interpreter's heap for the outputs; none for those of unknown size. */
export function outputViews(interpreter: WasmRunner, outputs: readonly TensorInfo[]): (Uint8Array | undefined)[] {
  return outputs.map(({ index, dtype }) => (dtype === 'string' ? undefined : interpreter.tensorBytes(index)));
}

/** Copies the outputs without a place. */
export function keepOutputs(
  interpreter: WasmRunner,
  outputs: readonly TensorInfo[],
  given: readonly (Uint8Array | undefined)[],
  results: readonly TypedArray[],
): void {
  outputs.forEach(({ index }, position) => {
    if (given[position] === undefined) interpreter.write(index, bytesOf(results[position] as TypedArray));
  });
}
