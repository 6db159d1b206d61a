/** One model prepared for several shapes of its inputs. */

import { isShape, isTypedArray, MAX_RANK } from '../dtypes.js';
import { InputError, InterpreterError } from '../errors.js';
import { shown } from '../support/option_check.js';
import { type InputRules, inputPorts, inputsByPosition } from '../tensors/inputs.js';
import { someInOrder } from '../tensors/ports.js';
import type { RecoveringModel } from './recovering_model.js';
import { type InputShapes, shapesOf } from './shaped_subgraphs.js';

/** Shapes as a caller gives them: of the only input, of all in the model's order, or of some by name. */
export type GivenShapes = GivenShape | readonly GivenShape[] | Readonly<Record<string, GivenShape>>;

/** Sizes, whole numbers from 0 on. */
export type GivenShape = readonly number[] | Int32Array;

/** A change of shapes and back must be cheap; each prepared model holds its own graphs or wasm instance. */
const MAX_PREPARED = 4;

/** The prepared models, the least recently used first. The current one is the last. */
export class ShapedModels {
  readonly #prepared = new Map<string, RecoveringModel>();
  #current: RecoveringModel;

  constructor(first: RecoveringModel) {
    this.#current = first;
    this.#prepared.set(keyOf(shapesOf(first.prepared.description)), first);
  }

  get current(): RecoveringModel {
    return this.#current;
  }

  /** Makes the model with these shapes the current one, preparing it where it is not there. */
  async select(shapes: InputShapes): Promise<void> {
    const key = keyOf(shapes);
    const selected = this.#prepared.get(key) ?? (await reshaped(this.#current, shapes));
    this.#prepared.delete(key);
    this.#prepared.set(key, selected);
    this.#current = selected;
    if (this.#prepared.size > MAX_PREPARED) this.#dropOldest();
  }

  /** Frees all of them. */
  release(): void {
    for (const model of this.#prepared.values()) model.release();
    this.#prepared.clear();
  }

  #dropOldest(): void {
    for (const [key, model] of this.#prepared) {
      this.#prepared.delete(key);
      model.release();
      return;
    }
  }
}

/** TFLite finds out whether a model can take shapes when it prepares the nodes. */
async function reshaped(model: RecoveringModel, shapes: InputShapes): Promise<RecoveringModel> {
  try {
    return await model.reshaped(shapes);
  } catch (error) {
    if (!(error instanceof InterpreterError) || !SHAPE_FAILURES.includes(error.code)) throw error;
    const list = shapes.map((shape) => `[${shape.join(', ')}]`).join(', ');
    throw new InputError('INPUT_SHAPE', `The model cannot run with inputs of the shapes ${list}: ${error.message}`, {
      cause: error,
      details: { shapes },
    });
  }
}

const SHAPE_FAILURES = ['ALLOCATE_TENSORS_FAILED', 'INVALID_INPUT_SHAPE'];

/**
 * Puts shapes into the model's order; inputs that are not named keep theirs.
 *
 * @throws InputError
 */
export function checkShapes(given: GivenShapes, rules: InputRules): InputShapes {
  const isOne = rules.inputs.length === 1 && isListOfNumbers(given);
  const listed = isOne ? [given] : given;
  const ordered: readonly unknown[] = Array.isArray(listed)
    ? inputsByPosition<unknown>(listed, rules)
    : someInOrder<unknown>(listed as Readonly<Record<string, unknown>>, inputPorts(rules));
  return rules.inputs.map(({ name, shape: current }, position) => {
    const shape = ordered[position];
    if (shape === undefined) return [...current];
    if (isShape(shape)) return [...shape];
    throw new InputError(
      'INPUT_SHAPE',
      `The shape of input ${name} is a list of at most ${MAX_RANK} whole numbers, 0 to 2147483647; got ` +
        `${shown(shape)}.`,
    );
  });
}

function isListOfNumbers(given: unknown): boolean {
  return isTypedArray(given) || (Array.isArray(given) && given.every((size) => typeof size === 'number'));
}

function keyOf(shapes: InputShapes): string {
  return JSON.stringify(shapes);
}
