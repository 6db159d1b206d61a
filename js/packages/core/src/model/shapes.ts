/** One model prepared for several shapes of its inputs, and for the subgraphs that its signatures run. */

import type { InputShapes, SubgraphInfo, TensorInfo } from '../description.js';
import { bytesOf, isShape, isTypedArray, MAX_RANK, type TypedArray } from '../dtypes.js';
import { InputError, InterpreterError, messageOf, WasmTrapError } from '../errors.js';
import { shown } from '../support/validate_options.js';
import {
  checkHeld,
  inputList,
  inputsByPosition,
  type NamedInputs,
  type OutputArrays,
  resolveOutput,
  someInOrder,
} from '../tensors/inputs_outputs.js';
import { type TensorResult, tensorResult } from '../tensors/results.js';
import type { WasmRunner } from '../wasm/wasm_runner.js';
import type { RecoveringModel } from './recovering_model.js';
import type { BoundState } from './state.js';
import { StateRun } from './state_run.js';

/** Shapes as a caller provides them: of the only input, of all in the model's order, or of some by name. */
export type RequestedShapes = RequestedShape | readonly RequestedShape[] | Readonly<Record<string, RequestedShape>>;

/** Sizes, integers from 0 on. */
export type RequestedShape = readonly number[] | Int32Array;

/** A change of shapes and back is cheap; each prepared model holds its own weights in graphs or a wasm instance. */
const DEFAULT_MAX_KEPT = 1;

/** The prepared models, the least recently used first. The current one is the last. */
export class ShapedModels {
  current: RecoveringModel;
  readonly #prepared = new Map<string, RecoveringModel>();
  readonly #maxKept: number;

  constructor(first: RecoveringModel, maxKept = DEFAULT_MAX_KEPT) {
    this.current = first;
    this.#maxKept = maxKept;
    this.#prepared.set(keyOf(shapesOf(first.prepared.description)), first);
  }

