/** A graph as a TensorFlow Lite model in a wasm instance of its own: it frees all of its memory with that. */

import { HeapFile } from '../../../../runtime/src/model_file.js';
import type { WasmModule } from '../../../../runtime/src/wasm_module.js';
import { WasmRunner } from '../../../../runtime/src/wasm_runner.js';
import type { RecordedGraph } from '../../graph.js';
import { lowerGraph } from '../serialize_graph.js';
import { copyFile, writeModel } from '../write_model.js';
import { type LocalTensor, Place } from './local_tensor.js';

/** Tensors by the names of inputs or outputs. */
export type LocalTensors = Readonly<Record<string, LocalTensor>>;

interface Port {
  readonly name: string;
  readonly place: Place;
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
      names.map(({ name }, index) => {
        const tensor = tensors[index]?.index ?? -1;
        return { name, place: new Place(() => runner.tensorBytes(tensor)) };
      });
    this.#inputs = portsOf(graph.inputs, inputs);
    this.#outputs = portsOf(graph.outputs, outputs);
  }

  /** Computes the outputs. TensorFlow Lite neither changes inputs nor lets outputs share their memory. */
  run(inputs: LocalTensors, outputs: LocalTensors): void {
    for (const { name, place } of this.#outputs) outputs[name]?.expect(place);
    for (const { name, place } of this.#inputs) inputs[name]?.enter(place);
    for (const { name, place } of this.#outputs) place.vacate(outputs[name]);
    this.#runner.invoke();
    for (const { name, place } of this.#outputs) outputs[name]?.take(place);
  }

  /** Lets all tensors go with their contents. */
  vacate(): void {
    for (const { place } of [...this.#inputs, ...this.#outputs]) place.vacate();
  }
}
