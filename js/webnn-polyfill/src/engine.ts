/** What computes graphs: the API layer validates, records and keeps the states; an engine gets only what is right. */

import type { MLContextOptions, MLOpSupportLimits } from './generated/webnn_types.js';
import type { OperandDescriptor, RecordedGraph } from './graph.js';

/** A way of computing graphs. */
export interface Engine {
  /** `tflite`, `webgpu` or `webgl`. */
  readonly name: string;
  /** Opens a context; rejects where the engine cannot run here, or cannot run what the options ask for. */
  open(options: Required<MLContextOptions>): Promise<EngineContext>;
  /** Opens a context on the page's own device; engines without it cannot. */
  openOnDevice?(device: GPUDevice): Promise<EngineContext>;
}

/**
 * The engine's side of one MLContext. It has a timeline: building, writing, dispatching and reading happen in the order
 * of the calls, whether or not they are waited for.
 */
export interface EngineContext {
  /** Whether it computes on something faster than the CPU. */
  readonly accelerated: boolean;
  /** Only what is narrower than in the specification; an operand without data types is not supported at all. */
  readonly limits: MLOpSupportLimits;
  /** Resolves, with the reason, when the context stops to work by itself; stays pending after `destroy`. */
  readonly lost: Promise<string>;
  build(graph: RecordedGraph): Promise<EngineGraph>;
  createTensor(descriptor: OperandDescriptor): EngineTensor;
  /** Creates a tensor that WebGPU can have meanwhile; throws where it cannot. Engines without a GPUDevice have no such. */
  createExportableTensor?(descriptor: OperandDescriptor, device: GPUDevice): ExportableEngineTensor;
  /** Ends it, with its graphs and tensors. */
  destroy(): void;
}

/** The engine's side of one MLTensor. Its content is zero until it is written. */
export interface EngineTensor {
  /** Queues a write of the whole content; `bytes` may change when this returns. */
  write(bytes: Uint8Array): void;
  /**
   * Content after all that has been queued before: in `target`, which is then what this gives, or, where an engine or
   * the moment does not allow that, in an array that is the caller's to keep.
   */
  read(target?: Uint8Array): Promise<Uint8Array>;
  /** What is queued still happens. */
  destroy(): void;
}

/** A tensor that WebGPU can have meanwhile. It is not used as long as it is exported. */
export interface ExportableEngineTensor extends EngineTensor {
  readonly isExported: boolean;
  /**
   * Content after all that has been queued before, in a buffer. When that is destroyed, the tensor has what is in it
   * then. Gives the same buffer until then.
   */
  exportToGPU(): GPUBuffer;
}

/** The engine's side of one MLGraph. */
export interface EngineGraph {
  /**
   * Queues one computation, on tensors in the order of the graph's inputs and outputs. Types and shapes have been
   * checked; no tensor is there twice.
   */
  dispatch(inputs: readonly EngineTensor[], outputs: readonly EngineTensor[]): void;
  /** What is queued still happens. */
  destroy(): void;
}
