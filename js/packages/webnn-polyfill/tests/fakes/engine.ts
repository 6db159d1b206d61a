/** An engine for tests: keeps tensors as arrays of bytes, computes add, relu and identity of float32. */

import type {
  Engine,
  EngineContext,
  EngineGraph,
  EngineTensor,
  MLOpSupportLimits,
  OperandDescriptor,
  RecordedGraph,
  RecordedOperator,
} from 'webnn-polyfill';

type Values = Float32Array<ArrayBuffer>;

const FUNCTIONS: Record<string, (a: number, b: number) => number> = {
  add: (a, b) => a + b,
  relu: (a) => Math.max(a, 0),
  identity: (a) => a,
};

class FakeTensor implements EngineTensor {
  bytes: Uint8Array<ArrayBuffer>;
  destroyed = false;

  constructor(
    { shape }: OperandDescriptor,
    readonly context: FakeContext,
  ) {
    this.bytes = new Uint8Array(shape.reduce((product, size) => product * size, 4));
  }

  write(bytes: Uint8Array): void {
    this.bytes.set(bytes);
  }

  read(): Uint8Array | Promise<Uint8Array> {
    return this.context.reading?.then(() => this.bytes.slice()) ?? this.bytes.slice();
  }

  destroy(): void {
    this.destroyed = true;
  }
}

/** State for tests to inspect, and switches that cause failures. */
export class FakeContext implements EngineContext {
  readonly accelerated = false;
  readonly graphs: RecordedGraph[] = [];
  readonly destroyed: string[] = [];
  readonly lost: Promise<string>;
  lose: (reason: string) => void = () => {};
  /** Reads wait for this. */
  reading: Promise<void> | null = Promise.resolve();
  buildFailure: Error | null = null;

  constructor(readonly limits: MLOpSupportLimits) {
    this.lost = new Promise((resolve) => {
      this.lose = resolve;
    });
  }

  async build(graph: RecordedGraph): Promise<EngineGraph> {
    this.graphs.push(graph);
    if (this.buildFailure !== null) throw this.buildFailure;
    return {
      dispatch: (inputs, outputs) => compute(graph, inputs, outputs),
      destroy: () => this.destroyed.push('graph'),
    };
  }

  createTensor(descriptor: OperandDescriptor): EngineTensor {
    return new FakeTensor(descriptor, this);
  }

  destroy(): void {
    this.destroyed.push('context');
  }
}

/** The engine; `contexts` are the opened ones. */
export class FakeEngine implements Engine {
  readonly name = 'fake';
  readonly contexts: FakeContext[] = [];

  constructor(private readonly limits: MLOpSupportLimits = {}) {}

  async open(): Promise<EngineContext> {
    const context = new FakeContext(this.limits);
    this.contexts.push(context);
    return context;
  }
}

function compute(graph: RecordedGraph, inputs: readonly EngineTensor[], outputs: readonly EngineTensor[]): void {
  const values = new Map<number, Values>();
  for (const [index, { operand }] of graph.inputs.entries()) {
    values.set(operand, floats((inputs[index] as FakeTensor).bytes));
  }
  for (const { operand, bytes } of graph.constants) values.set(operand, floats(bytes));
  for (const operator of graph.operators) values.set(operator.outputs[0] as number, result(operator, values));
  for (const [index, { operand }] of graph.outputs.entries()) {
    outputs[index]?.write(new Uint8Array((values.get(operand) as Values).buffer));
  }
}

function result({ op, operands }: RecordedOperator, values: Map<number, Values>): Values {
  const [a, b] = Object.values(operands).map((id) => values.get(id as number) as Values);
  const compute = FUNCTIONS[op] as (a: number, b: number) => number;
  return (a as Values).map((value, index) => compute(value, b?.[b.length === 1 ? 0 : index] ?? 0));
}

function floats(bytes: Uint8Array): Values {
  return new Float32Array(bytes.slice().buffer);
}
