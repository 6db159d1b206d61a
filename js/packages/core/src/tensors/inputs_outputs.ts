/**
 * Inputs and outputs of a model as callers provide them: by position or name, of the right type and size. Nothing is
 * converted silently.
 */

import type { SignatureInfo, TensorInfo } from '../description.js';
import {
  elementCount,
  holdsDType,
  isTypedArray,
  newArray,
  type TypedArray,
  type TypedArrayConstructor,
  typedArrayConstructor,
} from '../dtypes.js';
import { type ErrorContext, InputError, kindOf, OutputError, type TFLiteWebnnError } from '../errors.js';
import { shown } from '../support/validate_options.js';
import { decodeByteStrings, encodeStrings } from './string_tensors.js';

/** Which of a model's tensors. */
export type Direction = 'input' | 'output';

/** The inputs or the outputs of a model, and the names that they go by. */
export interface TensorList {
  readonly direction: Direction;
  readonly infos: readonly TensorInfo[];
  readonly signatures: readonly SignatureInfo[];
  /** What is thrown where names or numbers do not fit. */
  readonly nameError: (message: string, context?: ErrorContext) => TFLiteWebnnError;
}

/**
 * The names of each of some tensors: its own first, then those in the signatures of the main subgraph, because others
 * count their own tensors. Names are collected once for all tensors.
 */
export function namesOf(
  infos: readonly TensorInfo[],
  { direction, signatures }: Pick<TensorList, 'direction' | 'signatures'>,
): string[][] {
  const names = new Map(infos.map(({ index, name }) => [index, new Set([name])]));
  for (const { subgraph, [`${direction}s` as const]: named } of signatures) {
    if (subgraph === 0) for (const { tensor, name } of named) names.get(tensor)?.add(name);
  }
  return infos.map(({ index }) => [...(names.get(index) as Set<string>)]);
}

/** All names, for messages. */
export function namesText(list: TensorList): string {
  return namesOf(list.infos, list)
    .map((names) => names.join(' or '))
    .join(', ');
}

/**
 * Brings what is provided by position or by name into the model's order.
 *
 * @throws the list's nameError where some are missing, unknown or too many.
 */
export function inOrder<T>(provided: readonly T[] | Readonly<Record<string, T>>, list: TensorList): readonly T[] {
  return ordered(provided, list, true) as readonly T[];
}

/**
 * Brings what is provided for some, by position or by name, into the model's order.
 *
 * @throws the list's nameError where some are unknown or too many.
 */
export function someInOrder<T>(
  provided: readonly T[] | Readonly<Record<string, T>>,
  list: TensorList,
): readonly (T | undefined)[] {
  return ordered(provided, list, false);
}

function ordered<T>(provided: unknown, list: TensorList, isFull: boolean): readonly (T | undefined)[] {
  const { direction, infos, nameError } = list;
  if (Array.isArray(provided)) {
    const { length } = provided;
    if (isFull ? length === infos.length : length <= infos.length) return provided;
    const first = kindOf(provided[0]);
    const names = namesText(list);
    throw nameError(`The model has ${infos.length} ${direction}s (${names}); got ${length}, the first ${first}.`);
  }
  if (typeof provided !== 'object' || provided === null || ArrayBuffer.isView(provided)) {
    const only = direction === 'input' ? ' The data of the only one is a typed array, or a list of strings.' : '';
    throw nameError(
      `The ${direction}s are a list or a record by name; got ${kindOf(provided)}. Expected: ${namesText(list)}.${only}`,
    );
  }
  const keys = namesOf(infos, list).map((names) => names.find((name) => Object.hasOwn(provided, name)));
  const missing = infos.filter((_, position) => isFull && keys[position] === undefined).map(({ name }) => name);
  const known = new Set(keys);
  const unknown = Object.keys(provided).filter((name) => !known.has(name));
  const values = provided as Readonly<Record<string, T>>;
  if (missing.length === 0 && unknown.length === 0) return keys.map((key) => values[key as string]);
  const parts = Object.entries({ missing, unknown }).filter(([, names]) => names.length > 0);
  const problems = parts.map(([what, names]) => `${what} ${direction}s: ${names.join(', ')}`);
  const kind = kindOf(provided);
  if (kind !== 'Object') problems.push(`got ${kind}, no record by name`);
  throw nameError(`The ${direction}s do not fit the model: ${problems.join('; ')}. It has: ${namesText(list)}.`, {
    details: { missing, unknown },
  });
}

