/** From a recorded graph to a TensorFlow Lite model. */

import { operandsOf, type RecordedGraph, type RecordedOperator } from '../engine.js';
import { bitcast, cast } from './calls.js';
import { BOUNDARY_TYPES, HELD_TYPES, heldBytes, isNibbles, packed, packedSize, unpacked } from './held_types.js';
import type { Model, Quantization } from './model.js';
import { type NamedTensor, Net } from './net.js';
import { Call } from './op_entry.js';
import { entryOf } from './op_table.js';
import { type Fusion, type FusionPlan, planFusion } from './quantization/fusion_plan.js';
import type { QuantizedOperand } from './quantization/fusion_rules.js';
import { inputOf, outputOf } from './quantization/graph_index.js';
import {
  dequantized,
  dequantizedConstant,
  fuseActivation,
  meaningless,
  quantized,
  quantizeResult,
} from './quantization/lowering.js';
import { movedOperands, sameParameters } from './quantization/parameters.js';
import { isConstant, type Tensor } from './tensor.js';
import { joinFile, writeModel } from './write_model.js';

/** The graph as a .tflite file. */
export function serializeGraph(graph: RecordedGraph): Uint8Array<ArrayBuffer> {
  return joinFile(writeModel(lowerGraph(graph)));
}

/** The graph as a model, before writing. */
export function lowerGraph(graph: RecordedGraph): Model {
  return new GraphLowering(graph).model();
}

class GraphLowering {
  readonly #net = new Net();
  readonly #graph: RecordedGraph;
  readonly #plan: FusionPlan;
  readonly #tensors = new Map<number, Tensor>();
  /** The operand of a tensor. */
  readonly #owners = new Map<Tensor, number>();
  /** The model's outputs: as tensors of the page, two of them must not share memory. */
  readonly #outputs = new Set<Tensor>();
  /** dequantizeLinears by their result: they become nodes only for consumers that need floats. */
  readonly #delayed = new Map<number, RecordedOperator>();
  readonly #uses: ReadonlyMap<number, number>;

  constructor(graph: RecordedGraph) {
    this.#graph = graph;
    this.#plan = planFusion(graph);
    this.#uses = countUses(graph);
  }

