/**
 * Engines compute graphs. The API layer validates, records and keeps the states, so an engine gets only valid calls.
 */

import type { InstanceOf } from 'tflite-webnn/wasm';
import type { MLContextOptions, MLOpSupportLimits } from './generated/webnn_types.js';
import type { OperandDescriptor, RecordedGraph } from './graph.js';

/**
 * A way to compute graphs.
 *
 * @group polyfill.mjs
 */
export interface Engine {
  /** `tflite`, `webgpu` or `webgl`. */
  readonly name: string;
  /**
   * Opens a context; rejects if the engine cannot run here, or not with these options.
   *
   * @param options - The page's options, with the defaults of the specification.
   */
  open(options: Required<MLContextOptions>): Promise<EngineContext>;
  /**
   * Opens a context on the page's own device; optional.
   *
   * @param device - The page's device.
   */
  openOnDevice?(device: InstanceOf<'GPUDevice'>): Promise<EngineContext>;
}

/**
 * The engine's part of one MLContext. It has a timeline: builds, writes, dispatches and reads happen in the order
 * of the calls, even if they are not awaited.
 *
 * @group polyfill.mjs
 */
export interface EngineContext {
  /** Whether it computes on hardware faster than the CPU. */
  readonly accelerated: boolean;
  /** Only limits narrower than the specification's; an operand without data types is unsupported. */
  readonly limits: MLOpSupportLimits;
  /** Resolves, with the reason, when the context is lost; remains pending after `destroy`. */
  readonly lost: Promise<string>;
  /**
   * Compiles a graph.
   *
   * @param graph - The validated recording.
   */
  build(graph: RecordedGraph): Promise<EngineGraph>;
  /**
   * Creates a tensor.
   *
   * @param descriptor - Its data type and shape.
   */
  createTensor(descriptor: OperandDescriptor): EngineTensor;
  /**
   * Creates a tensor that can be exported to WebGPU; throws if it cannot. Engines without a GPUDevice lack it.
   *
   * @param descriptor - Its data type and shape.
   * @param device - The device of its buffers.
   */
  createExportableTensor?(descriptor: OperandDescriptor, device: InstanceOf<'GPUDevice'>): ExportableEngineTensor;
  /** Destroys it, with its graphs and tensors. */
  destroy(): void;
}

/**
 * The engine's part of one MLTensor. Its content is initially zero.
 *
 * @group polyfill.mjs
 */
export interface EngineTensor {
  /**
   * Queues a write of the entire content.
   *
   * @param bytes - The content; the caller may change it after this returns.
   */
  write(bytes: Uint8Array): void;
  /**
   * Reads the content after all queued work.
   *
   * @param target - Destination for the content.
   * @returns the target or, if the engine cannot use it, an array that the caller may keep; no
   * promise if there is nothing to wait for.
   */
  read(target?: Uint8Array): Uint8Array | Promise<Uint8Array>;
  /** Queued work still happens. */
  destroy(): void;
}

/**
 * A tensor that can be exported to WebGPU. It is unused while it is exported.
 *
 * @group polyfill.mjs
 */
export interface ExportableEngineTensor extends EngineTensor {
  /** Whether WebGPU has it now. */
  readonly isExported: boolean;
  /**
   * The content after all queued work, in a buffer. When the buffer is destroyed, the tensor gets its content
   * back. Returns the same buffer until then.
   */
  exportToGPU(): InstanceOf<'GPUBuffer'>;
}

/**
 * The engine's part of one MLGraph.
 *
 * @group polyfill.mjs
 */
export interface EngineGraph {
  /**
   * Queues one computation, on tensors in the order of the graph's inputs and outputs. Types and shapes have been
   * checked; no tensor is there twice.
   *
   * @param inputs - Tensors that it reads.
   * @param outputs - Tensors that it writes.
   */
  dispatch(inputs: readonly EngineTensor[], outputs: readonly EngineTensor[]): void;
  /** Queued work still happens. */
  destroy(): void;
}
