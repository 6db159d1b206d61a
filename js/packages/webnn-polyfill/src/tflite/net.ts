/** The model under construction: nodes in order, and tensors with their producers. */

import { elementCount } from '../data_types.js';
import {
  type BuiltinName,
  type Model,
  type ModelNode,
  NO_TENSOR,
  type NodeOptions,
  type Quantization,
  type TensorType,
} from './model.js';
import { bytesOf, type ConstantTensor, type Tensor } from './tensor.js';

/** A node under construction; it may still gain a fused activation. */
export interface NetNode {
  readonly op: BuiltinName;
  /** The label of the operator behind the node. */
  readonly scope: string;
  readonly inputs: readonly (Tensor | undefined)[];
  readonly outputs: readonly Tensor[];
  options: NodeOptions;
}

/** A node's result. */
interface OutputSpec {
  readonly type: TensorType;
  readonly shape: readonly number[];
  readonly quantization?: Quantization | undefined;
}

/** A tensor and its name as an input or output of the model. */
export interface NamedTensor {
  readonly name: string;
  readonly tensor: Tensor;
}

/** Constants up to this size are shared: scalars, axes, shapes. */
const LARGEST_SHARED_ELEMENTS = 64;

/** Collects nodes; {@link finish} returns the model. */
export class Net {
  readonly #nodes: NetNode[] = [];
  readonly #inputs: NamedTensor[] = [];
  readonly #producers = new Map<Tensor, NetNode>();
  readonly #uses = new Map<Tensor, number>();
  readonly #shared = new Map<string, ConstantTensor>();
  readonly #names = new Map<Tensor, string>();
  /** The WebNN operator being lowered; names its tensors. */
  scope = '';

  /** Adds an input of the model. */
  input(name: string, spec: OutputSpec): Tensor {
    const tensor = { ...spec };
    this.#inputs.push({ name, tensor });
    this.#names.set(tensor, name);
    return tensor;
  }

  /** A constant with these bytes, which are not copied. */
  constantOf(
    type: TensorType,
    shape: readonly number[],
    data: Uint8Array,
    quantization?: Quantization,
  ): ConstantTensor {
    const tensor: ConstantTensor =
      quantization === undefined ? { type, shape, data } : { type, shape, data, quantization };
    this.#names.set(tensor, this.scope);
    return tensor;
  }

  /** A constant with these values. */
  constant(type: TensorType, shape: readonly number[], values: ArrayLike<number | bigint>): ConstantTensor {
    if (values.length > LARGEST_SHARED_ELEMENTS) return this.constantOf(type, shape, bytesOf(type, values));
    const key = `${type} ${shape} ${Array.from(values, (value) => (Object.is(value, -0) ? '-0' : value))}`;
    const tensor = this.#shared.get(key) ?? this.constantOf(type, shape, bytesOf(type, values));
    this.#shared.set(key, tensor);
    return tensor;
  }

  /** A constant of rank 0. */
  scalar(type: TensorType, value: number | bigint): ConstantTensor {
    return this.constant(type, [], [value]);
  }

  /** A constant list of int32: axes, a shape, paddings. */
  list(values: readonly number[]): ConstantTensor {
    return this.constant('INT32', [values.length], values);
  }

  /** A constant with all elements equal. */
  filled(type: TensorType, shape: readonly number[], value: number | bigint): ConstantTensor {
    const size = elementCount(shape);
    if (size <= LARGEST_SHARED_ELEMENTS)
      return this.constant(type, shape, new Array<number | bigint>(size).fill(value));
    const element = bytesOf(type, [value]);
    const data = new Uint8Array(size * element.byteLength);
    for (let offset = 0; offset < data.byteLength; offset += element.byteLength) data.set(element, offset);
    return this.constantOf(type, shape, data);
  }

  /** Adds a node with one output. */
  node(
    op: BuiltinName,
    inputs: readonly (Tensor | undefined)[],
    output: OutputSpec,
    options: NodeOptions = {},
  ): Tensor {
    const [tensor] = this.nodeOf(op, inputs, [output], options);
    return tensor as Tensor;
  }

  /** Adds a node with several outputs. */
  nodeOf(
    op: BuiltinName,
    inputs: readonly (Tensor | undefined)[],
    specs: readonly OutputSpec[],
    options: NodeOptions = {},
  ): Tensor[] {
    const outputs = specs.map((spec) => ({ ...spec }));
    const node = { op, scope: this.scope, inputs, outputs, options };
    this.#nodes.push(node);
    for (const input of new Set(inputs)) {
      if (input !== undefined) this.#uses.set(input, this.usesOf(input) + 1);
    }
    for (const output of outputs) {
      this.#producers.set(output, node);
      this.#names.set(output, this.scope);
    }
    return outputs;
  }

  /** Adds the quantization to a tensor created without one. */
  quantize(tensor: Tensor, quantization: Quantization): void {
    (tensor as { quantization?: Quantization }).quantization = quantization;
  }

  /** Whether there is a node of the builtin. */
  has(op: BuiltinName): boolean {
    return this.#nodes.some((node) => node.op === op);
  }

  /** The node that computes a tensor, if one does. */
  producer(tensor: Tensor): NetNode | undefined {
    return this.#producers.get(tensor);
  }

  /** The number of nodes that need a tensor. */
  usesOf(tensor: Tensor): number {
    return this.#uses.get(tensor) ?? 0;
  }

  /** The model, with only the nodes that the outputs need. */
  finish(outputs: readonly NamedTensor[]): Model {
    const nodes = this.#neededNodes(outputs.map(({ tensor }) => tensor));
    const indices = new Map<Tensor, number>();
    const add = (tensor: Tensor): number => {
      const index = indices.get(tensor) ?? indices.size;
      indices.set(tensor, index);
      return index;
    };
    const indexed = ({ name, tensor }: NamedTensor) => ({ name, tensor: add(tensor) });
    for (const { name, tensor } of outputs) this.#names.set(tensor, name);
    const signature = { inputs: this.#inputs.map(indexed), outputs: outputs.map(indexed) };
    const written = nodes.map(({ op, inputs, outputs: results, options }): ModelNode => {
      const inputIndices = inputs.map((tensor) => (tensor === undefined ? NO_TENSOR : add(tensor)));
      return { op, inputs: inputIndices, outputs: results.map(add), options };
    });
    const tensors = [...indices.keys()].map((tensor) => ({ ...tensor, name: this.#names.get(tensor) ?? '' }));
    return { tensors, nodes: written, ...signature };
  }

  #neededNodes(outputs: readonly Tensor[]): NetNode[] {
    const needed = new Set<Tensor>(outputs);
    const nodes: NetNode[] = [];
    for (const node of [...this.#nodes].reverse()) {
      if (!node.outputs.some((output) => needed.has(output))) continue;
      nodes.push(node);
      for (const input of node.inputs) if (input !== undefined) needed.add(input);
    }
    return nodes.reverse();
  }
}
