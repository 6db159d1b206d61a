/** MLTensors for the ports of a graph: the one way in which they are made, written and read. */

import type { GraphPort } from '../description.js';
import { bytesOf, elementCount, fixedValues, newArray, type TypedArray } from '../dtypes.js';
import type { MLContext, MLTensor } from '../webnn_types.js';

/** A tensor to make. */
export interface PortUse {
  readonly port: GraphPort;
  /** Whether it is written from JavaScript; no, unless given. */
  readonly writable?: boolean;
  /** Whether it is read into JavaScript; no, unless given. */
  readonly readable?: boolean;
}

/** Tensors by the names of a graph's ports. */
export type NamedTensors = Readonly<Record<string, MLTensor>>;

/** The tensor of one port. Reads must not overlap: they share an array where the port's type is widened. */
export class PortTensor {
  readonly #widened: WidenedTensor | null;

  private constructor(
    private readonly context: MLContext,
    readonly port: GraphPort,
    readonly tensor: MLTensor,
  ) {
    this.#widened = WidenedTensor.of(port);
  }

  /**
   * Makes several tensors, in the order of `uses`.
   *
   * @throws what the browser rejects the first failing one with; the others are destroyed then.
   */
  static async createAll(context: MLContext, uses: readonly PortUse[]): Promise<PortTensor[]> {
    const making = uses.map(async ({ port, writable = false, readable = false }) => {
      const { dataType, shape } = port;
      const tensor = await context.createTensor({ dataType, shape: [...shape], writable, readable });
      return new PortTensor(context, port, tensor);
    });
    const results = await Promise.allSettled(making);
    const made = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
    const failure = results.find((result) => result.status === 'rejected');
    if (failure === undefined) return made;
    for (const tensor of made) tensor.destroy();
    throw failure.reason;
  }

  /** Copies values of the TFLite tensor, or their bytes; the array may be changed as soon as this returns. */
  write(values: TypedArray): void {
    this.context.writeTensor(this.tensor, this.#widened?.widen(values) ?? fixedValues(values));
  }

  /** Reads into an array of the TFLite tensor's size, once everything queued before has run. */
  read(output: TypedArray): Promise<void> {
    return readWidened(this.context, this.tensor, this.#widened, output);
  }

  destroy(): void {
    this.tensor.destroy();
  }
}

/** Reads a tensor that stands for a port. Reads may overlap: each has its own array to narrow from. */
export function readPort(context: MLContext, tensor: MLTensor, port: GraphPort, output: TypedArray): Promise<void> {
  return readWidened(context, tensor, WidenedTensor.of(port), output);
}

/** Reads a tensor into an array of its type and size, once everything queued before has run. */
export async function readInto(context: MLContext, tensor: MLTensor, output: TypedArray): Promise<void> {
  try {
    await context.readTensor(tensor, output);
  } catch (error) {
    // Not every engine writes into any buffer, e.g. into WebAssembly memory. It says so by a TypeError.
    if (!(error instanceof TypeError)) throw error;
    bytesOf(output).set(new Uint8Array(await context.readTensor(tensor)));
  }
}

/** What a graph is dispatched with repeatedly. Frozen: the polyfill converts a record that cannot change only once. */
export function tensorsByName(entries: Iterable<readonly [name: string, tensor: PortTensor]>): NamedTensors {
  return Object.freeze(Object.fromEntries(Array.from(entries, ([name, { tensor }]) => [name, tensor])));
}

/** The same for tensors of ports, by the ports' names. */
export function tensorsByPort(tensors: readonly PortTensor[]): NamedTensors {
  return tensorsByName(tensors.map((tensor) => [tensor.port.name, tensor]));
}

function readWidened(
  context: MLContext,
  tensor: MLTensor,
  widened: WidenedTensor | null,
  output: TypedArray,
): Promise<void> {
  if (widened === null) return readInto(context, tensor, output);
  return readInto(context, tensor, widened.wide).then(() => widened.narrow(output));
}

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
