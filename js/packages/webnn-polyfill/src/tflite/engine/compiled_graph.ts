/** A graph as a TensorFlow Lite model: in a wasm instance with other small graphs or, if it is large, in its own. */

import { HeapFile, MAX_SHARED_BYTES, type WasmInstance, WasmRunner } from 'tflite-webnn/wasm';
import { byteLength } from '../../data_types.js';
import type { RecordedGraph } from '../../engine.js';
import { lowerGraph } from '../serialize_graph.js';
import { copyFile, type ModelFile, writeModel } from '../write_model.js';
import type { GraphPool, SharedGraph } from './graph_pool.js';
import { GraphStorage, type LocalTensor } from './local_tensor.js';
import type { GraphFile } from './timeline_protocol.js';

/** A loaded model. */
interface LoadedModel {
  readonly instance: WasmInstance;
  readonly runner: WasmRunner;
  readonly inputs: readonly GraphStorage[];
  readonly outputs: readonly GraphStorage[];
}

/** Where a small graph is loaded, and what from, again after a crash. */
interface Shared {
  readonly pool: GraphPool;
  readonly file: Uint8Array;
}

/** A graph that is ready to run. */
export class CompiledGraph implements SharedGraph {
  readonly #sizeBytes: number;
  readonly #shared: Shared | null;
  #model: LoadedModel | null;

  /**
   * Compiles a graph. Its constants are copied once, into the model's memory, and those that the engine owns
   * are then freed.
   *
   * @throws a subclass of TFLiteWebnnError with the reason why it cannot run.
   */
  static async compile(graph: RecordedGraph, pool: GraphPool): Promise<CompiledGraph> {
    const sizeBytes = graph.operands.reduce((sum, descriptor) => sum + byteLength(descriptor), 0);
    if (sizeBytes <= MAX_SHARED_BYTES) return CompiledGraph.open({ bytes: moveToArray(graph), sizeBytes }, pool);
    const instance = await pool.wasm.instantiate();
    return new CompiledGraph(sizeBytes, null, loadModel(instance, moveToHeap(graph, instance)));
  }

  /** Loads the file of a graph that was compiled in another thread. */
  static async open({ bytes, sizeBytes }: GraphFile, pool: GraphPool): Promise<CompiledGraph> {
    if (sizeBytes > MAX_SHARED_BYTES) {
      return new CompiledGraph(sizeBytes, null, loadModel(await pool.wasm.instantiate(), bytes));
    }
    const compiled = new CompiledGraph(sizeBytes, { pool, file: bytes }, null);
    await pool.add(compiled);
    return compiled;
  }

  private constructor(sizeBytes: number, shared: Shared | null, model: LoadedModel | null) {
    this.#sizeBytes = sizeBytes;
    this.#shared = shared;
    this.#model = model;
  }

