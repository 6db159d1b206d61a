/** One model prepared for several shapes of its inputs. */

import type { TensorInfo } from '../description.js';
import { InputShapeError, InterpreterError } from '../errors.js';
import { type InputRules, inputPorts, inputsByPosition } from '../tensors/inputs.js';
import { namesOf } from '../tensors/ports.js';
import type { RecoveringModel } from './recovering_model.js';
import { type InputShapes, shapesOf } from './shaped_subgraphs.js';

/** Shapes as a caller gives them: of the only input, of all in the model's order, or of some by name. */
export type GivenShapes = readonly number[] | InputShapes | Readonly<Record<string, readonly number[]>>;

/** A change of shapes and back must be cheap; each prepared model holds graphs or a wasm instance of its own. */
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
    throw new InputShapeError(`The model cannot run with inputs of the shapes ${list}: ${error.message}`, {
      cause: error,
      details: { shapes },
    });
  }
}

const SHAPE_FAILURES = ['ALLOCATE_TENSORS_FAILED', 'INVALID_INPUT_SHAPE'];

/** TFLite's sizes are int32. */
const MAX_SIZE = 2 ** 31 - 1;

/**
 * Puts shapes into the model's order; inputs that are not named keep theirs.
 *
 * @throws InputNameError, InputShapeError
 */
export function checkShapes(given: GivenShapes, current: InputShapes, rules: InputRules): InputShapes {
  const isOne = Array.isArray(given) && !given.some(Array.isArray) && current.length === 1;
  const named = isOne ? [given as readonly number[]] : (given as InputShapes | Record<string, readonly number[]>);
  const ordered = inputsByPosition(Array.isArray(named) ? named : withOthers(named as Shapes, rules), rules);
  ordered.forEach((shape, position) => {
    if (Array.isArray(shape) && shape.every((size) => Number.isInteger(size) && size >= 0 && size <= MAX_SIZE)) return;
    const { name } = rules.inputs[position] as TensorInfo;
    throw new InputShapeError(
      `The shape of input ${name} is a list of whole numbers, 0 to ${MAX_SIZE}; got ${String(shape)}.`,
    );
  });
  return ordered;
}

type Shapes = Readonly<Record<string, readonly number[]>>;

/** The given shapes by name, and the present ones of all other inputs. */
function withOthers(given: Shapes, rules: InputRules): Shapes {
  const ports = inputPorts(rules);
  const others = rules.inputs.filter((info) => !namesOf(info, ports).some((name) => Object.hasOwn(given, name)));
  return { ...Object.fromEntries(others.map(({ name, shape }) => [name, shape])), ...given };
}

function keyOf(shapes: InputShapes): string {
  return JSON.stringify(shapes);
}
