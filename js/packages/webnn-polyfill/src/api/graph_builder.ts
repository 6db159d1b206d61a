/** MLGraphBuilder: records operators after checking them. */

import { scalarBytes } from '../data_types.js';
import type { OperandDescriptor, RecordedGraph } from '../engine.js';
import { OPERATORS } from '../generated/webnn_idl.js';
import type { MLNumber, MLOperandDataType } from '../generated/webnn_types.js';
import { RULES } from '../operators/rules.js';
import { type BufferSource, bytesOf, exception } from '../webidl/conversions.js';
import { type Context, type Graph, Tensor } from './context.js';
import { checkConstant, checkDescriptor, checkLimits, checkSize } from './limits.js';
import { Operand, type Origin, recordedGraph, type Source } from './recording.js';

type Operands = Record<string, Operand | Operand[]>;

/** Any operator's rule. */
interface AnyRule {
  infer(operands: object, attributes: object): OperandDescriptor | readonly OperandDescriptor[];
  intermediate?(operands: object, attributes: object): OperandDescriptor;
}

/** A graph under construction. The operators' methods are added below, from the IDL. */
export class GraphBuilder {
  readonly #context: Context;
  #hasBuilt = false;
  /** The origin of each operand, by its id. */
  #origins: Origin[] = [];

  constructor(context: Context) {
    if (context.isLost) throw exception('InvalidStateError', 'The context is lost.');
    this.#context = context;
  }

  input(name: string, descriptor: OperandDescriptor): Operand {
    this.#checkCanBuild();
    if (name === '') throw new TypeError('The name of the input is empty.');
    this.#checkDescriptor(descriptor, 'input');
    return this.#add(descriptor, { kind: 'input', name });
  }

  constant(first: OperandDescriptor | MLOperandDataType | Tensor, second?: BufferSource | MLNumber): Operand {
    if (first instanceof Tensor) return this.#constantTensor(first);
    this.#checkCanBuild();
    if (typeof first === 'string') {
      const descriptor = { dataType: first, shape: [] };
      this.#checkDescriptor(descriptor, 'constant');
      return this.#add(descriptor, { kind: 'constant', bytes: scalarBytes(second as MLNumber, first) });
    }
    this.#checkDescriptor(first, 'constant');
    checkConstant(second as BufferSource, first);
    return this.#add(first, { kind: 'constant', bytes: bytesOf(second as BufferSource).slice() });
  }

