/** Types of the JSON texts that the runner writes: the model's description and the WebNN graphs. */

import type { DType } from './dtypes.js';
import type { MLOperandDataType } from './webnn_types.js';

/** Affine quantization: real value = scale * (quantized value - zero point). */
export interface QuantizationInfo {
  readonly scales: readonly number[];
  readonly zeroPoints: readonly number[];
  /** The dimension along which scales and zero points vary, where there is more than one. */
  readonly quantizedDimension: number;
}

/** An input or output tensor of a model. */
export interface TensorInfo {
  /** TFLite's tensor index. */
  readonly index: number;
  readonly name: string;
  readonly dtype: DType;
  readonly shape: readonly number[];
  /** The shape as the model declares it: -1 where a dimension may vary. */
  readonly shapeSignature: readonly number[];
  readonly sizeBytes: number;
  readonly quantization: QuantizationInfo | null;
}

/** A name that a signature gives to a tensor. */
export interface SignatureTensor {
  readonly name: string;
  /** TFLite's tensor index. */
  readonly tensor: number;
}

/** A named entry point of a model. */
export interface SignatureInfo {
  readonly key: string;
  /** The subgraph that it runs: 0 is the main one, whose inputs and outputs are the model's. */
  readonly subgraph: number;
  readonly inputs: readonly SignatureTensor[];
  readonly outputs: readonly SignatureTensor[];
}

/** A subgraph, not the main one, that a signature runs. */
export interface SubgraphInfo {
  readonly index: number;
  readonly inputs: readonly TensorInfo[];
  readonly outputs: readonly TensorInfo[];
}

/** Where nodes run. */
export type Placement = 'webnn' | 'cpu';

/**
 * What becomes of a quantized node: `fused` is dequantizeLinear -> op -> quantizeLinear in the form that engines turn
 * into one integer kernel; `float` is computed in float; `cpu` is what WebNN does not get.
 */
export type QuantizedForm = 'fused' | 'float' | 'cpu';

/** One node of the model and where it runs. */
export interface NodeInfo {
  readonly index: number;
  /** TFLite's builtin name, or the custom op's name. */
  readonly op: string;
  readonly version: number;
  /** Name of the node's first output tensor. */
  readonly name: string;
  readonly placement: Placement;
  /** Index into the partitions, or null. */
  readonly partition: number | null;
  /** Why the node stays on the CPU; null where it does not, or where WebNN was not asked. */
  readonly reason: string | null;
  /** Null where the node is not quantized. */
  readonly quantized: QuantizedForm | null;
  /** The condition of the fused form that does not hold, where `quantized` is `float`; else null. */
  readonly notFused: string | null;
  /** The WebNN operators that the node became, in order. What was folded while loading leaves none. */
  readonly webnnOps: readonly string[];
}

/** An ordered subset of the nodes that runs in one place. */
export interface PartitionInfo {
  readonly placement: Placement;
  /** Index into the graphs; null on the CPU. */
  readonly graph: number | null;
  readonly nodes: readonly number[];
  readonly ops: readonly string[];
  /** Tensors that the partition reads from others, from the caller, or from the state between two runs. */
  readonly inputs: readonly TensorInfo[];
  /** Tensors that others, the caller or the next run read of it. */
  readonly outputs: readonly TensorInfo[];
}

/** A step of the execution plan that WebNN runs. */
export interface WebnnStep {
  readonly kind: 'webnn';
  /** Index into the graphs. */
  readonly graph: number;
  readonly inputs: readonly number[];
  readonly outputs: readonly number[];
}

/** A run of plan entries that TFLite runs in wasm. */
export interface CpuStep {
  readonly kind: 'cpu';
  readonly first: number;
  readonly count: number;
  readonly inputs: readonly number[];
  readonly outputs: readonly number[];
}

/** A step of the execution plan; inputs and outputs are the non-constant tensors that cross its border. */
export type PlanStep = WebnnStep | CpuStep;

/** An input or output of a WebNN graph. */
export interface GraphPort {
  readonly id: number;
  readonly name: string;
  /** TFLite's tensor index. */
  readonly tensor: number;
  readonly dataType: MLOperandDataType;
  readonly shape: readonly number[];
  /** The tensor's own type, where WebNN has not got it and a wider operand carries its values. */
  readonly tensorType?: 'int16';
}

/** A constant of a WebNN graph, by its place in the wasm heap. */
export interface GraphConstant {
  readonly id: number;
  readonly dataType: MLOperandDataType;
  readonly shape: readonly number[];
  readonly address: number;
  readonly byteLength: number;
}

/** One call of an MLGraphBuilder method. */
export interface GraphOperator {
  readonly op: string;
  /** "<node index>:<TFLite op>". */
  readonly label: string;
  /** JSON values in which `{"operand": id}` stands for an operand; the last one is the options object. */
  readonly args: readonly unknown[];
  /** Operand ids of the results. */
  readonly outputs: readonly number[];
}

/** A WebNN graph as plain data. */
export interface WebnnGraph {
  readonly inputs: readonly GraphPort[];
  readonly constants: readonly GraphConstant[];
  readonly operators: readonly GraphOperator[];
  readonly outputs: readonly GraphPort[];
}

/** What the runner tells about a model that it has initialized. */
export interface ModelDescription {
  readonly inputs: readonly TensorInfo[];
  readonly outputs: readonly TensorInfo[];
  readonly signatures: readonly SignatureInfo[];
  readonly subgraphs: readonly SubgraphInfo[];
  readonly nodes: readonly NodeInfo[];
  readonly partitions: readonly PartitionInfo[];
  readonly plan: readonly PlanStep[];
  readonly graphs: readonly WebnnGraph[];
  readonly delegate: { readonly enabled: boolean; readonly error: string | null };
}
