/** From a recorded graph to a TensorFlow Lite model. */

import type { RecordedGraph, RecordedOperator } from '../graph.js';
import { Call } from './call.js';
import { bitcast, cast } from './calls.js';
import { floatsOfHalves } from './halves.js';
import type { Model } from './model.js';
import { Net, type NetPort } from './net.js';
import { rowOf } from './op_table.js';
import { BORDER_TYPES, type HandledDataType, HELD_TYPES, type Tensor } from './tensor.js';
import { joinFile, writeModel } from './write_model.js';

/** The graph as a .tflite file. */
export function serializeGraph(graph: RecordedGraph): Uint8Array<ArrayBuffer> {
  return joinFile(writeModel(lowerGraph(graph)));
}

/** The graph as a model that is not written yet. */
export function lowerGraph(graph: RecordedGraph): Model {
  return new GraphLowering(graph).model();
}

class GraphLowering {
  readonly #net = new Net();
  readonly #graph: RecordedGraph;
  readonly #tensors = new Map<number, Tensor>();
  /** The operand that a tensor was made for. */
  readonly #owners = new Map<Tensor, number>();
  readonly #uses: ReadonlyMap<number, number>;

  constructor(graph: RecordedGraph) {
    this.#graph = graph;
    this.#uses = countUses(graph);
  }

  model(): Model {
    this.#addInputs();
    this.#addConstants();
    this.#graph.operators.forEach((operator, index) => {
      this.#addOperator(operator, `${operator.label || operator.op}_${index}`);
    });
    return this.#net.finish(this.#graph.outputs.map(({ name, operand }) => this.#output(name, operand)));
  }

  #addInputs(): void {
    for (const { name, operand } of this.#graph.inputs) {
      const { dataType, shape } = this.#descriptor(operand);
      const tensor = this.#net.input(name, { type: BORDER_TYPES[dataType], shape });
      this.#net.scope = name;
      this.#define(operand, convert(this.#net, tensor, HELD_TYPES[dataType]));
    }
  }

  #addConstants(): void {
    for (const { operand, bytes } of this.#graph.constants) {
      const { dataType, shape } = this.#descriptor(operand);
      const data = dataType === 'float16' ? floatsOfHalves(bytes) : bytes;
      this.#net.scope = `constant_${operand}`;
      this.#define(operand, this.#net.constantOf(HELD_TYPES[dataType], shape, data));
    }
  }

  #addOperator(operator: RecordedOperator, scope: string): void {
    this.#net.scope = scope;
    const call = new Call(
      this.#net,
      operator,
      this.#graph,
      (id) => this.#tensor(id),
      (id) => this.#usesOf(id),
    );
    const result = rowOf(operator.op).lower(call);
    const results = Array.isArray(result) ? (result as readonly Tensor[]) : [result as Tensor];
    operator.outputs.forEach((id, index) => {
      const tensor = results[index];
      if (tensor === undefined) throw new RangeError(`${operator.op} was lowered without output ${index}`);
      this.#define(id, tensor);
    });
  }

  /**
   * The operand's own tensor. It is another operand's only where nothing else needs that one: an activation may be
   * fused into the node that computes it.
   */
  #define(operand: number, tensor: Tensor): void {
    const owner = this.#owners.get(tensor);
    const isFree = owner === undefined || this.#usesOf(owner) === 1;
    const own = isFree ? tensor : copied(this.#net, tensor);
    this.#tensors.set(operand, own);
    this.#owners.set(own, operand);
  }

  #usesOf(operand: number): number {
    return this.#uses.get(operand) ?? 0;
  }

  #output(name: string, operand: number): NetPort {
    const { dataType } = this.#descriptor(operand);
    this.#net.scope = name;
    const tensor = convert(this.#net, this.#tensor(operand), BORDER_TYPES[dataType]);
    // What no node computes is no result.
    return { name, tensor: this.#net.producer(tensor) === undefined ? copied(this.#net, tensor) : tensor };
  }

  #tensor(operand: number): Tensor {
    const tensor = this.#tensors.get(operand);
    if (tensor === undefined) throw new RangeError(`operand ${operand} is used before it is computed`);
    return tensor;
  }

  #descriptor(operand: number) {
    const { dataType, shape } = this.#graph.operands[operand] ?? { dataType: 'nothing', shape: [] };
    if (!(dataType in HELD_TYPES)) throw new TypeError(`operand ${operand} has the data type ${dataType}`);
    return { dataType: dataType as HandledDataType, shape };
  }
}

function copied(net: Net, tensor: Tensor): Tensor {
  const { type, shape } = tensor;
  return net.node('RESHAPE', [tensor, net.list(shape)], { type, shape });
}

/** Between what holds values inside of the model and what they are at its borders. */
function convert(net: Net, tensor: Tensor, type: Tensor['type']): Tensor {
  return tensor.type === 'FLOAT16' || type === 'FLOAT16' ? cast(net, tensor, type) : bitcast(net, tensor, type);
}

/** How often each operand is an operand of something or an output of the graph. */
function countUses(graph: RecordedGraph): Map<number, number> {
  const uses = new Map<number, number>();
  const used = [
    ...graph.operators.flatMap(({ operands }) => Object.values(operands).flat()),
    ...graph.outputs.map(({ operand }) => operand),
  ];
  for (const id of used) if (id !== undefined) uses.set(id, (uses.get(id) ?? 0) + 1);
  return uses;
}