  model(): Model {
    this.#addInputs();
    this.#addConstants();
    this.#graph.operators.forEach((operator, index) => {
      this.#net.scope = `${operator.label || operator.op}_${index}`;
      if (!this.#plan.absorbed.has(operator)) this.#addOperator(operator);
    });
    return this.#net.finish(this.#graph.outputs.map(({ name, operand }) => this.#output(name, operand)));
  }

  #addInputs(): void {
    for (const { name, operand } of this.#graph.inputs) {
      const { dataType, shape } = this.#descriptor(operand);
      const quantization = this.#plan.parameters.get(operand);
      const boundaryShape = isNibbles(dataType) ? [packedSize(shape)] : shape;
      const tensor = this.#net.input(name, { type: BOUNDARY_TYPES[dataType], shape: boundaryShape, quantization });
      this.#net.scope = name;
      const held = isNibbles(dataType)
        ? unpacked(this.#net, tensor, dataType, shape)
        : convert(this.#net, tensor, HELD_TYPES[dataType]);
      this.#define(operand, held);
    }
  }

  #addConstants(): void {
    for (const { operand, bytes } of this.#graph.constants) {
      const { dataType, shape } = this.#descriptor(operand);
      const data = heldBytes(dataType, bytes, shape);
      this.#net.scope = `constant_${operand}`;
      const quantization = this.#plan.parameters.get(operand);
      this.#define(operand, this.#net.constantOf(HELD_TYPES[dataType], shape, data, quantization));
    }
  }

  #addOperator(operator: RecordedOperator): void {
    const output = outputOf(operator);
    const fusion = this.#plan.fusions.get(operator);
    if (fusion !== undefined) this.#addFused(operator, fusion);
    else if (this.#plan.native.has(operator)) this.#delayed.set(output, operator);
    else if (operator.op === 'quantizeLinear' && this.#plan.parameters.has(output)) this.#addQuantize(operator, output);
    else this.#addLowered(operator, (id) => this.#tensorFor(operator, id), operator.outputs);
  }

  #addLowered(operator: RecordedOperator, tensorOf: (id: number) => Tensor, outputs: readonly number[]): Tensor[] {
    const call = new Call(this.#net, operator, this.#graph, tensorOf, (id) => this.#usesOf(id));
    const result = entryOf(operator.op).lower(call);
    const results = Array.isArray(result) ? (result as readonly Tensor[]) : [result as Tensor];
    return outputs.map((id, index) => {
      const tensor = results[index];
      if (tensor === undefined) throw new RangeError(`${operator.op} was lowered without output ${index}`);
      return this.#define(id, tensor);
    });
  }

  /** An operator on integers, whose results are those of the quantizeLinear after it. */
  #addFused(operator: RecordedOperator, { operands, results, activation }: Fusion): void {
    const tensorOf = (id: number) => {
      const quantized = operands.get(id);
      return quantized === undefined ? this.#tensor(id) : this.#quantizedTensor(quantized);
    };
    const outputs = results.length === 0 ? operator.outputs : results.map(({ operand }) => operand);
    this.#addLowered(operator, tensorOf, outputs).forEach((tensor, index) => {
      const result = results[index];
      if (result !== undefined) this.#quantizeResult(result, tensor);
      if (activation !== undefined) fuseActivation(this.#net, tensor, activation);
    });
  }

  /** An operator without anything to compute, e.g. a sum over no axes, has its operand's quantization. */
  #quantizeResult({ operand, parameters }: QuantizedOperand, tensor: Tensor): void {
    quantizeResult(this.#net, tensor, parameters);
    const { type, quantization } = tensor;
    if (quantization === undefined || sameParameters(quantization, parameters)) return;
    this.#define(operand, quantized(this.#net, tensor, type, parameters));
  }

  #addQuantize(operator: RecordedOperator, output: number): void {
    const input = inputOf(operator);
    const parameters = this.#plan.parameters.get(output) as Quantization;
    const { dataType } = this.#descriptor(output);
    const source = this.#integersOf(input) ?? this.#tensor(input);
    this.#define(output, quantized(this.#net, source, HELD_TYPES[dataType], parameters));
  }

  /** The integers behind a dequantized operand, unless constant or without parameters. */
  #integersOf(operand: number): Tensor | undefined {
    const dequantize = this.#delayed.get(operand);
    const input = dequantize && inputOf(dequantize);
    const tensor = input === undefined ? undefined : this.#tensors.get(input);
    return tensor?.quantization === undefined || isConstant(tensor) ? undefined : tensor;
  }

  #quantizedTensor({ operand, parameters }: Pick<QuantizedOperand, 'operand' | 'parameters'>): Tensor {
    const tensor = this.#tensor(operand);
    if (!isConstant(tensor)) return tensor;
    return this.#net.constantOf(tensor.type, tensor.shape, tensor.data, parameters);
  }

  /** The tensor for an unfused operator: with quantization only if the operator hands it on, as it does not compute. */
  #tensorFor(operator: RecordedOperator, operand: number): Tensor {
    const tensor = this.#tensor(operand);
    if (movedOperands(operator)?.includes(operand)) {
      const parameters = this.#plan.parameters.get(outputOf(operator));
      if (parameters !== undefined) return this.#quantizedTensor({ operand, parameters });
      // CONCATENATION would bring its operands to one scale.
      if (operator.op !== 'concat') return tensor;
    }
    return tensor.quantization === undefined ? tensor : meaningless(this.#net, tensor);
  }

  /**
   * Assigns a tensor to the operand. It may be another operand's only if nothing else needs that: an activation may be
   * fused into the node that computes it.
   */
  #define(operand: number, tensor: Tensor): Tensor {
    const owner = this.#owners.get(tensor);
    const isFree = owner === undefined || this.#usesOf(owner) === 1;
    const own = isFree ? tensor : copied(this.#net, tensor);
    this.#tensors.set(operand, own);
    this.#owners.set(own, operand);
    return own;
  }

  #usesOf(operand: number): number {
    return this.#uses.get(operand) ?? 0;
  }

  #output(name: string, operand: number): NamedTensor {
    const { dataType } = this.#descriptor(operand);
    this.#net.scope = name;
    const held = this.#tensor(operand);
    const tensor = isNibbles(dataType) ? packed(this.#net, held) : convert(this.#net, held, BOUNDARY_TYPES[dataType]);
    // A tensor that no node computes is not a result.
    const isFree = this.#net.producer(tensor) !== undefined && !this.#outputs.has(tensor);
    const own = isFree ? tensor : copied(this.#net, tensor);
    this.#outputs.add(own);
    return { name, tensor: own };
  }

  #tensor(operand: number): Tensor {
    const delayed = this.#delayed.get(operand);
    if (delayed !== undefined && !this.#tensors.has(operand)) this.#define(operand, this.#dequantize(delayed));
    const tensor = this.#tensors.get(operand);
    if (tensor === undefined) throw new RangeError(`operand ${operand} is used before it is computed`);
    return tensor;
  }

  #dequantize(operator: RecordedOperator): Tensor {
    const tensor = this.#tensor(inputOf(operator));
    if (!isConstant(tensor)) return dequantized(this.#net, tensor);
    return dequantizedConstant(this.#net, tensor, this.#plan.native.get(operator) as Quantization);
  }

  #descriptor(operand: number) {
    const descriptor = this.#graph.operands[operand];
    if (descriptor === undefined) throw new RangeError(`the graph has no operand ${operand}`);
    return descriptor;
  }
}

function copied(net: Net, tensor: Tensor): Tensor {
  const { type, shape, quantization } = tensor;
  return net.node('RESHAPE', [tensor, net.list(shape)], { type, shape, quantization });
}

/** Converts between a value's type in the model and at its boundaries. */
function convert(net: Net, tensor: Tensor, type: Tensor['type']): Tensor {
  return tensor.type === 'FLOAT16' || type === 'FLOAT16' ? cast(net, tensor, type) : bitcast(net, tensor, type);
}

/** The number of uses of each operand, as an operand or an output of the graph. */
function countUses(graph: RecordedGraph): Map<number, number> {
  const uses = new Map<number, number>();
  const used = [...graph.operators.flatMap(operandsOf), ...graph.outputs.map(({ operand }) => operand)];
  for (const id of used) uses.set(id, (uses.get(id) ?? 0) + 1);
  return uses;
}