  #constantTensor(tensor: Tensor): Operand {
    if (tensor.isDestroyed) throw new TypeError('The tensor has been destroyed.');
    this.#context.checkOwn(tensor, 'tensor');
    if (!tensor.constant) throw new TypeError('The tensor is not a constant.');
    this.#checkCanBuild();
    return this.#add(tensor, { kind: 'constant', bytes: tensor.bytes, tensor });
  }

  async build(outputs: ReadonlyMap<string, Operand>): Promise<Graph> {
    const recorded = this.record(outputs);
    this.#hasBuilt = true;
    this.#origins = []; // frees the constants as soon as the engine does
    return await this.#context.build(recorded);
  }

  /** The graph for the engine; the builder can be dropped. */
  record(outputs: ReadonlyMap<string, Operand>): RecordedGraph {
    this.#checkCanBuild();
    const named = [...outputs];
    if (named.length === 0) throw new TypeError('A graph needs an output.');
    for (const [name, operand] of named) this.#checkOutput(name, operand);
    return recordedGraph(
      this.#origins,
      named.map(([name, { id }]) => ({ name, operand: id })),
    );
  }

  /** The method of each operator; `values` are its converted arguments. */
  addOperator(op: keyof typeof OPERATORS, values: readonly unknown[]): Operand | Operand[] {
    this.#checkCanBuild();
    const { operands, attributes, label } = this.#sortArguments(op, values);
    try {
      return this.#checkAndAdd(op, operands, attributes, label);
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      const where = `Failed to execute '${op}' on 'MLGraphBuilder': ${label ? `[${label}] ` : ''}`;
      throw new TypeError(`${where}${error.message}`);
    }
  }

  #checkAndAdd(
    op: keyof typeof OPERATORS,
    operands: Operands,
    attributes: Record<string, unknown>,
    label: string,
  ): Operand | Operand[] {
    const limits = this.#context.limits.operators[op] ?? {};
    for (const [name, operand] of Object.entries(operands).flatMap(flattened)) {
      if (operand.builder !== this) throw new TypeError(`The operand ${name} is from another builder.`);
      checkLimits(operand, limits[name] ?? {}, name);
    }
    const rule: AnyRule = RULES[op];
    const inferred = rule.infer(operands, attributes);
    const descriptors = [inferred].flat() as OperandDescriptor[];
    const { maxTensorByteLength } = this.#context.limits;
    const intermediate = rule.intermediate?.(operands, attributes);
    if (intermediate) checkSize(intermediate, maxTensorByteLength, 'what is computed on the way');
    descriptors.forEach((descriptor, index) => {
      const limit = limits.output ?? limits.outputs ?? limits[`output${index}`] ?? {};
      checkDescriptor(descriptor, limit, maxTensorByteLength, 'the output');
    });
    const ids = Object.entries(operands).map(([name, value]) => [name, idsOf(value)]);
    const outputs = descriptors.map((_, index) => this.#origins.length + index);
    const operator = { op, label, operands: Object.fromEntries(ids), attributes, outputs };
    const added = descriptors.map((descriptor) => this.#add(descriptor, { kind: 'operator', operator }));
    return Array.isArray(inferred) ? added : (added[0] as Operand);
  }

  /** Separates operands, which have limits, from other arguments and options. */
  #sortArguments(op: keyof typeof OPERATORS, values: readonly unknown[]) {
    const { limits } = RULES[op];
    const [parameters = []] = OPERATORS[op].overloads;
    const provided = parameters.flatMap(({ name, optional }, index) =>
      optional ? Object.entries(values[index] as object) : [[name, values[index]] as const],
    );
    const operands = Object.fromEntries(provided.filter(([name]) => name in limits)) as Operands;
    const { label, ...attributes } = Object.fromEntries(provided.filter(([name]) => !(name in limits)));
    return { operands, attributes, label: label as string };
  }

  #add(descriptor: OperandDescriptor, source: Source): Operand {
    const operand = new Operand(this, this.#origins.length, descriptor);
    this.#origins.push({ descriptor: { dataType: operand.dataType, shape: operand.shape }, ...source });
    return operand;
  }

  #checkOutput(name: string, operand: Operand): void {
    if (name === '') throw new TypeError('The name of an output is empty.');
    if (operand.builder !== this) throw new TypeError(`The output '${name}' is from another builder.`);
    if (this.#origins[operand.id]?.kind !== 'operator') {
      throw new TypeError(`The output '${name}' is an input or a constant; identity() turns it into an output.`);
    }
  }

  #checkCanBuild(): void {
    if (this.#hasBuilt) throw exception('InvalidStateError', 'The builder has built its graph.');
    if (this.#context.isLost) throw exception('InvalidStateError', 'The context is lost.');
  }

  #checkDescriptor(descriptor: OperandDescriptor, kind: 'input' | 'constant'): void {
    const { graph, maxTensorByteLength } = this.#context.limits;
    checkDescriptor(descriptor, graph[kind], maxTensorByteLength, `the ${kind}`);
  }
}

function flattened([name, value]: [string, Operand | Operand[]]): [string, Operand][] {
  return [value].flat().map((operand) => [name, operand]);
}

function idsOf(value: Operand | Operand[]): number | number[] {
  return Array.isArray(value) ? value.map(({ id }) => id) : value.id;
}

for (const op of Object.keys(OPERATORS) as (keyof typeof OPERATORS)[]) {
  Object.defineProperty(GraphBuilder.prototype, op, {
    value(this: GraphBuilder, ...values: unknown[]) {
      return this.addOperator(op, values);
    },
  });
}
