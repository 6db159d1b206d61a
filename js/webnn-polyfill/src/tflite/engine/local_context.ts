/** The engine in the thread that uses it: what is called is done at once, so the timeline is the order of the calls. */

import { loadWasmModule, type WasmModule } from '../../../../runtime/src/wasm_access.js';
import { byteLength } from '../../data_types.js';
import type { EngineContext, EngineGraph } from '../../engine.js';
import type { OperandDescriptor, RecordedGraph } from '../../graph.js';
import { opSupportLimits } from '../limits.js';
import { CompiledGraph } from './compiled_graph.js';
import { LocalTensor } from './local_tensor.js';

/**
 * Where wasm is loaded from; it can be posted to a worker.
 *
 * @group polyfill.mjs
 */
export interface TFLiteEngineOptions {
  /** Folder of the wasm module's variants. Default: that of the script. */
  readonly wasmPath?: string | undefined;
  /** Which of its builds: `auto`, the default, is the fastest that runs here. */
  readonly variant?: 'simd' | 'relaxed-simd' | 'auto' | undefined;
}

/** A graph until it is destroyed; its memory goes when nothing refers to it. */
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

/** A context whose work is done in this thread. */
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
    // dispatch() has no way to tell that it failed, but the loss of the context.
    return new LocalGraph(compiled, (error) => this.#lose(`A graph failed: ${String(error)}`));
  }

  createTensor(descriptor: OperandDescriptor): LocalTensor {
    return new LocalTensor(byteLength(descriptor));
  }

  /** Everything goes with what refers to it. */
  destroy(): void {}
}

/** A context in this thread. */
export async function openLocalContext(options: TFLiteEngineOptions): Promise<LocalContext> {
  return new LocalContext(await loadWasmModule(options));
}