  /** The file, for another thread. */
  get file(): GraphFile {
    const bytes = this.#shared?.file ?? (this.#model as LoadedModel).runner.file.bytes.slice();
    return { bytes, sizeBytes: this.#sizeBytes };
  }

  /** False between a crash of its instance and the load into the next one. */
  get isLoaded(): boolean {
    return this.#model !== null;
  }

  get isOrphaned(): boolean {
    return this.#model?.runner.isOrphaned ?? false;
  }

  load(instance: WasmInstance): void {
    if (this.#shared !== null) this.#model = loadModel(instance, this.#shared.file);
  }

  unload(): void {
    this.#vacate()?.instance.close();
  }

  /**
   * Computes the outputs from tensors in the order of the graph's inputs. TensorFlow Lite neither changes inputs nor
   * lets outputs share their memory.
   */
  run(inputs: readonly LocalTensor[], outputs: readonly LocalTensor[]): void {
    if (this.#model === null) throw new Error(NOT_LOADED);
    const model = this.#model;
    model.outputs.forEach((storage, index) => {
      outputs[index]?.expect(storage);
    });
    model.inputs.forEach((storage, index) => {
      inputs[index]?.enter(storage);
    });
    model.outputs.forEach((storage, index) => {
      storage.vacate(outputs[index]);
    });
    model.runner.invoke();
    model.outputs.forEach((storage, index) => {
      outputs[index]?.adopt(storage);
    });
  }

  /** Moves all tensors' contents out, and frees its memory in a shared instance. */
  destroy(): void {
    const model = this.#vacate();
    const pool = this.#shared?.pool;
    if (pool === undefined) return;
    try {
      model?.runner.delete();
    } catch (error) {
      pool.recover(error);
    }
    pool.remove(this, model?.instance ?? null);
  }

  /** After a failed run: if its instance has crashed, the other graphs there get a fresh one. */
  fail(error: unknown): void {
    this.destroy();
    this.#shared?.pool.recover(error);
  }

  /** Moves all tensors' contents out. */
  #vacate(): LoadedModel | null {
    const model = this.#model;
    if (model !== null) for (const storage of [...model.inputs, ...model.outputs]) storage.vacate();
    this.#model = null;
    return model;
  }
}

const NOT_LOADED =
  'WebAssembly has crashed in another graph, and this one is not loaded again yet. Create a context, and build it there.';

function loadModel(instance: WasmInstance, file: Uint8Array | HeapFile): LoadedModel {
  const runner = new WasmRunner(instance, file, { enable_xnnpack_delegate: true });
  const { inputs, outputs } = runner.description;
  return {
    instance,
    runner,
    inputs: inputs.map(({ index }) => tensorStorage(runner, index, false)),
    outputs: outputs.map(({ index }) => tensorStorage(runner, index, true)),
  };
}

/** The memory of a tensor, which never moves; it can also be read after a crash. */
function tensorStorage(runner: WasmRunner, tensor: number, isOutput: boolean): GraphStorage {
  const { byteOffset, byteLength } = runner.tensorBytes(tensor);
  return new GraphStorage(() => runner.heapBytes(byteOffset, byteLength), isOutput);
}

/** Writes the model into the heap of an instance. */
function moveToHeap(graph: RecordedGraph, instance: WasmInstance): HeapFile {
  const model = writeModel(lowerGraph(graph));
  const file = HeapFile.allocate(instance, model.sizeBytes);
  moveFile(graph, model, file.bytes);
  return file;
}

/** The model in an array. */
function moveToArray(graph: RecordedGraph): Uint8Array {
  const model = writeModel(lowerGraph(graph));
  const file = new Uint8Array(model.sizeBytes);
  moveFile(graph, model, file);
  return file;
}

/** Copies a graph's model into `target`, and frees the constants that the engine owns. */
function moveFile(graph: RecordedGraph, model: ModelFile, target: Uint8Array): void {
  const ofParts = new Set(model.parts.map(({ buffer }) => buffer));
  const provided = graph.constants.map(({ bytes }) => bytes.buffer);
  const shared = new Set(graph.constants.flatMap(({ bytes, isShared }) => (isShared ? [bytes.buffer] : [])));
  // Frees rearranged constants before there is a third copy, and the others before XNNPACK packs them.
  freeBuffers(provided.filter((buffer) => !ofParts.has(buffer) && !shared.has(buffer)));
  copyFile(model, target);
  freeBuffers([...ofParts].filter((buffer) => !shared.has(buffer)));
}

/**
 * Frees buffers now, which empties views of them: garbage collectors free them late, in an idle worker never. Shared ones
 * are left alone.
 *
 * It sends them to nobody. ArrayBuffer.transfer(0) does not suffice: Chromium keeps the memory of a buffer
 * that came in a message until its collector finds the object.
 */
function freeBuffers(buffers: Iterable<ArrayBufferLike>): void {
  const own = [...new Set(buffers)].filter((buffer) => buffer instanceof ArrayBuffer && buffer.byteLength > 0);
  if (own.length === 0) return;
  const { port1, port2 } = new MessageChannel();
  port1.postMessage(null, own as ArrayBuffer[]);
  port1.close();
  port2.close();
}
