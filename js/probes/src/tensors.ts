/** A graph with its tensors, for measurements. */

import type { MLContext, MLGraph, MLGraphBuilder, MLOperand, MLTensor } from '../../webnn-polyfill/src/index.js';
import type { Webnn } from './webnn.js';

/** The data types of measured operands. */
export type MeasuredType = 'float32' | 'int8' | 'int32';

const ARRAYS = { float32: Float32Array, int8: Int8Array, int32: Int32Array };

/** Adds operands to a graph under construction. */
export class GraphMaker {
  readonly builder: MLGraphBuilder;
  readonly inputs: { name: string; dataType: MeasuredType; shape: readonly number[] }[] = [];

  constructor({ MLGraphBuilder }: Webnn, context: MLContext) {
    this.builder = new MLGraphBuilder(context);
  }

  /** An input. */
  input(shape: readonly number[], dataType: MeasuredType = 'float32'): MLOperand {
    const name = `x${this.inputs.length}`;
    this.inputs.push({ name, dataType, shape });
    return this.builder.input(name, { dataType, shape });
  }

  /** A constant with the values of an input of this type and shape. */
  constant(shape: readonly number[], dataType: MeasuredType = 'float32'): MLOperand {
    return this.builder.constant({ dataType, shape }, waveOf(dataType, shape));
  }

  /** A constant of one number, as an operand of `rank` axes. */
  single(value: number, rank: number, dataType: MeasuredType = 'float32'): MLOperand {
    const shape = new Array<number>(rank).fill(1);
    return this.builder.constant({ dataType, shape }, new ARRAYS[dataType]([value]));
  }
}

/** A built graph, its inputs written. */
export class Runnable {
  readonly #context: MLContext;
  readonly #graph: MLGraph;
  readonly #given: Record<string, MLTensor>;
  readonly #taken: Record<string, MLTensor>;

  private constructor(
    context: MLContext,
    graph: MLGraph,
    given: Record<string, MLTensor>,
    taken: Record<string, MLTensor>,
  ) {
    this.#context = context;
    this.#graph = graph;
    this.#given = given;
    this.#taken = taken;
  }

  /** Builds a graph and its tensors; `outputs` makes the operators and returns their results. */
  static async build(
    webnn: Webnn,
    context: MLContext,
    outputs: (maker: GraphMaker) => readonly MLOperand[],
  ): Promise<Runnable> {
    const maker = new GraphMaker(webnn, context);
    const results = outputs(maker);
    const graph = await maker.builder.build(Object.fromEntries(results.map((one, index) => [`y${index}`, one])));
    const given: Record<string, MLTensor> = {};
    for (const { name, dataType, shape } of maker.inputs) {
      const tensor = await context.createTensor({ dataType, shape: [...shape], writable: true });
      context.writeTensor(tensor, waveOf(dataType, shape));
      given[name] = tensor;
    }
    const taken: Record<string, MLTensor> = {};
    for (const [index, { dataType, shape }] of results.entries()) {
      taken[`y${index}`] = await context.createTensor({ dataType, shape: [...shape], readable: true });
    }
    return new Runnable(context, graph, given, taken);
  }

  /** Runs the graph a number of times and returns the first output. */
  async run(times = 1): Promise<ArrayBuffer> {
    for (let count = 0; count < times; count++) this.#context.dispatch(this.#graph, this.#given, this.#taken);
    return this.#context.readTensor(this.#taken.y0 as MLTensor);
  }

  /** Runs for at least `leastMs`; returns milliseconds per run. */
  async turn(leastMs: number): Promise<number> {
    const start = performance.now();
    let runs = 0;
    do {
      await this.run();
      runs += 1;
    } while (performance.now() - start < leastMs);
    return (performance.now() - start) / runs;
  }

  destroy(): void {
    for (const tensor of [...Object.values(this.#given), ...Object.values(this.#taken)]) tensor.destroy();
    this.#graph.destroy?.();
  }
}

/** A smooth wave: from -1 to 1 for floats, from -100 to 100 for integers. */
function waveOf(dataType: MeasuredType, shape: readonly number[]): InstanceType<(typeof ARRAYS)[MeasuredType]> {
  const values = new ARRAYS[dataType](shape.reduce((product, size) => product * size, 1));
  const scale = dataType === 'float32' ? 1 : 100;
  return values.map((_, index) => scale * Math.sin(index * 0.7) * Math.cos(index * 0.013));
}

/** The middle of a list of numbers. */
export function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[values.length >> 1] as number;
}
