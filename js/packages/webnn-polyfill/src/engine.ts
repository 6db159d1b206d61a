/**
 * Engines compute graphs. The API layer validates, records and keeps the states, so an engine gets only valid calls.
 *
 * A graph is the recording of an MLGraphBuilder: plain data that can be posted to a worker. Every option has the default
 * of the specification (https://www.w3.org/TR/webnn/), so engines need no defaults.
 */

import type { InstanceOf } from 'tflite-webnn/wasm';
import type { MLContextOptions, MLOperandDataType, MLOpSupportLimits } from './generated/webnn_types.js';

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

/**
 * Data type and shape of a value; `shape` is `[]` for a scalar.
 *
 * @group polyfill.mjs
 */
export interface OperandDescriptor {
  /** Type of the elements. */
  readonly dataType: MLOperandDataType;
  /** Sizes of the dimensions. */
  readonly shape: readonly number[];
}

/**
 * One call of an operator's method.
 *
 * @group polyfill.mjs
 */
export interface RecordedOperator {
  /** Name of the method in the IDL, e.g. `conv2d`. */
  readonly op: string;
  /** The page's label; empty without one. */
  readonly label: string;
  /**
   * Ids of the operands by the IDL's name of the parameter or option: `input`, `filter`, `bias`, `a`, `b`; `inputs` of
   * concat is an array. Absent options are omitted.
   */
  readonly operands: Readonly<Record<string, number | readonly number[] | undefined>>;
  /**
   * All other arguments and options by their names in the IDL. Defaults that depend on the operands are
   * resolved: e.g. `axes`, `strides`, `padding`, `windowDimensions`, `permutation`, `activations`.
   */
  readonly attributes: Readonly<Record<string, unknown>>;
  /** Ids of its results, in the method's order. */
  readonly outputs: readonly number[];
}

/** Ids of all operands of an operator, those of lists included. */
export function operandsOf({ operands }: RecordedOperator): number[] {
  return Object.values(operands).flatMap((ids) => ids ?? []);
}

/**
 * A constant operand with its content.
 *
 * @group polyfill.mjs
 */
export interface RecordedConstant {
  /** Id of the operand. */
  readonly operand: number;
  /** Values in row-major order, little endian, of exactly the operand's size. */
  readonly bytes: Uint8Array;
  /** The bytes belong to a tensor that other graphs use, too. Otherwise they are the engine's, to keep or to free. */
  readonly isShared?: true;
}

/**
 * A named input or output of a graph.
 *
 * @group polyfill.mjs
 */
export interface NamedOperand {
  /** The name that the page passed. */
  readonly name: string;
  /** Id of the operand. */
  readonly operand: number;
}

/**
 * A graph, with only the operators that its outputs need.
 *
 * @group polyfill.mjs
 */
export interface RecordedGraph {
  /** All operands; an id is an index into it. */
  readonly operands: readonly OperandDescriptor[];
  /** Inputs of a dispatch. */
  readonly inputs: readonly NamedOperand[];
  /** Constants. */
  readonly constants: readonly RecordedConstant[];
  /** In topological order. */
  readonly operators: readonly RecordedOperator[];
  /** Outputs of a dispatch. */
  readonly outputs: readonly NamedOperand[];
}
