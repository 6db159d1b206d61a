/** What computes graphs: the API layer validates, records and keeps the states; an engine gets only what is right. */

import type { MLContextOptions, MLOpSupportLimits } from './generated/webnn_types.js';
import type { OperandDescriptor, RecordedGraph } from './graph.js';

/**
 * A way of computing graphs.
 *
 * @group polyfill.mjs
 */
export interface Engine {
  /** `tflite`, `webgpu` or `webgl`. */
  readonly name: string;
  /**
   * Opens a context; rejects where the engine cannot run here, or cannot run what the options ask for.
   *
   * @param options - What the page asks for, with the defaults of the specification.
   */
  open(options: Required<MLContextOptions>): Promise<EngineContext>;
  /**
   * Opens a context on the page's own device; engines without it cannot.
   *
   * @param device - The page's device.
   */
  openOnDevice?(device: GPUDevice): Promise<EngineContext>;
}

/**
 * The engine's side of one MLContext. It has a timeline: building, writing, dispatching and reading happen in the order
 * of the calls, whether or not they are waited for.
 *
 * @group polyfill.mjs
 */
export interface EngineContext {
  /** Whether it computes on something faster than the CPU. */
  readonly accelerated: boolean;
  /** Only what is narrower than in the specification; an operand without data types is not supported at all. */
  readonly limits: MLOpSupportLimits;
  /** Resolves, with the reason, when the context stops to work by itself; stays pending after `destroy`. */
  readonly lost: Promise<string>;
  /**
   * Compiles a graph.
   *
   * @param graph - What has been recorded and validated.
   */
  build(graph: RecordedGraph): Promise<EngineGraph>;
  /**
   * Creates a tensor.
   *
   * @param descriptor - Its data type and shape.
   */
  createTensor(descriptor: OperandDescriptor): EngineTensor;
  /**
   * Creates a tensor that WebGPU can have meanwhile; throws where it cannot. Engines without a GPUDevice have no such.
   *
   * @param descriptor - Its data type and shape.
   * @param device - Whose buffer it can be.
   */
  createExportableTensor?(descriptor: OperandDescriptor, device: GPUDevice): ExportableEngineTensor;
  /** Ends it, with its graphs and tensors. */
  destroy(): void;
}

/**
 * The engine's side of one MLTensor. Its content is zero until it is written.
 *
 * @group polyfill.mjs
 */
export interface EngineTensor {
  /**
   * Queues a write of the whole content.
   *
   * @param bytes - The content; it may change when this returns.
   */
  write(bytes: Uint8Array): void;
  /**
   * Reads the content after all that has been queued before.
   *
   * @param target - Where the caller wants it.
   * @returns the target, or, where an engine or the moment does not allow that, an array that is the caller's to keep; no
   * promise where nothing has to be waited for.
   */
  read(target?: Uint8Array): Uint8Array | Promise<Uint8Array>;
  /** What is queued still happens. */
  destroy(): void;
}

/**
 * A tensor that WebGPU can have meanwhile. It is not used as long as it is exported.
 *
 * @group polyfill.mjs
 */
export interface ExportableEngineTensor extends EngineTensor {
  /** Whether WebGPU has it now. */
  readonly isExported: boolean;
  /**
   * Content after all that has been queued before, in a buffer. When that is destroyed, the tensor has what is in it
   * then. Gives the same buffer until then.
   */
  exportToGPU(): GPUBuffer;
}

/**
 * The engine's side of one MLGraph.
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
  /** What is queued still happens. */
  destroy(): void;
}