/** Values of a tensor in row-major order. Strings may also be provided as the bytes that encodeStrings() makes. */
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

/** The inputs and outputs of what runs, under the names that callers use. */
export interface ModelIO {
  readonly inputs: readonly TensorInfo[];
  readonly outputs: readonly TensorInfo[];
  readonly signatures: readonly SignatureInfo[];
}

export type NamedInputs = Omit<ModelIO, 'outputs'>;

/**
 * Brings the inputs into the model's order and checks them.
 *
 * @throws InputError: each names the input and what was expected.
 */
export function resolveInputs(provided: ModelInputs, rules: NamedInputs): TypedArray[] {
  const { inputs } = rules;
  const values = isTensorInput(provided) ? [provided] : provided;
  // Each function that a run enters costs microseconds when a large model has swept the caches.
  const isInOrder = Array.isArray(values) && values.length === inputs.length;
  const ordered: readonly TensorInput[] = isInOrder ? values : inputsByPosition<TensorInput>(values, rules);
  return ordered.map((input, position) => resolveInput(input, inputs[position] as TensorInfo));
}

/**
 * Brings what is provided by position or by name into the model's order.
 *
 * @throws InputError where inputs are missing, unknown or too many.
 */
export function inputsByPosition<T>(
  provided: readonly T[] | Readonly<Record<string, T>>,
  rules: NamedInputs,
): readonly T[] {
  return inOrder(provided, inputList(rules));
}

/** The inputs, as names are resolved for them. */
export function inputList({ inputs, signatures }: NamedInputs): TensorList {
  const nameError: TensorList['nameError'] = (...provided) => new InputError('INPUT_NAME', ...provided);
  return { direction: 'input', infos: inputs, signatures, nameError };
}

/** A record of two inputs called "data" and "shape" has values for both keys. A list of strings is one input. */
export function isTensorInput(provided: unknown): provided is TensorInput {
  if (Array.isArray(provided)) return isListOfStrings(provided);
  if (isTypedArray(provided)) return true;
  const { data, shape } = (provided ?? {}) as { readonly data?: unknown; readonly shape?: unknown };
  return isTensorValues(data) && Array.isArray(shape) && shape.every((size) => typeof size === 'number');
}

function isTensorValues(provided: unknown): provided is TensorValues {
  return isTypedArray(provided) || isListOfStrings(provided);
}

function isListOfStrings(provided: unknown): provided is readonly string[] {
  return Array.isArray(provided) && typeof provided[0] === 'string';
}

/** Checks one input. */
export function resolveInput(provided: TensorInput, info: TensorInfo): TypedArray {
  if (isJustRight(provided, info)) return provided;
  const { data, shape } = (provided ?? {}) as Partial<ShapedValues>;
  return resolveValues(data ?? (provided as TensorValues), shape ?? null, info);
}

/** What nearly every run gets. Whoever runs a small model feels each look at it. */
function isJustRight(provided: TensorInput, { dtype, sizeBytes }: TensorInfo): provided is TypedArray {
  return (
    isTypedArray(provided) && provided.byteLength === sizeBytes && dtype !== 'string' && holdsDType(provided, dtype)
  );
}

/**
 * Checks arrays that have waited for their run.
 *
 * @throws InputError for one whose buffer is gone, or whose size is another one since resizeInputs().
 */
