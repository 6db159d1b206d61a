/** The tensors of one call of a custom op: views of the heap. */

import type { CustomOpOutput, CustomOpTensor } from '../custom_op.js';
import type { QuantizationInfo, TensorInfo } from '../description.js';
import { type DType, elementCount, isShape, MAX_RANK, type TypedArray, typedArrayConstructor } from '../dtypes.js';
import { shown } from '../support/validate_options.js';
import type { CStringPointer, Pointer, WasmBindings } from './wasm_binding_types.js';
import { heapBuffer } from './wasm_memory.js';

/** A tensor as wasm/runtime/module/javascript_ops.cc describes it. */
export interface CustomOpTensorRow extends TensorInfo {
  readonly isConstant: boolean;
}

/** The object of one call in that file. */
export type CallPointer = Pointer<'JavascriptCall'>;

/** An optional input that a node leaves out. */
const LEFT_OUT = { index: -1, name: '', dtype: 'float32', quantization: null } as const;
/** The object begins with memory for a shape of MAX_RANK sizes; words follow. */
const CALL_WORDS = 9;
/** Of a tensor: its address, size in bytes, and the address of its shape, which begins with its rank. */
const WORDS = 3;
const WORD_BYTES = 4;
/** TFLite's sizes are 32 bits. */
const MAX_BYTES = 2 ** 31 - 1;

/** The memory of one call; it is used no longer when that has ended. */
export class CustomOpFrame {
  /** What has trapped in wasm; null where nothing has. */
  trap: { readonly error: unknown } | null = null;
  /** The node's own number. */
  readonly number: number;
  readonly subgraph: number;
  readonly nodeIndex: number;
  readonly inputCount: number;
  readonly #op: CStringPointer;
  readonly #options: readonly [address: number, sizeBytes: number];
  /** Address of the words of the tensors: inputs, then outputs. */
  readonly #tensors: number;
  #isOpen = true;
  #version = 0;

  constructor(
    private readonly bindings: WasmBindings,
    private readonly call: CallPointer,
  ) {
    const words = new Uint32Array(heapBuffer(bindings), call + MAX_RANK * WORD_BYTES, CALL_WORDS);
    const [number = 0, subgraph = 0, node = 0, op = 0, options = 0, optionsSize = 0, inputs = 0, , tensors = 0] = words;
    this.number = number;
    this.subgraph = subgraph;
    this.nodeIndex = node;
    this.inputCount = inputs;
    this.#op = op as CStringPointer;
    this.#options = [options, optionsSize];
    this.#tensors = tensors;
  }

