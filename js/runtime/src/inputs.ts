/** Checks of what the caller gives to run(): names, element types, shapes. Nothing is converted silently. */

import type { SignatureInfo, TensorInfo } from './description.js';
import { holdsDType, isTypedArray, type TypedArray, typedArrayConstructor } from './dtypes.js';
import { InputDTypeError, InputNameError, InputShapeError } from './errors.js';

/** Values of one input: an array in row-major order, alone or with its shape, which is then checked too. */
export type TensorInput = TypedArray | { readonly data: TypedArray; readonly shape: readonly number[] };

/** Inputs of a model: the only one, all in the model's order, or by name. */
export type ModelInputs = TensorInput | readonly TensorInput[] | Readonly<Record<string, TensorInput>>;

/** What is known of the inputs that a model takes. */
export interface InputRules {
  readonly inputs: readonly TensorInfo[];
  readonly signatures: readonly SignatureInfo[];
}

/**
 * Brings the inputs into the model's order and checks them.
 *
 * @throws InputNameError, InputShapeError, InputDTypeError: each tells the input and what was expected.
 */
export function takeInputs(given: ModelInputs, rules: InputRules): TypedArray[] {
  const ordered = inOrder(given, rules);
  return rules.inputs.map((info, position) => takeInput(ordered[position] as TensorInput, info));
}

function inOrder(given: ModelInputs, rules: InputRules): readonly TensorInput[] {
  if (isTensorInput(given)) return checkCount([given], rules.inputs);
  if (Array.isArray(given)) return checkCount(given as readonly TensorInput[], rules.inputs);
  if (typeof given !== 'object' || given === null) {
    throw new InputNameError(`Inputs are a typed array, a list of them, or a record by name; got ${String(given)}.`);
  }
  return byName(given as Readonly<Record<string, TensorInput>>, rules);
}

/** A record of two inputs called "data" and "shape" has typed arrays in both places. */
export function isTensorInput(given: unknown): given is TensorInput {
  if (isTypedArray(given)) return true;
  const { data, shape } = (given ?? {}) as { readonly data?: unknown; readonly shape?: unknown };
  return isTypedArray(data) && Array.isArray(shape);
}

function checkCount(given: readonly TensorInput[], inputs: readonly TensorInfo[]): readonly TensorInput[] {
  if (given.length === inputs.length) return given;
  const names = inputs.map(({ name }) => name).join(', ');
  throw new InputNameError(`The model has ${inputs.length} inputs (${names}), but ${given.length} were given.`);
}

function byName(given: Readonly<Record<string, TensorInput>>, rules: InputRules): readonly TensorInput[] {
  const keys = rules.inputs.map((info) => namesOf(info, rules).find((name) => Object.hasOwn(given, name)));
  const missing = rules.inputs.filter((_, position) => keys[position] === undefined).map(({ name }) => name);
  const unknown = Object.keys(given).filter((name) => !keys.includes(name));
  if (missing.length === 0 && unknown.length === 0) return keys.map((key) => given[key as string] as TensorInput);
  const parts = [
    missing.length > 0 ? `missing inputs: ${missing.join(', ')}` : '',
    unknown.length > 0 ? `unknown inputs: ${unknown.join(', ')}` : '',
  ].filter((part) => part !== '');
  const expected = rules.inputs.map((info) => namesOf(info, rules).join(' or ')).join(', ');
  throw new InputNameError(`The inputs do not fit the model: ${parts.join('; ')}. It takes: ${expected}.`, {
    details: { missing, unknown },
  });
}

/** A tensor's own name first, then those that the signatures give it. */
function namesOf({ name, index }: TensorInfo, { signatures }: InputRules): string[] {
  const aliases = signatures.flatMap(({ inputs }) => inputs.filter(({ tensor }) => tensor === index));
  return [...new Set([name, ...aliases.map((alias) => alias.name)])];
}

/** Checks one input. */
export function takeInput(given: TensorInput, info: TensorInfo): TypedArray {
  const { data, shape } = isTypedArray(given) ? { data: given, shape: null } : (given ?? { data: null, shape: null });
  const expected = `${info.dtype}[${info.shape.join(', ')}]`;
  if (!isTypedArray(data)) {
    throw new InputDTypeError(`Input ${info.name} must be a typed array for ${expected}.`, detailsOf(info));
  }
  if (!holdsDType(data, info.dtype)) {
    const array = typedArrayConstructor(info.dtype);
    const wanted = array === null ? `${info.dtype}, which JavaScript cannot give yet` : `${expected}: a ${array.name}`;
    throw new InputDTypeError(
      `Input ${info.name} is ${wanted}; got a ${data[Symbol.toStringTag]}. Convert it first: nothing is cast silently.`,
      detailsOf(info),
    );
  }
  const sameShape = shape === null || String(shape) === String(info.shape);
  if (!sameShape || data.byteLength !== info.sizeBytes) {
    const found = shape === null ? `${data.length} elements` : `shape [${shape.join(', ')}], ${data.length} elements`;
    const count = info.shape.reduce((product, size) => product * size, 1);
    throw new InputShapeError(`Input ${info.name} is ${expected} (${count} elements); got ${found}.`, detailsOf(info));
  }
  return data;
}

function detailsOf({ name, dtype, shape }: TensorInfo) {
  return { details: { input: name, dtype, shape } };
}
