/** The engine in the calling thread: calls are synchronous, so the timeline is their order. */

import { loadWasmModule, type WasmModule } from 'tflite-webnn/wasm';
import { byteLength } from '../../data_types.js';
import type { EngineContext, EngineGraph } from '../../engine.js';
import type { OperandDescriptor, RecordedGraph } from '../../graph.js';
import { opSupportLimits } from '../limits.js';
import { CompiledGraph } from './compiled_graph.js';
import { LocalTensor } from './local_tensor.js';

/**
 * Location of the wasm module; can be posted to a worker.
 *
 * @group polyfill.mjs
 */
export interface TFLiteEngineOptions {
  /** Folder of the wasm module's variants. Default: the script's folder. */
  readonly wasmPath?: string | undefined;
  /** The variant: `auto`, the default, is the fastest that runs here. */
  readonly variant?: 'simd' | 'relaxed-simd' | 'auto' | undefined;
}

/** A graph until it is destroyed; its memory is freed with the last reference. */
export class LocalGraph implements EngineGraph {
  #compiled: CompiledGraph | null;
  readonly #fail: (error: unknown) => void;

  constructor(compiled: CompiledGraph, fail: (error: unknown) => void) {
    this.#compiled = compiled;
    this.#fail = fail;
  }

  dispatch(inputs: readonly LocalTensor[], outputs: readonly LocalTensor[]): void {
    try {
      this.#compiled?.run(inputs, outputs);
    } catch (error) {
      this.#compiled = null; // nothing can be copied out of it any more
      this.#fail(error);
    }
  }

  destroy(): void {
    this.#compiled?.vacate();
    this.#compiled = null;
  }
}

/** A context that computes in this thread. */
export class LocalContext implements EngineContext {
  readonly accelerated = false;
  readonly limits = opSupportLimits();
  readonly lost: Promise<string>;
  readonly #wasm: WasmModule;
  #lose: (reason: string) => void = () => {};

  constructor(wasm: WasmModule) {
    this.#wasm = wasm;
    this.lost = new Promise((resolve) => {
      this.#lose = resolve;
    });
  }

  async build(graph: RecordedGraph): Promise<LocalGraph> {
    const compiled = await CompiledGraph.compile(graph, this.#wasm);
    // The only way to report a failed dispatch() is the loss of the context.
    return new LocalGraph(compiled, (error) => this.#lose(`A graph failed: ${String(error)}`));
  }

  createTensor(descriptor: OperandDescriptor): LocalTensor {
    return new LocalTensor(byteLength(descriptor));
  }

  /** References free everything. */
  destroy(): void {}
}

/** A context in this thread. */
export async function openLocalContext(options: TFLiteEngineOptions): Promise<LocalContext> {
  return new LocalContext(await loadWasmModule(options));
}