  /** Name of the op. */
  get op(): string {
    return this.bindings.UTF8ToString(this.#op);
  }

  /** A copy of the custom options. */
  get options(): Uint8Array {
    const [address, sizeBytes] = this.#options;
    return new Uint8Array(heapBuffer(this.bindings)).slice(address, address + sizeBytes);
  }

  /** Which views are still good; it throws when the call has ended. */
  get version(): number {
    if (this.#isOpen) return this.#version;
    throw new TypeError('a tensor of a custom op can be used during its call only: copy the values with data.slice()');
  }

  /** The inputs of a run. */
  inputs(rows: readonly (CustomOpTensorRow | null)[]): CustomOpTensor[] {
    return rows.map((row, position) => new FrameTensor(this, position, row) as CustomOpTensor);
  }

  /**
   * The outputs of a run.
   *
   * @param open - Those whose shape the run sets; each is removed when it is set.
   */
  outputs(rows: readonly CustomOpTensorRow[], open: Set<number>): CustomOpOutput[] {
    return rows.map((row, position) => new FrameOutput(this, position, row, open) as unknown as CustomOpOutput);
  }

  shapeOf(position: number): number[] {
    const [, , address = 0] = this.#words(position);
    if (address === 0) return [0]; // left out
    const heap = new Int32Array(heapBuffer(this.bindings));
    const start = address / WORD_BYTES + 1;
    return [...heap.subarray(start, start + (heap[start - 1] as number))];
  }

  /** The values of a tensor as they are now. */
  dataOf(position: number, dtype: DType): TypedArray {
    const [address = 0, sizeBytes = 0] = this.#words(position);
    const Values = typedArrayConstructor(dtype) ?? Uint8Array;
    const length = sizeBytes / Values.BYTES_PER_ELEMENT;
    const buffer = heapBuffer(this.bindings);
    if (address % Values.BYTES_PER_ELEMENT === 0) return new Values(buffer, address, length);
    return new Values(buffer.slice(address, address + sizeBytes)); // a constant: the file need not align it
  }

  /**
   * Resizes an output; null if its run sets it.
   *
   * @throws RangeError, Error
   */
  resize(output: number, { name, dtype }: Pick<TensorInfo, 'name' | 'dtype'>, shape: readonly number[] | null): void {
    const sizeBytes = elementCount(shape ?? []) * (typedArrayConstructor(dtype)?.BYTES_PER_ELEMENT ?? 1);
    if (sizeBytes > MAX_BYTES) {
      throw new RangeError(`output ${output} ('${name}') of the shape [${shape?.join(', ')}] takes more than 2 GB`);
    }
    this.#version = this.version + 1;
    if (shape !== null) new Int32Array(heapBuffer(this.bindings), this.call, shape.length).set(shape);
    let status = 0;
    try {
      status = this.bindings._tflite_custom_op_resize(this.call, output, shape?.length ?? -1);
    } catch (error) {
      this.trap = { error };
      throw error;
    }
    if (status !== 0) {
      throw new RangeError(`TFLite could not resize output ${output} ('${name}') to [${shape?.join(', ')}]`);
    }
  }

  /** Ends the call: its tensors cannot be read any more. */
  close(): void {
    this.#isOpen = false;
  }

  #words(position: number): Uint32Array {
    return new Uint32Array(heapBuffer(this.bindings), this.#tensors + position * WORDS * WORD_BYTES, WORDS);
  }
}

/** An input, or what inputs and outputs have in common. */
class FrameTensor {
  readonly index: number;
  readonly name: string;
  readonly dtype: DType;
  readonly quantization: QuantizationInfo | null;
  shape: readonly number[];
  readonly #frame: CustomOpFrame;
  readonly #position: number;
  #data: TypedArray | null = null;
  #version = -1;

  constructor(frame: CustomOpFrame, position: number, row: CustomOpTensorRow | null) {
    const { index, name, dtype, quantization } = row ?? LEFT_OUT;
    this.index = index;
    this.name = name;
    this.dtype = dtype;
    this.quantization = quantization;
    this.shape = frame.shapeOf(position);
    this.#frame = frame;
    this.#position = position;
  }

  /** A view, created again after resize(), which may move the memory. */
  get data(): TypedArray {
    const version = this.#frame.version;
    if (this.#data === null || this.#version !== version) {
      this.#data = this.#frame.dataOf(this.#position, this.dtype);
      this.#version = version;
    }
    return this.#data;
  }
}

class FrameOutput extends FrameTensor {
  readonly #frame: CustomOpFrame;
  readonly #output: number;
  readonly #open: Set<number>;
  readonly #canResize: boolean;

  constructor(frame: CustomOpFrame, output: number, row: CustomOpTensorRow, open: Set<number>) {
    super(frame, frame.inputCount + output, row);
    this.#frame = frame;
    this.#output = output;
    this.#open = open;
    this.#canResize = open.has(output);
  }

  override get data(): TypedArray {
    if (!this.#open.has(this.#output)) return super.data;
    throw new TypeError(`output ${this.#output} ('${this.name}') has no values before resize(shape) sets its shape`);
  }

  resize(shape: readonly number[]): void {
    if (!this.#canResize) {
      throw new TypeError(
        `resize() is for outputs that prepare() returned with the shape null; output ${this.#output} ('${this.name}') ` +
          `has the shape [${this.shape.join(', ')}]`,
      );
    }
    if (!isShape(shape)) {
      throw new TypeError(`resize() needs a list of integers, 0 or more; got ${shown(shape)}`);
    }
    this.#frame.resize(this.#output, this, shape);
    this.#open.delete(this.#output);
    this.shape = [...shape];
  }
}
