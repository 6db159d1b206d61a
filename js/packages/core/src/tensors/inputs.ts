/** Checks of what the caller gives to run(): names, element types, shapes. Nothing is converted silently. */

import type { SignatureInfo, TensorInfo } from '../description.js';
import { elementCount, holdsDType, isTypedArray, type TypedArray, typedArrayConstructor } from '../dtypes.js';
import { InputError, kindOf } from '../errors.js';
import { shown } from '../support/option_check.js';
import { inOrder, type Ports } from './ports.js';
import { decodeByteStrings, encodeStrings } from './string_tensors.js';

/** Values of a tensor in row-major order. Strings may also be given as the bytes that encodeStrings() makes. */
export type TensorValues = TypedArray | readonly string[];

/** Values together with their shape. */
export interface ShapedValues {
  /** The values, in row-major order. */
  readonly data: TensorValues;
  /** Their shape: it must be the input's. */
  readonly shape: readonly number[];
}

/** Values of one input, alone or with their shape, which is then checked too. */
export type TensorInput = TensorValues | ShapedValues;

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
 * @throws InputError: each names the input and what was expected.
 */
export function takeInputs(given: ModelInputs, rules: InputRules): TypedArray[] {
  const ordered = isTensorInput(given) ? inputsByPosition([given], rules) : inputsByPosition<TensorInput>(given, rules);
  const { inputs } = rules;
  return ordered.map((input, position) => takeInput(input, inputs[position] as TensorInfo));
}

/**
 * Brings what is given by position or by name into the model's order.
 *
 * @throws InputError where inputs are missing, unknown or too many.
 */
export function inputsByPosition<T>(
  given: readonly T[] | Readonly<Record<string, T>>,
  rules: InputRules,
): readonly T[] {
  return inOrder(given, inputPorts(rules));
}

/** The inputs, as names are resolved for them. */
export function inputPorts({ inputs, signatures }: InputRules): Ports {
  const nameError: Ports['nameError'] = (...given) => new InputError('INPUT_NAME', ...given);
  return { side: 'input', infos: inputs, signatures, nameError };
}

/** A record of two inputs called "data" and "shape" has values in both places. A list of strings is one input. */
export function isTensorInput(given: unknown): given is TensorInput {
  if (Array.isArray(given)) return isListOfStrings(given);
  if (isTypedArray(given)) return true;
  const { data, shape } = (given ?? {}) as { readonly data?: unknown; readonly shape?: unknown };
  return isTensorValues(data) && Array.isArray(shape) && shape.every((size) => typeof size === 'number');
}

function isTensorValues(given: unknown): given is TensorValues {
  return isTypedArray(given) || isListOfStrings(given);
}

function isListOfStrings(given: unknown): given is readonly string[] {
  return Array.isArray(given) && typeof given[0] === 'string';
}

/** Checks one input. */
export function takeInput(given: TensorInput, info: TensorInfo): TypedArray {
  if (isJustRight(given, info)) return given;
  const { data, shape } = (given ?? {}) as Partial<ShapedValues>;
  return takeValues(data ?? (given as TensorValues), shape ?? null, info);
}

/** What nearly every run is given. Whoever runs a small model feels each look at it. */
function isJustRight(given: TensorInput, { dtype, sizeBytes }: TensorInfo): given is TypedArray {
  return isTypedArray(given) && given.byteLength === sizeBytes && dtype !== 'string' && holdsDType(given, dtype);
}

/**
 * Checks arrays that have waited for their run.
 *
 * @throws InputError for one whose buffer is gone.
 */
export function checkHeld(inputs: readonly (TypedArray | undefined)[], infos: readonly TensorInfo[]): void {
  for (const [position, values] of inputs.entries()) {
    const info = infos[position] as TensorInfo;
    if (values?.byteLength !== 0 || (info.sizeBytes === 0 && info.dtype !== 'string')) continue;
    const what = `The values of input ${info.name} were moved to another thread before the run began`;
    throw new InputError(
      'INPUT_SHAPE',
      `${what}. Transfer the array only after run() has resolved, or pass a copy.`,
      detailsOf(info),
    );
  }
}

function takeValues(data: TensorValues, shape: readonly number[] | null, info: TensorInfo): TypedArray {
  if (shape !== null && !isSameShape(shape, info.shape)) {
    const found = `shape [${Array.from(shape, shown).join(', ')}], ${data.length ?? 0} elements`;
    throw new InputError('INPUT_SHAPE', `${expected(info)}; got ${found}.`, detailsOf(info));
  }
  if (info.dtype === 'string') return takeStrings(data, info);
  if (!isTypedArray(data)) {
    const array = typedArrayConstructor(info.dtype)?.name ?? 'Float32Array';
    const type = `${info.dtype}[${info.shape.join(', ')}]`;
    const message = `Input ${info.name} must be a typed array for ${type}; got ${kindOf(data)}. Make one: ${array}.from(...).`;
    throw new InputError('INPUT_DTYPE', message, detailsOf(info));
  }
  if (!holdsDType(data, info.dtype)) throw wrongArray(data, info);
  if (data.byteLength === info.sizeBytes) return data;
  throw new InputError('INPUT_SHAPE', `${expected(info)}; got ${data.length} elements.`, detailsOf(info));
}

function takeStrings(data: TensorValues, info: TensorInfo): TypedArray {
  if (isTypedArray(data) ? !holdsDType(data, 'string') : !Array.isArray(data)) {
    const message = `Input ${info.name} is string: a list of strings, or what encodeStrings() makes.`;
    throw new InputError('INPUT_DTYPE', message, detailsOf(info));
  }
  const encoded = isTypedArray(data) ? (data as Uint8Array) : encodeStrings(data as readonly string[]);
  const count = isTypedArray(data) ? countStrings(encoded, info) : (data as readonly string[]).length;
  if (count === elementCount(info.shape)) return encoded;
  throw new InputError('INPUT_SHAPE', `${expected(info)}; got ${count} strings.`, detailsOf(info));
}

/** What does not come from encodeStrings() would be read beyond its end by TFLite. */
function countStrings(encoded: Uint8Array, info: TensorInfo): number {
  try {
    return decodeByteStrings(encoded).length;
  } catch (error) {
    const message = `Input ${info.name} is string; its bytes are none that encodeStrings() makes.`;
    throw new InputError('INPUT_DTYPE', message, { ...detailsOf(info), cause: error });
  }
}

function isSameShape(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && b.every((size, dimension) => size === a[dimension]);
}

function expected({ name, dtype, shape }: TensorInfo): string {
  const parts = dtype.startsWith('complex') ? ' of two numbers each' : '';
  return `Input ${name} is ${dtype}[${shape.join(', ')}] (${elementCount(shape)} elements)${parts}`;
}

function wrongArray(data: TypedArray, info: TensorInfo): InputError {
  const array = typedArrayConstructor(info.dtype);
  const type = `${info.dtype}[${info.shape.join(', ')}]`;
  const isReal = data[Symbol.toStringTag].startsWith('Float');
  const hint = isReal ? `quantize() of the model's input converts real numbers` : 'Convert it first';
  const wanted = array === null ? `${info.dtype}, which JavaScript cannot give yet` : `${type}: a ${array.name}`;
  return new InputError(
    'INPUT_DTYPE',
    `Input ${info.name} is ${wanted}; got a ${data[Symbol.toStringTag]}. ${hint}.`,
    detailsOf(info),
  );
}

function detailsOf({ name, dtype, shape }: TensorInfo) {
  return { details: { input: name, dtype, shape } };
}
