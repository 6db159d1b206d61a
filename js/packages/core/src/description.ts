/** Types of the JSON texts that the runner writes: the model's description and the WebNN graphs. */

import type { DType } from './dtypes.js';
import type { MLOperandDataType } from './webnn_types.js';

/** Affine quantization: real value = scale * (quantized value - zero point). */
export interface QuantizationInfo {
  /** One scale, or one for each index of `quantizedDimension`. */
  readonly scales: readonly number[];
  /** As many zero points. */
  readonly zeroPoints: readonly number[];
  /** The dimension along which scales and zero points vary, where there is more than one. */
  readonly quantizedDimension: number;
}

/** An input or output tensor of a model. */
export interface TensorInfo {
  /** TFLite's tensor index. */
  readonly index: number;
  /** The tensor's name in the file; not always unique. */
  readonly name: string;
  /** Element type. Nothing is converted silently: an array of another type is rejected. */
  readonly dtype: DType;
  /** Its shape now, outermost dimension first; `[]` for a scalar. */
  readonly shape: readonly number[];
  /** The shape as the model declares it: -1 where a dimension may vary. */
  readonly shapeSignature: readonly number[];
  /** Size of its values in bytes; 0 for strings. */
  readonly sizeBytes: number;
  /** How integers stand for real numbers; null where they do not. */
  readonly quantization: QuantizationInfo | null;
}

/** The name of a tensor in a signature. */
export interface SignatureTensor {
  /** The name, which `runSignature()` accepts. */
  readonly name: string;
  /** TFLite's tensor index. */
  readonly tensor: number;
}

/** A named entry point of a model. */
export interface SignatureInfo {
  /** Its name, e.g. `serving_default`. */
  readonly key: string;
  /** The subgraph that it runs: 0 is the main one, whose inputs and outputs are the model's. */
  readonly subgraph: number;
  /** Names of its inputs. */
  readonly inputs: readonly SignatureTensor[];
  /** Names of its outputs. */
  readonly outputs: readonly SignatureTensor[];
}

/** Shapes of all inputs, in the model's order. */
export type InputShapes = readonly (readonly number[])[];

/** A subgraph, other than the one that is described, that a signature runs. */
export interface SubgraphInfo {
  /** Its index in the file. */
  readonly index: number;
  /** Its inputs, in its order. */
  readonly inputs: readonly TensorInfo[];
  /** Its outputs, in its order. */
  readonly outputs: readonly TensorInfo[];
  /** Set if it runs only as the main subgraph of another wasm runner: nodes call it or another signature. */
  readonly runsAlone?: true;
}

/** A variable of the model that the runtime keeps between runs. */
export interface VariableInfo {
  /** Its name in the file. */
  readonly name: string;
  /** The tensor that a run reads it from. */
  readonly input: TensorInfo;
  /** The tensor that a run leaves its next value in. */
  readonly output: TensorInfo;
  /** Where the bytes of its first value are in the wasm heap; 0 for zeros. */
  readonly address: number;
}

/** Where nodes run. */
export type Placement = 'webnn' | 'cpu';

/**
 * The form of a quantized node: `fused` is dequantizeLinear -> op -> quantizeLinear in the form that engines turn
 * into one integer kernel; `float` is computed in float; `cpu` is what WebNN does not get.
 */
export type QuantizedForm = 'fused' | 'float' | 'cpu';

/** A STABLEHLO_COMPOSITE of the file. Loading replaces it by the nodes of its decomposition. */
export interface CompositeInfo {
  /** Its name, e.g. `odml.rms_norm`; `WHILE` for a loop. */
  readonly name: string;
  /** Its index in the file. */
  readonly node: number;
}

/** A group of nodes that WebNN computes by fewer operators than one by one. */
export interface PatternInfo {
  /** Its name, e.g. `layer normalization`. */
  readonly name: string;
  /** The index of the group's last node, which has its operators. */
  readonly node: number;
}

/** One node of the model and where it runs. */
export interface NodeInfo {
  /** TFLite's index of the node. */
  readonly index: number;
  /** TFLite's builtin name, or the custom op's name. */
  readonly op: string;
  /** The op's version. */
  readonly version: number;
  /** Name of the node's first output tensor. */
  readonly name: string;
  /** Where it runs. */
  readonly placement: Placement;
  /** Index into the partitions; -1 if the node is in none. */
  readonly partition: number;
  /** Why the node stays on the CPU; null where it does not, or where WebNN was not requested. */
  readonly reason: string | null;
  /**
   * Whether WebNN can run the node itself. On the CPU such a node stays for the sake of others: its partition would
   * cost more than it saves, or limits on partitions leave it out.
   */
  readonly supported: boolean;
  /** The composite or loop that the node belongs to; null for a node of the file itself. */
  readonly composite: CompositeInfo | null;
  /** The pattern by which WebNN runs the node together with others; null where it has its own operators. */
  readonly pattern: PatternInfo | null;
  /** Null where the node is not quantized. */
  readonly quantized: QuantizedForm | null;
  /** The condition of the fused form that does not hold, where `quantized` is `float`; else null. */
  readonly notFused: string | null;
  /** The WebNN operators that the node became, in order. What was folded while loading leaves none. */
  readonly webnnOps: readonly string[];
}

