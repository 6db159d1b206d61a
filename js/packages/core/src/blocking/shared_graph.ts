/** A graph on the helper's side: its MLTensors, and the shared memory that they are filled from and read into. */

import { type NamedTensors, PortTensor, tensorsByPort } from '../tensors/port_tensor.js';
import type { MLContext, MLGraph } from '../webnn_types.js';
import { type BuildRequest, portRanges } from './helper_protocol.js';

/** A graph that is computed on shared memory. */
export class SharedGraph {
  readonly #bytes: readonly Uint8Array[];
  readonly #bound: readonly [inputs: NamedTensors, outputs: NamedTensors];

  /** @param bytes - Views of the shared memory, one for each of `tensors`: the inputs, then the outputs. */
  private constructor(
    private readonly context: MLContext,
    readonly graph: MLGraph,
    private readonly tensors: readonly PortTensor[],
    bytes: readonly Uint8Array[],
    private readonly inputCount: number,
  ) {
    this.#bytes = bytes;
    this.#bound = [tensorsByPort(tensors.slice(0, inputCount)), tensorsByPort(tensors.slice(inputCount))];
  }

  /**
   * Makes the tensors of a graph that is built. The graph belongs to the result.
   *
   * @throws what the browser says where it cannot make one; the graph and the other tensors are destroyed then.
   */
  static async create(context: MLContext, graph: MLGraph, { description, memory }: BuildRequest): Promise<SharedGraph> {
    const { inputs, outputs } = portRanges(description);
    const uses = [
      ...inputs.map(({ port }) => ({ port, writable: true })),
      ...outputs.map(({ port }) => ({ port, readable: true })),
    ];
    const bytes = [...inputs, ...outputs].map(({ offset, byteLength }) => new Uint8Array(memory, offset, byteLength));
    try {
      const tensors = await PortTensor.createAll(context, uses);
      return new SharedGraph(context, graph, tensors, bytes, inputs.length);
    } catch (error) {
      graph.destroy?.();
      throw error;
    }
  }

  /** Computes the outputs of the inputs that lie in the memory. */
  async dispatch(): Promise<void> {
    this.tensors.slice(0, this.inputCount).forEach((tensor, port) => {
      tensor.write(this.#bytes[port] as Uint8Array);
    });
    this.context.dispatch(this.graph, ...this.#bound);
    const outputs = this.tensors.slice(this.inputCount);
    await Promise.all(outputs.map((tensor, port) => tensor.read(this.#bytes[this.inputCount + port] as Uint8Array)));
  }

  destroy(): void {
    this.graph.destroy?.();
    for (const tensor of this.tensors) tensor.destroy();
  }
}