export function checkHeld(inputs: readonly (TypedArray | undefined)[], infos: readonly TensorInfo[]): void {
  inputs.forEach((values, position) => {
    const info = infos[position] as TensorInfo;
    const isString = info.dtype === 'string';
    if (values?.byteLength === 0 && (isString || info.sizeBytes !== 0)) {
      const what = `The values of input ${info.name} were moved to another thread before the run began`;
      throw new InputError(
        'INPUT_SHAPE',
        `${what}. Transfer the array only after run() has resolved, or pass a copy.`,
        detailsOf(info),
      );
    }
    if (values && (isString || values.byteLength !== info.sizeBytes)) resolveValues(values, null, info);
  });
}

function resolveValues(data: TensorValues, shape: readonly number[] | null, info: TensorInfo): TypedArray {
  if (shape !== null && !isSameShape(shape, info.shape)) {
    const found = `shape [${Array.from(shape, shown).join(', ')}], ${data.length ?? 0} elements`;
    throw new InputError('INPUT_SHAPE', `${expected(info)}; got ${found}.`, detailsOf(info));
  }
  if (info.dtype === 'string') return resolveStrings(data, info);
  if (!isTypedArray(data)) {
    const array = typedArrayConstructor(info.dtype)?.name ?? 'Float32Array';
    const message = `Input ${info.name} must be a typed array for ${typeText(info)}; got ${kindOf(data)}. Make one: ${array}.from(...).`;
    throw new InputError('INPUT_DTYPE', message, detailsOf(info));
  }
  if (!holdsDType(data, info.dtype)) throw wrongArray(data, info);
  if (data.byteLength === info.sizeBytes) return data;
  throw new InputError('INPUT_SHAPE', `${expected(info)}; got ${data.length} elements.`, detailsOf(info));
}

