/** A graph as a TensorFlow Lite model in a wasm instance of its own: it frees all of its memory with that. */

import { HeapFile } from '../../../../runtime/src/model_file.js';
import type { WasmModule } from '../../../../runtime/src/wasm_module.js';
import { WasmRunner } from '../../../../runtime/src/wasm_runner.js';
import type { RecordedGraph } from '../../graph.js';
import { lowerGraph } from '../serialize_graph.js';
import { copyFile, writeModel } from '../write_model.js';
import { type LocalTensor, Place } from './local_tensor.js';

/** A graph that is ready to run. */
export class CompiledGraph {
  readonly #runner: WasmRunner;
  readonly #inputs: readonly Place[];
  readonly #outputs: readonly Place[];

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
    return new CompiledGraph(new WasmRunner(instance, place, { enable_xnnpack_delegate: true }));
  }

  private constructor(runner: WasmRunner) {
    this.#runner = runner;
    const { inputs, outputs } = runner.description;
    const placeOf = ({ index }: { index: number }) => new Place(() => runner.tensorBytes(index));
    this.#inputs = inputs.map(placeOf);
    this.#outputs = outputs.map(placeOf);
  }

  /**
   * Computes the outputs, from tensors in the order of the graph's inputs. TensorFlow Lite neither changes inputs nor
   * lets outputs share their memory.
   */
  run(inputs: readonly LocalTensor[], outputs: readonly LocalTensor[]): void {
    for (const [index, place] of this.#outputs.entries()) outputs[index]?.expect(place);
    for (const [index, place] of this.#inputs.entries()) inputs[index]?.enter(place);
    for (const [index, place] of this.#outputs.entries()) place.vacate(outputs[index]);
    this.#runner.invoke();
    for (const [index, place] of this.#outputs.entries()) outputs[index]?.take(place);
  }

  /** Lets all tensors go with their contents. */
  vacate(): void {
    for (const place of [...this.#inputs, ...this.#outputs]) place.vacate();
  }
}
