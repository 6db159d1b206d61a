/** A tensor as `@tensorflow/tfjs-tflite` reads and writes it. */

import type { TensorInfo as Description } from 'tflite-webnn/description';
import { type TypedArray, typedArrayConstructor } from 'tflite-webnn/dtypes';
import { InterpreterError } from 'tflite-webnn/errors';
import type { WasmRunner } from 'tflite-webnn/wasm/wasm_runner';

/** An input or output tensor: embind's interface of `TFLiteWebModelRunnerTensorInfo`. */
export interface TFLiteTensorInfo {
  readonly id: number;
  readonly dataType: string;
  readonly name: string;
  /** E.g. `1,224,224,3`; a run may change it. */
  readonly shape: string;
  /** The tensor's values in the wasm heap, to read and write; valid until the next call into wasm. Of int64 a copy. */
  data(): TypedArray;
}

const [LEAST, MOST] = [-(2 ** 31), 2 ** 31 - 1];

/** @param runner - Returns the runner at the time of each call: a loss of WebNN replaces it. */
export function tensorInfo(runner: () => WasmRunner, description: Description): TFLiteTensorInfo {
  const { index, dtype, name } = description;
  return {
    id: index,
    // TensorFlow.js has no int64, and its client would leave such an input as it is.
    dataType: dtype === 'int64' ? 'int32' : dtype,
    name,
    get shape() {
      return runner().tensorShape(index).join(',');
    },
    data: () => {
      const found = values(runner(), description);
      return found instanceof BigInt64Array ? narrowed(found) : found;
    },
  };
}

/** A copy as int32; what is set is set in the heap, too. */
function narrowed(wide: BigInt64Array): Int32Array {
  const near = (value: bigint) => Math.min(MOST, Math.max(LEAST, Number(value)));
  const set = (given: ArrayLike<number>) => wide.set(Array.from(given, BigInt));
  return Object.assign(Int32Array.from(wide, near), { set });
}

function values(runner: WasmRunner, { index, dtype, name }: Description): TypedArray {
  const array = typedArrayConstructor(dtype);
  if (array === null) {
    throw new InterpreterError('UNSUPPORTED_DTYPE', `JavaScript has no array for tensor ${name} of type ${dtype}.`);
  }
  const bytes = runner.tensorBytes(index);
  return new array(bytes.buffer, bytes.byteOffset, bytes.byteLength / array.BYTES_PER_ELEMENT);
}
