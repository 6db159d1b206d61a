/** A graph as a TensorFlow Lite model in its own wasm instance, which frees all its memory with it. */

import { HeapFile, type WasmInstance, type WasmModule, WasmRunner } from 'tflite-webnn/wasm';
import type { RecordedGraph } from '../../graph.js';
import { lowerGraph } from '../serialize_graph.js';
import { copyFile, writeModel } from '../write_model.js';
import { freeBuffers } from './free_buffers.js';
import { type LocalTensor, Place } from './local_tensor.js';

/** A graph that is ready to run. */
export class CompiledGraph {
  readonly #runner: WasmRunner;
  readonly #inputs: readonly Place[];
  readonly #outputs: readonly Place[];

  /**
   * Compiles a graph. Its constants are copied once, into the model's memory, and those that the engine owns
   * are then freed.
   *
   * @throws a subclass of TFLiteWebnnError with the reason why it cannot run.
   */
  static async compile(graph: RecordedGraph, wasm: WasmModule): Promise<CompiledGraph> {
    const instance = await wasm.instantiate();
    const place = moveToHeap(graph, instance);
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
   * Computes the outputs from tensors in the order of the graph's inputs. TensorFlow Lite neither changes inputs nor
   * lets outputs share their memory.
   */
  run(inputs: readonly LocalTensor[], outputs: readonly LocalTensor[]): void {
    this.#outputs.forEach((place, index) => {
      outputs[index]?.expect(place);
    });
    this.#inputs.forEach((place, index) => {
      inputs[index]?.enter(place);
    });
    this.#outputs.forEach((place, index) => {
      place.vacate(outputs[index]);
    });
    this.#runner.invoke();
    this.#outputs.forEach((place, index) => {
      outputs[index]?.take(place);
    });
  }

  /** Moves all tensors' contents out. */
  vacate(): void {
    for (const place of [...this.#inputs, ...this.#outputs]) place.vacate();
  }
}

/** Writes the model into the heap of an instance. */
function moveToHeap(graph: RecordedGraph, instance: WasmInstance): HeapFile {
  const { parts, sizeBytes } = writeModel(lowerGraph(graph));
  const place = HeapFile.allocate(instance, sizeBytes);
  const ofParts = new Set(parts.map(({ buffer }) => buffer));
  const given = graph.constants.map(({ bytes }) => bytes.buffer);
  const shared = new Set(graph.constants.flatMap(({ bytes, isShared }) => (isShared ? [bytes.buffer] : [])));
  // Frees rearranged constants before there is a third copy, and the others before XNNPACK packs them.
  freeBuffers(given.filter((buffer) => !ofParts.has(buffer) && !shared.has(buffer)));
  copyFile({ parts, sizeBytes }, place.bytes);
  freeBuffers([...ofParts].filter((buffer) => !shared.has(buffer)));
  return place;
}