function resolveStrings(data: TensorValues, info: TensorInfo): TypedArray {
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

/** The type of a tensor, for messages: `float32[1, 2]`. */
export function typeText({ dtype, shape }: Pick<TensorInfo, 'dtype' | 'shape'>): string {
  return `${dtype}[${shape.join(', ')}]`;
}

function expected(info: TensorInfo): string {
  const parts = info.dtype.startsWith('complex') ? ' of two numbers each' : '';
  return `Input ${info.name} is ${typeText(info)} (${elementCount(info.shape)} elements)${parts}`;
}

function wrongArray(data: TypedArray, info: TensorInfo): InputError {
  const array = typedArrayConstructor(info.dtype);
  const isReal = data[Symbol.toStringTag].startsWith('Float');
  const hint = isReal ? `quantize() of the model's input converts real numbers` : 'Convert it first';
  const expected =
    array === null ? `${info.dtype}, which JavaScript cannot provide yet` : `${typeText(info)}: a ${array.name}`;
  return new InputError(
    'INPUT_DTYPE',
    `Input ${info.name} is ${expected}; got a ${data[Symbol.toStringTag]}. ${hint}.`,
    detailsOf(info),
  );
}

function detailsOf({ name, dtype, shape }: TensorInfo) {
  return { details: { input: name, dtype, shape } };
}

/** Arrays for outputs, in the model's order; where one is missing, the run makes it. */
export type OutputArrays = readonly (TypedArray | undefined)[];

/** Arrays that results are written into: in the order of `outputs`, or by name. */
export type OutputBuffers = OutputArrays | Readonly<Record<string, TypedArray | undefined>>;

/**
 * Brings output arrays into the model's order and checks them.
 *
 * @throws OutputError
 */
export function resolveOutputs(
  provided: OutputBuffers,
  { outputs, signatures }: Pick<ModelIO, 'outputs' | 'signatures'>,
): OutputArrays {
  const isInOrder = Array.isArray(provided) && provided.length <= outputs.length;
  const arrays: OutputArrays = isInOrder ? provided : someInOrder(provided, outputList(outputs, signatures));
  checkOutputs(arrays, outputs);
  return arrays;
}

function outputList(infos: readonly TensorInfo[], signatures: readonly SignatureInfo[]): TensorList {
  const nameError: TensorList['nameError'] = (...provided) => new OutputError('OUTPUT_BUFFER', ...provided);
  return { direction: 'output', infos, signatures, nameError };
}

/**
 * Checks the output arrays before a run, as far as their size is known.
 *
 * @throws OutputError
 */
export function checkOutputs(provided: OutputArrays, infos: readonly TensorInfo[]): void {
  infos.forEach((info, position) => {
    const output = provided[position];
    if (output === undefined) arrayFor(info);
    else checkOutput(info, output);
  });
}

function checkOutput(info: TensorInfo, output: TypedArray): void {
  checkOutputType(info, output);
  if (!info.shapeSignature.includes(-1) && info.dtype !== 'string') resolveOutput(info, info.sizeBytes, output);
}

/** @throws OutputError where an array is of another type than the values for it. */
export function checkOutputType(info: Pick<TensorInfo, 'name' | 'dtype'>, output: TypedArray): void {
  if (holdsDType(output, info.dtype)) return;
  throw new OutputError('OUTPUT_BUFFER', `Output ${info.name} is ${info.dtype}: a ${arrayFor(info).name} is needed.`);
}

/** The constructor of an output's array. */
function arrayFor({ name, dtype }: Pick<TensorInfo, 'name' | 'dtype'>): TypedArrayConstructor {
  const array = typedArrayConstructor(dtype);
  if (array === null)
    throw new OutputError('OUTPUT_BUFFER', `Output ${name} is ${dtype}: JavaScript cannot hold it yet.`);
  return array;
}

/**
 * The array for an output: the caller's where provided, else a new one.
 *
 * @param sizeBytes - What the tensor holds now; it may differ from run to run where the shape is dynamic.
 * @throws OutputError where the caller's array has another size.
 */
export function resolveOutput(
  info: Pick<TensorInfo, 'name' | 'dtype'>,
  sizeBytes: number,
  provided: TypedArray | undefined,
): TypedArray {
  if (provided === undefined) {
    const array = arrayFor(info);
    return newArray(array, sizeBytes / array.BYTES_PER_ELEMENT, `output ${info.name}`);
  }
  if (provided.byteLength === sizeBytes) return provided;
  throw new OutputError(
    'OUTPUT_BUFFER',
    `Output ${info.name} has ${sizeBytes / provided.BYTES_PER_ELEMENT} elements, but the array for it has ${provided.length}.`,
  );
}

/** The tensors at positions that are defined persist between runs: the caller neither provides nor receives them. */
interface Resident {
  readonly inputs: readonly unknown[];
  readonly outputs: readonly unknown[];
}

/** @internal Inputs and outputs, without those that persist in a state. */
export class CallerIO implements ModelIO {
  readonly signatures: ModelIO['signatures'];
  readonly inputs: readonly TensorInfo[];
  readonly outputs: readonly TensorInfo[];

  /** @param resident - Null if no tensor persists. */
  constructor(
    io: ModelIO,
    private readonly resident: Resident | null,
  ) {
    this.signatures = io.signatures;
    this.inputs = resident === null ? io.inputs : open(io.inputs, resident.inputs);
    this.outputs = resident === null ? io.outputs : open(io.outputs, resident.outputs);
  }

  /** Arrays of the open inputs at the positions of all: those that persist have none. */
  allInputs(arrays: readonly TypedArray[]): readonly TypedArray[] {
    // A run does not look at the gaps.
    return this.resident === null ? arrays : (spread(arrays, this.resident.inputs) as TypedArray[]);
  }

  /** The same for the arrays of outputs. */
  allOutputs(arrays: OutputArrays): OutputArrays {
    return this.resident === null ? arrays : spread(arrays, this.resident.outputs);
  }

  /** What is the caller's of the values of all outputs. */
  ofOutputs<T>(all: readonly T[]): readonly T[] {
    return this.resident === null ? all : open(all, this.resident.outputs);
  }
}

function open<T>(all: readonly T[], resident: readonly unknown[]): T[] {
  return all.filter((_, position) => resident[position] === undefined);
}

function spread(arrays: OutputArrays, resident: readonly unknown[]): (TypedArray | undefined)[] {
  const remaining = [...arrays];
  return resident.map((tensor) => (tensor === undefined ? remaining.shift() : undefined));
}
