/** Runs graphs of one operator each on WebNN, and survives the loss of its contexts. */

import type { MLContext, MLContextOptions, MLOperand, MLOperandDescriptor, MLTensor } from 'webnn-polyfill';
import { base64Of, bytesOf, type Output } from './compare.js';
import type { ProbeGraph } from './probe_case.js';
import { openContext, pause, type Webnn } from './webnn.js';

/** Where a graph failed: the operator's call, build(), or the run. */
export type Stage = 'operator' | 'build' | 'run';

/** The outcome of a graph: its results, the rejection, the reason of the context's loss, or nothing within the time. */
export type GraphResult =
  | { readonly outputs: readonly Output[] }
  | { readonly stage: Stage; readonly message: string }
  | { readonly stage: Stage; readonly lost: string }
  | { readonly stage: Stage; readonly hangs: true };

/** Time limit of a build or run: graphs have a few elements. */
const HANG_MS = 20_000;
/** The loss may arrive a moment later than the failure that it causes. */
const LOSS_MS = 100;

interface OpenContext {
  readonly context: MLContext;
  lost: string | null;
}

/** Runs graphs on contexts of the same options, one context after another. */
export class Session {
  readonly #webnn: Webnn;
  readonly #options: MLContextOptions;
  #opened: OpenContext | null = null;

  constructor(webnn: Webnn, options: MLContextOptions = {}) {
    this.#webnn = webnn;
    this.#options = options;
  }

  /**
   * Builds and runs a graph.
   *
   * @returns Null if there is no context any more: Chromium creates none after the third crash of its GPU process.
   */
  async run(graph: ProbeGraph): Promise<GraphResult | null> {
    this.#opened ??= await this.#open();
    if (this.#opened === null) return null;
    const result = await this.#run(graph, this.#opened);
    if ('lost' in result || 'hangs' in result) this.#opened = null;
    return result;
  }

  close(): void {
    this.#opened?.context.destroy();
    this.#opened = null;
  }

  async #open(): Promise<OpenContext | null> {
    const context = await openContext(this.#webnn, this.#options);
    if (context === null) return null;
    const opened: OpenContext = { context, lost: null };
    void context.lost.then(({ message }) => {
      opened.lost = message || 'no reason was provided';
    });
    return opened;
  }

  async #run(graph: ProbeGraph, opened: OpenContext): Promise<GraphResult> {
    const at: { stage: Stage } = { stage: 'operator' };
    const timer = pause(HANG_MS).then(() => 'hangs' as const);
    const contextLost = opened.context.lost.then(() => 'lost' as const);
    try {
      const outcome = await Promise.race([compute(this.#webnn, opened.context, graph, at), timer, contextLost]);
      if (outcome === 'hangs') return { stage: at.stage, hangs: true };
      if (outcome === 'lost') return { stage: at.stage, lost: opened.lost ?? '' };
      return { outputs: outcome };
    } catch (error) {
      if (at.stage !== 'operator') await Promise.race([opened.context.lost, pause(LOSS_MS)]);
      if (opened.lost !== null) return { stage: at.stage, lost: opened.lost };
      const { name, message } = error as Error;
      return { stage: at.stage, message: `${name}: ${message}` };
    }
  }
}

async function compute(
  { MLGraphBuilder }: Webnn,
  context: MLContext,
  { inputs, constants, operators: [{ op, args }] }: ProbeGraph,
  at: { stage: Stage },
): Promise<Output[]> {
  const builder = new MLGraphBuilder(context);
  const operands = new Map<number, MLOperand>();
  for (const { id, name, ...rest } of inputs) operands.set(id, builder.input(name, descriptorOf(rest)));
  // Bytes instead of arrays of the type: not every browser has all of them.
  for (const { id, data, ...rest } of constants) operands.set(id, builder.constant(descriptorOf(rest), bytesOf(data)));
  const call = builder[op as 'add'] as unknown as (...args: unknown[]) => MLOperand | MLOperand[];
  const result = call.apply(
    builder,
    args.map((argument) => resolved(argument, operands)),
  );
  const results = Array.isArray(result) ? result : [result];
  at.stage = 'build';
  const graph = await builder.build(Object.fromEntries(results.map((operand, index) => [`y${index}`, operand])));
  at.stage = 'run';
  const tensors: MLTensor[] = [];
  const tensor = async (like: TypeAndShape, use: object) => {
    const one = await context.createTensor({ ...descriptorOf(like), ...use });
    tensors.push(one);
    return one;
  };
  const inputTensors: Record<string, MLTensor> = {};
  for (const input of inputs) {
    const one = await tensor(input, { writable: true });
    context.writeTensor(one, bytesOf(input.data));
    inputTensors[input.name] = one;
  }
  const outputTensors: Record<string, MLTensor> = {};
  for (const [index, operand] of results.entries())
    outputTensors[`y${index}`] = await tensor(operand, { readable: true });
  context.dispatch(graph, inputTensors, outputTensors);
  const outputs: Output[] = [];
  for (const [index, { dataType, shape }] of results.entries()) {
    const data = base64Of(await context.readTensor(outputTensors[`y${index}`] as MLTensor));
    outputs.push({ dataType, shape: [...shape], data });
  }
  for (const one of tensors) one.destroy();
  graph.destroy?.();
  return outputs;
}

interface TypeAndShape {
  readonly dataType: string;
  readonly shape: readonly number[];
}

function descriptorOf({ dataType, shape }: TypeAndShape): MLOperandDescriptor {
  return { dataType, shape: [...shape] } as MLOperandDescriptor;
}

/** Inserts the operands into the arguments, and infinities, which JSON lacks. */
function resolved(argument: unknown, operands: ReadonlyMap<number, MLOperand>): unknown {
  if (argument === 'Infinity') return Number.POSITIVE_INFINITY;
  if (argument === '-Infinity') return Number.NEGATIVE_INFINITY;
  if (Array.isArray(argument)) return argument.map((element) => resolved(element, operands));
  if (typeof argument !== 'object' || argument === null) return argument;
  if ('operand' in argument) return operands.get(argument.operand as number);
  return Object.fromEntries(Object.entries(argument).map(([key, value]) => [key, resolved(value, operands)]));
}