/** An ordered subset of the nodes that runs on one backend. */
export interface PartitionInfo {
  /** Where it runs. */
  readonly placement: Placement;
  /** Index into the graphs; null on the CPU. */
  readonly graph: number | null;
  /** Indices of its nodes, in order. */
  readonly nodes: readonly number[];
  /** Their TFLite ops. */
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

/** A step of the execution plan; inputs and outputs are the non-constant tensors that cross its boundary. */
export type PlanStep = WebnnStep | CpuStep;

/**
 * An input or output of a WebNN graph.
 *
 * @group explain.mjs
 */
export interface GraphPort {
  /** Operand id. */
  readonly id: number;
  /** Its name in `dispatch()`. */
  readonly name: string;
  /** TFLite's tensor index. */
  readonly tensor: number;
  /** Element type of the operand. */
  readonly dataType: MLOperandDataType;
  /** Its shape. */
  readonly shape: readonly number[];
  /** The tensor's own type, where WebNN has not got it and a wider operand carries its values. */
  readonly tensorType?: 'int16';
}

/**
 * A constant of a WebNN graph, by its address in the wasm heap.
 *
 * @group explain.mjs
 */
export interface GraphConstant {
  /** Operand id. */
  readonly id: number;
  /** Element type. */
  readonly dataType: MLOperandDataType;
  /** Its shape. */
  readonly shape: readonly number[];
  /** Where its bytes begin. */
  readonly address: number;
  /** How many bytes it has. */
  readonly byteLength: number;
}

/**
 * One call of an MLGraphBuilder method.
 *
 * @group explain.mjs
 */
export interface GraphOperator {
  /** The method, e.g. `conv2d`. */
  readonly op: string;
  /** "<node index>:<TFLite op>". */
  readonly label: string;
  /** JSON values in which `{"operand": id}` stands for an operand; the last one is the options object. */
  readonly args: readonly unknown[];
  /** Operand ids of the results. */
  readonly outputs: readonly number[];
}

/**
 * The limits of an operand that holds indices: index number i is less than `sizes[i % sizes.length]`.
 *
 * @group explain.mjs
 */
export interface IndexLimit {
  /** The operand's id. */
  readonly operand: number;
  /** The sizes of the axes that its last dimension indexes. */
  readonly sizes: readonly number[];
}

/**
 * A WebNN graph as plain data.
 *
 * @group explain.mjs
 */
export interface WebnnGraph {
  /** What a dispatch writes. */
  readonly inputs: readonly GraphPort[];
  /** Weights and other values that the file has. */
  readonly constants: readonly GraphConstant[];
  /** The calls, in order. */
  readonly operators: readonly GraphOperator[];
  /** The outputs of a dispatch. */
  readonly outputs: readonly GraphPort[];
  /** Set if a constant is larger, and build() accepts none of that size: the weights of a gemm are to be split. */
  readonly maxConstantBytes?: number;
  /** Operands with indices that only a run knows. */
  readonly indexLimits?: readonly IndexLimit[];
}

/**
 * A node that TFLite's own kernel runs because XNNPACK failed to prepare it: when the model was loaded, or in the
 * shapes of the last run.
 */
export interface XnnpackExclusion {
  /** The subgraph that could not be prepared; null where TFLite does not say which one. */
  readonly subgraph: number | null;
  /** Its index there; null where the entire subgraph runs without XNNPACK. */
  readonly node: number | null;
  /** TFLite's message. */
  readonly reason: string;
}

/** What the runner reports about XNNPACK. */
export interface XnnpackReport {
  /**
   * Which bytes relaxed SIMD's dot product takes as its second operand here, as far as XNNPACK uses it; `none` without
   * relaxed SIMD, and where its sums saturate.
   */
  readonly dotProduct: 'none' | 'signed' | 'unsigned';
  /** Nodes that XNNPACK accepted but failed to prepare; TFLite's kernels run them. Mostly none. */
  readonly excludedNodes: readonly XnnpackExclusion[];
}

/** What the runner reports about a model that it has initialized. */
export interface ModelDescription {
  readonly inputs: readonly TensorInfo[];
  readonly outputs: readonly TensorInfo[];
  /** The variables that the runtime keeps; others, which TFLite keeps, are not here. */
  readonly variables: readonly VariableInfo[];
  readonly signatures: readonly SignatureInfo[];
  readonly subgraphs: readonly SubgraphInfo[];
  /** Whether TFLite keeps variables or tables, which all its subgraphs share. */
  readonly sharesState: boolean;
  /** Whether TFLite keeps values from run to run, as in variables, tables and recurrent layers. */
  readonly keepsState: boolean;
  /** Threads that XNNPACK computes with. */
  readonly threads: number;
  readonly nodes: readonly NodeInfo[];
  readonly partitions: readonly PartitionInfo[];
  readonly plan: readonly PlanStep[];
  readonly graphs: readonly WebnnGraph[];
  readonly delegate: {
    readonly enabled: boolean;
    readonly error: string | null;
    /** Whether the error is that the CPU is faster, by the delegate's estimate. */
    readonly isFasterOnCpu: boolean;
    /** Ids of the bugs that were worked around, see WebnnReport. */
    readonly workarounds: readonly string[];
  };
  readonly xnnpack: XnnpackReport;
}
