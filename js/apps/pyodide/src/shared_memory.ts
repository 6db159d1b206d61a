/** What Python's interpreter shares with a model prepared next to it: the model's file, and copies of tensors. */

import type { TensorInfo, TensorResult } from 'tflite-webnn';
import { bytesOf } from 'tflite-webnn/dtypes';
import { HeapFile, type ModelFile } from 'tflite-webnn/wasm/wasm_memory';
import type { WasmRunner } from 'tflite-webnn/wasm/wasm_runner';

/** In the interpreter's heap, which outlives it: nobody needs a copy. */
export class SharedFile extends HeapFile {
  override takeInstance(): null {
    return null;
  }

  override compact(): ModelFile {
    return this;
  }
}

/** The inputs in the interpreter's heap. */
export function inputViews(interpreter: WasmRunner, inputs: readonly TensorInfo[]): Uint8Array[] {
  return inputs.map(({ index }) => interpreter.tensorBytes(index));
}

/** Buffers in the interpreter's heap for the outputs; none for those of unknown size. */
export function outputViews(interpreter: WasmRunner, outputs: readonly TensorInfo[]): (Uint8Array | undefined)[] {
  return outputs.map(({ index, dtype }) => (dtype === 'string' ? undefined : interpreter.tensorBytes(index)));
}

/** Copies the outputs without a buffer. */
export function keepOutputs(
  interpreter: WasmRunner,
  outputs: readonly TensorInfo[],
  provided: readonly (Uint8Array | undefined)[],
  results: readonly TensorResult[],
): void {
  outputs.forEach(({ index }, position) => {
    if (provided[position] === undefined) interpreter.write(index, bytesOf((results[position] as TensorResult).data));
  });
}
