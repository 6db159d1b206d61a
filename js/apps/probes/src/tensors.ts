/** A graph with its tensors, for measurements. */

import type { MLContext, MLGraph, MLGraphBuilder, MLOperand, MLTensor } from 'webnn-polyfill';
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
}

/** A constant of one number, with `rank` axes. */
export function single(
  builder: MLGraphBuilder,
  value: number,
  rank: number,
  dataType: MeasuredType = 'float32',
): MLOperand {
  const shape = new Array<number>(rank).fill(1);
  return builder.constant({ dataType, shape }, new ARRAYS[dataType]([value]));
}

/** Operators whose input is the result of the graph before. */
type NextGraph = (builder: MLGraphBuilder, operand: MLOperand) => MLOperand;

interface Step {
  readonly graph: MLGraph;
  readonly inputs: Record<string, MLTensor>;
  readonly outputs: { readonly y: MLTensor };
}

/** A built graph, or one after another, with the inputs written. */
export class Runnable {
  readonly #context: MLContext;
  readonly #steps: readonly Step[];

  private constructor(context: MLContext, steps: readonly Step[]) {
    this.#context = context;
    this.#steps = steps;
  }

  /**
   * Builds the graphs and their tensors.
   *
   * @param make - The operators of the first graph; returns its result.
   * @param next - The second graph, if there is one.
   */
  static async build(
    webnn: Webnn,
    context: MLContext,
    make: (maker: GraphMaker) => MLOperand,
    next?: NextGraph,
  ): Promise<Runnable> {
    const maker = new GraphMaker(webnn, context);
    const result = make(maker);
    const inputs: Record<string, MLTensor> = {};
    for (const { name, dataType, shape } of maker.inputs) {
      const tensor = await context.createTensor({ dataType, shape: [...shape], writable: true });
      context.writeTensor(tensor, waveOf(dataType, shape));
      inputs[name] = tensor;
    }
    const steps = [await stepOf(context, maker.builder, result, inputs)];
    if (next) {
      const builder = new webnn.MLGraphBuilder(context);
      const { dataType, shape } = result;
      const operand = builder.input('x', { dataType, shape: [...shape] });
      steps.push(await stepOf(context, builder, next(builder, operand), { x: (steps[0] as Step).outputs.y }));
    }
    return new Runnable(context, steps);
  }

  /** Runs the graphs and returns the last result. */
  async run(): Promise<ArrayBuffer> {
    for (const { graph, inputs, outputs } of this.#steps) this.#context.dispatch(graph, inputs, outputs);
    return this.#context.readTensor((this.#steps.at(-1) as Step).outputs.y);
  }

  /** Runs for at least `minMs`; returns milliseconds per run. */
  async turn(minMs: number): Promise<number> {
    const start = performance.now();
    let runs = 0;
    do {
      await this.run();
      runs += 1;
    } while (performance.now() - start < minMs);
    return (performance.now() - start) / runs;
  }

  destroy(): void {
    const tensors = this.#steps.flatMap(({ inputs, outputs }) => [...Object.values(inputs), outputs.y]);
    for (const tensor of new Set(tensors)) tensor.destroy();
    for (const { graph } of this.#steps) graph.destroy?.();
  }
}

async function stepOf(
  context: MLContext,
  builder: MLGraphBuilder,
  result: MLOperand,
  inputs: Record<string, MLTensor>,
): Promise<Step> {
  const { dataType, shape } = result;
  const graph = await builder.build({ y: result });
  return { graph, inputs, outputs: { y: await context.createTensor({ dataType, shape: [...shape], readable: true }) } };
}

/** A smooth wave: from -1 to 1 for floats, from -100 to 100 for integers. */
function waveOf(dataType: MeasuredType, shape: readonly number[]): InstanceType<(typeof ARRAYS)[MeasuredType]> {
  const values = new ARRAYS[dataType](shape.reduce((product, size) => product * size, 1));
  const scale = dataType === 'float32' ? 1 : 100;
  return values.map((_, index) => scale * Math.sin(index * 0.7) * Math.cos(index * 0.013));
}

/**
 * Times runnables interleaved: the fastest turn of each, in milliseconds per run, which other work on the machine disturbs
 * least.
 */
export async function fastestTurns(
  runnables: readonly Runnable[],
  turns: number,
  minMs: number,
): Promise<readonly number[]> {
  const fastest = runnables.map(() => Number.POSITIVE_INFINITY);
  for (let turn = 0; turn < turns; turn++) {
    for (const [index, runnable] of runnables.entries()) {
      fastest[index] = Math.min(fastest[index] as number, await runnable.turn(minMs));
    }
  }
  return fastest.map((ms) => Number(ms.toPrecision(3)));
}
