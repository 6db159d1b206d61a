/** A graph on the helper's side: its MLTensors, and the shared memory that they are filled from and read into. */

import { WidenedTensor } from '../tensors/widened_tensor.js';
import { type NamedTensors, readInto, tensorsByName } from '../webnn/webnn_session.js';
import type { MLContext, MLGraph, MLTensor } from '../webnn_types.js';
import { type BuildRequest, type PortRange, portRanges } from './protocol.js';

interface SharedPort {
  readonly name: string;
  readonly tensor: MLTensor;
  /** The tensor's values in shared memory. */
  readonly bytes: Uint8Array;
  readonly widened: WidenedTensor | null;
}

/** A graph that is computed on shared memory. */
export class SharedGraph {
  readonly #inputs: readonly SharedPort[];
  readonly #outputs: readonly SharedPort[];
  readonly #bound: readonly [inputs: NamedTensors, outputs: NamedTensors];

  private constructor(
    private readonly context: MLContext,
    readonly graph: MLGraph,
    inputs: readonly SharedPort[],
    outputs: readonly SharedPort[],
  ) {
    this.#inputs = inputs;
    this.#outputs = outputs;
    this.#bound = [tensorsByName(inputs), tensorsByName(outputs)];
  }

  /** Makes the tensors of a graph that is built. */
  static async create(context: MLContext, graph: MLGraph, { description, memory }: BuildRequest): Promise<SharedGraph> {
    const { inputs, outputs } = portRanges(description);
    const make = (ranges: readonly PortRange[], flags: { writable?: boolean; readable?: boolean }) =>
      Promise.all(ranges.map((range) => sharedPort(context, range, memory, flags)));
    const ports = await Promise.all([make(inputs, { writable: true }), make(outputs, { readable: true })]);
    return new SharedGraph(context, graph, ...ports);
  }

  /** Computes the outputs of the inputs that lie in the memory. */
  async dispatch(): Promise<void> {
    for (const { tensor, bytes, widened } of this.#inputs) {
      this.context.writeTensor(tensor, widened?.widen(bytes) ?? bytes);
    }
    this.context.dispatch(this.graph, ...this.#bound);
    await Promise.all(
      this.#outputs.map(async ({ tensor, bytes, widened }) => {
        await readInto(this.context, tensor, widened?.wide ?? bytes);
        widened?.narrow(bytes);
      }),
    );
  }

  destroy(): void {
    this.graph.destroy?.();
    for (const { tensor } of [...this.#inputs, ...this.#outputs]) tensor.destroy();
  }
}

async function sharedPort(
  context: MLContext,
  { port, offset, byteLength }: PortRange,
  memory: SharedArrayBuffer,
  flags: { writable?: boolean; readable?: boolean },
): Promise<SharedPort> {
  const { name, dataType, shape } = port;
  const tensor = await context.createTensor({ dataType, shape: [...shape], ...flags });
  return { name, tensor, bytes: new Uint8Array(memory, offset, byteLength), widened: WidenedTensor.of(port) };
}
