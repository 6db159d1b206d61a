/** MLGraph. */

import type { EngineGraph, EngineTensor } from '../engine.js';
import { exception } from '../errors.js';
import type { NamedOperand, OperandDescriptor, RecordedGraph } from '../graph.js';
import { sameShape } from '../operators/rule.js';
import type { Owner } from './owner.js';
import { own, release } from './reclaim.js';
import type { Tensor } from './tensor.js';

type Descriptors = ReadonlyMap<string, OperandDescriptor>;
type Tensors = ReadonlyMap<string, Tensor>;

/** A compiled graph. */
export class Graph {
  /** Kinds of the devices that it runs on. */
  readonly devices: readonly string[];
  readonly #inputs: Descriptors;
  readonly #outputs: Descriptors;
  #engineGraph: EngineGraph | null;

  constructor(
    readonly context: Owner,
    { inputs, outputs, operands }: RecordedGraph,
    engineGraph: EngineGraph,
  ) {
    const named = ({ name, operand }: NamedOperand) => [name, operands[operand] as OperandDescriptor] as const;
    this.#inputs = new Map(inputs.map(named));
    this.#outputs = new Map(outputs.map(named));
    this.#engineGraph = own(this, engineGraph);
    this.devices = Object.freeze([context.accelerated ? 'gpu' : 'cpu']);
  }

  /** Queues one computation, after the checks of https://www.w3.org/TR/webnn/#api-mlcontext-dispatch. */
  dispatch(inputs: Tensors, outputs: Tensors): void {
    if (this.#engineGraph === null || this.context.isLost) {
      throw exception('InvalidStateError', 'The graph has been destroyed.');
    }
    const all = new Set([...inputs.values(), ...outputs.values()]);
    if (all.size < inputs.size + outputs.size) throw new TypeError('A tensor is there more than once.');
    for (const tensor of all) this.context.checkOwn(tensor, 'tensor');
    this.#engineGraph.dispatch(
      engineTensors('input', inputs, this.#inputs),
      engineTensors('output', outputs, this.#outputs),
    );
  }

  destroy(): void {
    const engineGraph = this.#engineGraph;
    this.#engineGraph = null;
    if (engineGraph !== null) release(this, engineGraph);
  }
}

/** https://www.w3.org/TR/webnn/#validate-tensors-with-descriptors; returns them in the order of the descriptors. */
function engineTensors(kind: string, tensors: Tensors, descriptors: Descriptors): EngineTensor[] {
  if (tensors.size !== descriptors.size) {
    const names = [...descriptors.keys()];
    throw new TypeError(`The graph has ${descriptors.size} ${kind}(s) (${names}), not ${tensors.size}.`);
  }
  const result: EngineTensor[] = [];
  for (const [name, expected] of descriptors) {
    const tensor = tensors.get(name);
    if (tensor === undefined) throw new TypeError(`The ${kind} '${name}' is missing; there is ${[...tensors.keys()]}.`);
    if (tensor.dataType !== expected.dataType || !sameShape(tensor.shape, expected.shape)) {
      throw new TypeError(
        `The ${kind} '${name}' is ${expected.dataType} [${expected.shape}], not ${tensor.dataType} [${tensor.shape}].`,
      );
    }
    result.push(tensor.engineTensor);
  }
  return result;
}