  /** Makes the model with these shapes the current one, preparing it where it is not there. */
  async select(shapes: InputShapes): Promise<void> {
    const key = keyOf(shapes);
    const selected = this.#prepared.get(key) ?? (await reshaped(this.current, shapes));
    this.#prepared.delete(key);
    this.#prepared.set(key, selected);
    this.current = selected;
    for (const [oldest, model] of this.#prepared) {
      if (this.#prepared.size <= 1 + this.#maxKept) return;
      model.release();
      this.#prepared.delete(oldest);
    }
  }

  /** Frees all of them. */
  release(): void {
    for (const model of this.#prepared.values()) model.release();
    this.#prepared.clear();
  }
}

/** TFLite finds out whether a model can accept shapes when it prepares the nodes. */
async function reshaped(model: RecoveringModel, shapes: InputShapes): Promise<RecoveringModel> {
  try {
    return await model.reshaped(shapes);
  } catch (error) {
    if (!(error instanceof InterpreterError) || !SHAPE_FAILURES.includes(error.code)) throw error;
    throw cannotRun('model', shapes, error);
  }
}

function cannotRun(what: string, shapes: InputShapes, cause: unknown): InputError {
  const list = shapes.map((shape) => `[${shape.join(', ')}]`).join(', ');
  const message = `The ${what} cannot run with inputs of the shapes ${list}: ${messageOf(cause)}`;
  return new InputError('INPUT_SHAPE', message, { cause, details: { shapes } });
}

const SHAPE_FAILURES = ['ALLOCATE_TENSORS_FAILED', 'INVALID_INPUT_SHAPE'];

/**
 * Puts shapes into the model's order; inputs that are not named keep their shapes.
 *
 * @throws InputError
 */
export function checkShapes(provided: RequestedShapes, rules: NamedInputs): InputShapes {
  const isOne = rules.inputs.length === 1 && isListOfNumbers(provided);
  const listed = isOne ? [provided] : provided;
  const ordered: readonly unknown[] = Array.isArray(listed)
    ? inputsByPosition<unknown>(listed, rules)
    : someInOrder<unknown>(listed as Readonly<Record<string, unknown>>, inputList(rules));
  return rules.inputs.map(({ name, shape: current }, position) => {
    const shape = ordered[position];
    if (shape === undefined) return [...current];
    if (isShape(shape)) return [...shape];
    throw new InputError(
      'INPUT_SHAPE',
      `The shape of input ${name} is a list of at most ${MAX_RANK} integers, 0 to 2147483647; got ` +
        `${shown(shape)}.`,
    );
  });
}

function isListOfNumbers(provided: unknown): boolean {
  return isTypedArray(provided) || (Array.isArray(provided) && provided.every((size) => typeof size === 'number'));
}

function keyOf(shapes: InputShapes): string {
  return JSON.stringify(shapes);
}

/** Inputs, arrays for the outputs, and the state of a run. */
type RunArguments = readonly [
  data: readonly (TypedArray | undefined)[],
  provided: OutputArrays,
  bound?: BoundState | null,
];

/**
 * The subgraphs that run in the main model's wasm instance, whatever becomes of WebNN, with the shapes of those that
 * were resized.
 */
export class ShapedSubgraphs {
  readonly #resized = new Map<number, SubgraphInfo>();
  /** What was applied to which runner: a model gets a new one when it is prepared again. */
  readonly #applied = new WeakMap<WasmRunner, Map<number, SubgraphInfo>>();

  /** The provided subgraphs in the shapes that they have now. */
  current(subgraphs: readonly SubgraphInfo[]): readonly SubgraphInfo[] {
    return this.#resized.size === 0
      ? subgraphs
      : subgraphs.map((subgraph) => this.#resized.get(subgraph.index) ?? subgraph);
  }

  /**
   * Resizes a subgraph's inputs. Where this fails, it keeps the shapes that it has.
   *
   * @throws InputError where the subgraph cannot run with them.
   */
  resize(runner: WasmRunner, subgraph: SubgraphInfo, shapes: InputShapes): void {
    try {
      applyShapes(runner, subgraph, shapes);
    } catch (error) {
      if (error instanceof WasmTrapError) throw error;
      applyShapes(runner, subgraph, shapesOf(subgraph));
      throw cannotRun('signature', shapes, error);
    }
    this.#remember(runner, shapedNow(runner, subgraph));
  }

  /** Runs a subgraph in the shapes that it has now. */
  run(runner: WasmRunner, subgraph: SubgraphInfo, ...provided: RunArguments): Promise<(TensorResult | undefined)[]> {
    const resized = this.#resized.get(subgraph.index);
    if (resized !== undefined && this.#applied.get(runner)?.get(subgraph.index) !== resized) {
      applyShapes(runner, subgraph, shapesOf(resized));
      this.#remember(runner, resized);
    }
    return runSubgraph(runner, subgraph, ...provided);
  }

  #remember(runner: WasmRunner, subgraph: SubgraphInfo): void {
    this.#resized.set(subgraph.index, subgraph);
    const applied = this.#applied.get(runner) ?? new Map<number, SubgraphInfo>();
    this.#applied.set(runner, applied.set(subgraph.index, subgraph));
  }
}

async function runSubgraph(
  runner: WasmRunner,
  subgraph: SubgraphInfo,
  data: readonly (TypedArray | undefined)[],
  provided: OutputArrays,
  bound: BoundState | null = null,
): Promise<(TensorResult | undefined)[]> {
  const { index, inputs, outputs } = subgraph;
  checkHeld(data, inputs);
  runner.allocateSubgraph(index);
  const state = bound === null ? null : await StateRun.ofSubgraph(bound, runner, subgraph);
  try {
    state?.begin();
    inputs.forEach((info, position) => {
      const values = data[position];
      if (values !== undefined) runner.write(info.index, bytesOf(values), index);
    });
    try {
      runner.invokeSubgraph(index);
      state?.collect();
      const results = outputs.map((info, position) =>
        state?.tensorOf('output', position) ? undefined : resultOf(runner, info, index, provided[position]),
      );
      state?.commit();
      return results;
    } catch (error) {
      state?.fail();
      throw error;
    }
  } finally {
    state?.end();
  }
}

function resultOf(
  runner: WasmRunner,
  info: TensorInfo,
  subgraph: number,
  provided: TypedArray | undefined,
): TensorResult {
  const source = runner.tensorBytes(info.index, subgraph);
  const output = resolveOutput(info, source.byteLength, provided);
  bytesOf(output).set(source);
  return tensorResult(info, info.name, runner.tensorShape(info.index, subgraph), output);
}

function applyShapes(runner: WasmRunner, { index: subgraph, inputs }: SubgraphInfo, shapes: InputShapes): void {
  inputs.forEach(({ index }, position) => {
    runner.resizeInput(index, shapes[position] ?? [], false, subgraph);
  });
  runner.allocateSubgraph(subgraph);
}

function shapedNow(runner: WasmRunner, { index, inputs, outputs }: SubgraphInfo): SubgraphInfo {
  const rows = JSON.parse(runner.describeTensors(index)) as readonly TensorInfo[];
  const now = (info: TensorInfo): TensorInfo => {
    const { shape, sizeBytes } = rows[info.index] ?? info;
    return { ...info, shape, sizeBytes };
  };
  return { index, inputs: inputs.map(now), outputs: outputs.map(now) };
}

/** The shapes of a subgraph's inputs. */
export function shapesOf({ inputs }: Pick<SubgraphInfo, 'inputs'>): InputShapes {
  return inputs.map(({ shape }) => shape);
}

/**
 * Models of subgraphs, each prepared when a signature first runs it. One that shares variables with the others, or that
 * WebNN accepts nothing of, as in blocking mode, runs in the main model's wasm instance, unless it must run alone.
 */
export class SubgraphModels {
  /** Null for a subgraph that runs in the main model's instance. */
  readonly #models = new Map<number, ShapedModels | null>();

  readonly #maxKept: number | undefined;

  constructor(maxKept?: number) {
    this.#maxKept = maxKept;
  }

  /** The model of a subgraph; null where it runs in the main model's wasm instance. */
  async modelOf(main: RecoveringModel, subgraph: number): Promise<ShapedModels | null> {
    const known = this.#models.get(subgraph);
    if (known !== undefined) return known;
    const { sharesState, subgraphs } = main.prepared.description;
    const runsAlone = subgraphs.some(({ index, runsAlone }) => index === subgraph && runsAlone);
    const mayBeSeparate = (runsAlone || main.mayUseWebnn) && !sharesState;
    const separated = mayBeSeparate ? await separate(main, subgraph, runsAlone) : null;
    const model = separated && new ShapedModels(separated, this.#maxKept);
    this.#models.set(subgraph, model);
    return model;
  }

  /** The models as they are now, by subgraph: undefined before the first run, null in the main model's instance. */
  current(subgraph: number): RecoveringModel | null | undefined {
    const model = this.#models.get(subgraph);
    return model ? model.current : model;
  }

  /** A subgraph in the shapes that it has now. */
  shaped(subgraph: SubgraphInfo): SubgraphInfo {
    const description = this.current(subgraph.index)?.prepared.description;
    return description ? { ...subgraph, inputs: description.inputs, outputs: description.outputs } : subgraph;
  }

  /** Clears what the models remember from run to run. */
  async resetState(): Promise<void> {
    for (const model of this.#models.values()) await model?.current.resetState();
  }

  /** Frees all of them. */
  release(): void {
    for (const model of this.#models.values()) model?.release();
    this.#models.clear();
  }
}

async function separate(main: RecoveringModel, subgraph: number, runsAlone: boolean): Promise<RecoveringModel | null> {
  const model = await main.ofSubgraph(subgraph, runsAlone);
  const isOnCpu = model.prepared.schedule.mode === 'cpu';
  if (runsAlone || !isOnCpu || main.prepared.runner === null) return model;
  model.release();
  return null;
}
