/** A graph as a TensorFlow Lite model in a wasm instance of its own: it frees all of its memory with that. */

import { HeapFile } from '../../../../runtime/src/model_file.js';
import type { WasmModule } from '../../../../runtime/src/wasm_module.js';
import { WasmRunner } from '../../../../runtime/src/wasm_runner.js';
import type { RecordedGraph } from '../../graph.js';
import { lowerGraph } from '../serialize_graph.js';
import { copyFile, writeModel } from '../write_model.js';

/** Tensors by the names of inputs or outputs. */
type Named = Readonly<Record<string, { readonly bytes: Uint8Array }>>;

interface Port {
  readonly name: string;
  /** TensorFlow Lite's index. */
  readonly tensor: number;
}

/** A graph that is ready to run. */
export class CompiledGraph {
  readonly #runner: WasmRunner;
  readonly #inputs: readonly Port[];
  readonly #outputs: readonly Port[];

  /**
   * Compiles a graph. Its constants are copied once: to where the model runs.
   *
   * @throws a subclass of TFLiteWebnnError that tells why it cannot be run.
   */
  static async compile(graph: RecordedGraph, wasm: WasmModule): Promise<CompiledGraph> {
    const file = writeModel(lowerGraph(graph));
    const instance = await wasm.instantiate();
    const place = HeapFile.allocate(instance, file.sizeBytes);
    copyFile(file, place.bytes);
    return new CompiledGraph(new WasmRunner(instance, place, { enable_xnnpack_delegate: true }), graph);
  }

  private constructor(runner: WasmRunner, graph: RecordedGraph) {
    this.#runner = runner;
    const { inputs, outputs } = runner.description;
    const portsOf = (names: RecordedGraph['inputs'], tensors: readonly { index: number }[]) =>
      names.map(({ name }, place) => ({ name, tensor: tensors[place]?.index ?? -1 }));
    this.#inputs = portsOf(graph.inputs, inputs);
    this.#outputs = portsOf(graph.outputs, outputs);
  }

  /** Computes the outputs, whose bytes are written to. */
  run(inputs: Named, outputs: Named): void {
    for (const { name, tensor } of this.#inputs) {
      const { bytes } = inputs[name] as { bytes: Uint8Array };
      this.#runner.tensorBytes(tensor).set(bytes);
    }
    this.#runner.invoke();
    for (const { name, tensor } of this.#outputs) outputs[name]?.bytes.set(this.#runner.tensorBytes(tensor));
  }
}
