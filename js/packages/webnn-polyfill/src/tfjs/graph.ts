/** A graph as a list of steps, with its constants on the device. */

import {
  type EngineGraph,
  type EngineTensor,
  type OperandDescriptor,
  operandsOf,
  type RecordedGraph,
  type RecordedOperator,
} from '../engine.js';
import type { Device } from './backends.js';
import { Call, type Constants, type Frame, type OpEntry, type Step } from './op_entry.js';
import { OP_TABLE } from './op_table.js';
import { type TfjsTensor, tensorOf } from './tensor.js';
import * as tf from './tf.js';

/** Constants of a graph: uploaded on first use, and kept only if the running graph reads them. */
class GraphConstants implements Constants {
  /** Tensors computed from constants while the graph was built. */
  readonly #created: tf.Tensor[] = [];
  readonly #provided: ReadonlyMap<number, Uint8Array>;
  /** Uploaded tensors, and tensors computed from them. */
  readonly #tensors = new Map<number, tf.Tensor>();
  readonly #kept = new Set<number>();

  constructor(private readonly graph: RecordedGraph) {
    this.#provided = new Map(graph.constants.map(({ operand, bytes }) => [operand, bytes]));
  }

  isConstant(operand: number): boolean {
    return this.#provided.has(operand) || this.#tensors.has(operand);
  }

  create(compute: () => tf.Tensor): tf.Tensor {
    // A clone: the result may be the operand itself.
    const tensor = tf.keep(tf.tidy(() => compute().clone()));
    this.#created.push(tensor);
    return tensor;
  }

  borrow(operand: number): tf.Tensor {
    const there = this.#tensors.get(operand);
    if (there) return there;
    const bytes = this.#provided.get(operand) as Uint8Array;
    // The bytes are copied: another graph of the same recording may need them.
    const tensor = tf.keep(tensorOf(bytes.slice(), this.graph.operands[operand] as OperandDescriptor));
    this.#tensors.set(operand, tensor);
    return tensor;
  }

  keep(operand: number): void {
    this.#kept.add(operand);
  }

  /** Adds an operand computed from constants only. */
  add(operand: number, tensor: tf.Tensor): void {
    this.#tensors.set(operand, tf.keep(tensor));
  }

  /** Frees what the running graph does not read, and returns the others, by operand. */
  settle(): ReadonlyMap<number, tf.Tensor> {
    for (const operand of this.#kept) if (this.isConstant(operand)) this.borrow(operand);
    for (const [operand, tensor] of this.#tensors) {
      if (this.#kept.has(operand)) continue;
      tensor.dispose();
      this.#tensors.delete(operand);
    }
    return this.#tensors;
  }

  dispose(): void {
    for (const tensor of [...this.#created, ...this.#tensors.values()]) tensor.dispose();
  }
}

type Tensors = readonly EngineTensor[];

/** A compiled operator. */
interface Planned {
  readonly operator: RecordedOperator;
  readonly run: Step;
  /** Operands whose last use is this operator. */
  readonly freed: readonly number[];
}

function entryOf(op: string): OpEntry {
  const entry = OP_TABLE.get(op);
  if (entry === undefined) throw new TypeError(`This engine has no operator ${op}.`);
  return entry;
}

/** Runs a step. Its results are new tensors, even if it has nothing to compute. */
function runStep({ run, operator }: Omit<Planned, 'freed'>, frame: Frame): tf.Tensor[] {
  return tf.tidy(() => {
    const results = [run(frame)].flat() as tf.Tensor[];
    const provided = operandsOf(operator).map((id) => frame[id]);
    return results.map((result) => (provided.includes(result) ? result.clone() : result));
  });
}

/** Computes an operator of constants once. */
function fold(operator: RecordedOperator, graph: RecordedGraph, constants: GraphConstants): void {
  const frame: tf.Tensor[] = [];
  for (const id of operandsOf(operator)) frame[id] = constants.borrow(id);
  const results = tf.tidy(() => {
    const passing = {
      isConstant: (id: number) => constants.isConstant(id),
      borrow: (id: number) => constants.borrow(id),
      create: (compute: () => tf.Tensor) => compute(),
      keep: () => {},
    };
    const run = entryOf(operator.op).compile(new Call(operator, graph, passing));
    return runStep({ operator, run }, frame);
  });
  for (const [index, tensor] of results.entries()) constants.add(operator.outputs[index] as number, tensor);
}

/** Adds to each operator the operands whose last use it is. */
function withFreed(steps: readonly Omit<Planned, 'freed'>[], kept: ReadonlySet<number>): Planned[] {
  const seen = new Set(kept);
  const planned = [...steps].reverse().map(({ operator, run }) => {
    const freed = [...operandsOf(operator), ...operator.outputs].filter((id) => !seen.has(id));
    for (const id of freed) seen.add(id);
    return { operator, run, freed: [...new Set(freed)] };
  });
  return planned.reverse();
}

export class TfjsGraph implements EngineGraph {
  readonly #constants: GraphConstants;
  readonly #steps: readonly Planned[];
  readonly #initial: tf.Tensor[] = [];

  /** Compiles; called while the device is current. */
  constructor(
    private readonly device: Device,
    private readonly graph: RecordedGraph,
    private readonly onDestroy: (graph: TfjsGraph) => void,
  ) {
    this.#constants = new GraphConstants(graph);
    try {
      this.#steps = this.#plan();
    } catch (error) {
      this.#constants.dispose();
      throw error;
    }
  }

  dispatch(inputs: Tensors, outputs: Tensors): void {
    this.device.run(() => {
      const targets = outputs as readonly TfjsTensor[];
      try {
        const results = this.#compute(inputs);
        for (const [index, target] of targets.entries()) target.replace(results[index] as tf.Tensor);
      } catch (error) {
        // A dispatch does not throw: a read reports the error.
        for (const target of targets) target.fail(error);
      }
    });
  }

  destroy(): void {
    this.#constants.dispose();
    this.onDestroy(this);
  }

  #plan(): Planned[] {
    const { graph } = this;
    const steps: Omit<Planned, 'freed'>[] = [];
    for (const operator of graph.operators) {
      if (operandsOf(operator).every((id) => this.#constants.isConstant(id))) {
        fold(operator, graph, this.#constants);
      } else {
        steps.push({ operator, run: entryOf(operator.op).compile(new Call(operator, graph, this.#constants)) });
      }
    }
    for (const { operand } of graph.outputs) this.#constants.keep(operand);
    for (const [operand, tensor] of this.#constants.settle()) this.#initial[operand] = tensor;
    const kept = [...this.#constants.settle().keys(), ...graph.inputs.map(({ operand }) => operand)];
    return withFreed(steps, new Set([...kept, ...graph.outputs.map(({ operand }) => operand)]));
  }

  /** The output tensors, new ones. */
  #compute(inputs: Tensors): tf.Tensor[] {
    const frame: (tf.Tensor | undefined)[] = [...this.#initial];
    return tf.tidy(() => {
      this.graph.inputs.forEach(({ operand }, index) => {
        frame[operand] = (inputs[index] as TfjsTensor).value();
      });
      for (const step of this.#steps) {
        const results = runStep(step, frame);
        for (const [index, id] of step.operator.outputs.entries()) frame[id] = results[index] as tf.Tensor;
        for (const id of step.freed) {
          frame[id]?.dispose();
          frame[id] = undefined;
        }
      }
      return this.graph.outputs.map(({ operand }) => (frame[operand] as tf.Tensor).clone());
    });
  }
}
