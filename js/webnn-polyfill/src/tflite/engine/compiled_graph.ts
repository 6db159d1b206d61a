/** A graph as a TensorFlow Lite model in a wasm instance of its own: it frees all of its memory with that. */

import { HeapFile } from '../../../../runtime/src/model_file.js';
import type { WasmModule } from '../../../../runtime/src/wasm_module.js';
import { WasmRunner } from '../../../../runtime/src/wasm_runner.js';
import type { RecordedGraph } from '../../graph.js';
import { lowerGraph } from '../serialize_graph.js';
import { copyFile, writeModel } from '../write_model.js';
import { type LocalTensor, ResultPlace } from './local_tensor.js';

/** Tensors by the names of inputs or outputs. */
export type LocalTensors = Readonly<Record<string, LocalTensor>>;

interface Input {
  readonly name: string;
  /** TensorFlow Lite's index. */
  readonly tensor: number;
}

interface Output {
  readonly name: string;
  readonly place: ResultPlace;
}

/** A graph that is ready to run. */
export class CompiledGraph {
  readonly #runner: WasmRunner;
  readonly #inputs: readonly Input[];
  readonly #outputs: readonly Output[];

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
    this.#inputs = graph.inputs.map(({ name }, index) => ({ name, tensor: inputs[index]?.index ?? -1 }));
    this.#outputs = graph.outputs.map(({ name }, index) => {
      const tensor = outputs[index]?.index ?? -1;
      return { name, place: new ResultPlace(() => runner.tensorBytes(tensor)) };
    });
  }

  /** Computes the outputs, which stay here until they are needed elsewhere. */
  run(inputs: LocalTensors, outputs: LocalTensors): void {
    // Before the inputs are written: TensorFlow Lite may keep a result where an input is.
    for (const { name, place } of this.#outputs) place.vacate(outputs[name] ?? null);
    for (const { name, tensor } of this.#inputs) {
      const { bytes } = inputs[name] as LocalTensor;
      this.#runner.tensorBytes(tensor).set(bytes);
    }
    this.#runner.invoke();
    for (const { name, place } of this.#outputs) outputs[name]?.moveTo(place);
  }

  /** Copies out what tensors still need. */
  vacate(): void {
    for (const { place } of this.#outputs) place.vacate(null);
  }
}
