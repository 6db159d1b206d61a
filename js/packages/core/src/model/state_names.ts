/** Which tensors of a model make a state, and where they are among the inputs and outputs of what runs. */

import type { TensorInfo } from '../description.js';
import { typedArrayConstructor } from '../dtypes.js';
import { StateError } from '../errors.js';
import { type Kind, LIST, OBJECT, TEXT } from '../option_schema.js';
import { checkArguments } from '../support/validate_options.js';
import { type Direction, type ModelIO, namesOf, typeText } from '../tensors/inputs_outputs.js';
import { findSignature, type SignatureSource } from './signatures.js';
import type { StateTensorInfo } from './state_tensor.js';

/**
 * Tensors to keep: names that are both an input and an output, where `*` stands for any characters
 * (`['kv_cache_*']`), or outputs by the names of the inputs that receive their values (`{ state_in: 'state_out' }`).
 */
export type StateTensors = readonly string[] | Readonly<Record<string, string>>;

const NAMES: Kind = [
  'a list of names, or outputs by inputs',
  (value) => (LIST[1](value) || OBJECT[1](value)) && Object.values(value as object).every(TEXT[1]),
];

/** A tensor under one of its names. */
interface NamedTensor {
  readonly name: string;
  readonly info: TensorInfo;
}

/** What can be run, with the names of its tensors. */
interface EntryPoint {
  readonly inputs: readonly NamedTensor[];
  readonly outputs: readonly NamedTensor[];
}

/**
 * Finds the tensors of a state in a model.
 *
 * @param provided - Without it, all names that are an input and an output, of one type and shape, of one signature.
 * @throws StateError where there are none, and for names that the model has not.
 */
export function stateTensorsOf(model: SignatureSource, provided?: StateTensors): StateTensorInfo[] {
  const entries = entryPoints(model);
  if (provided === undefined) return found(entries.flatMap(sameNames));
  checkArguments(
    'createState',
    { tensors: provided },
    { tensors: NAMES },
    (...provided) => new StateError(...provided),
  );
  if (!isList(provided))
    return found(Object.entries(provided).map(([input, output]) => pairOf(entries, input, output)));
  return found(
    provided.flatMap((name) => (name.includes('*') ? matching(entries, name) : [pairOf(entries, name, name)])),
  );
}

function isList(provided: StateTensors): provided is readonly string[] {
  return Array.isArray(provided);
}

/** The signatures, and, where a model has none, the tensors by their own names. */
function entryPoints(model: SignatureSource): EntryPoint[] {
  const { inputs, outputs, signatures } = model;
  const bySignature = signatures.map(({ key }) => {
    const { info, subgraph } = findSignature(key, model);
    const named = (names: typeof info.inputs, infos: readonly TensorInfo[]) =>
      names.flatMap(({ name, tensor }) =>
        infos.filter(({ index }) => index === tensor).map((port) => ({ name, info: port })),
      );
    return { inputs: named(info.inputs, subgraph.inputs), outputs: named(info.outputs, subgraph.outputs) };
  });
  if (bySignature.length > 0) return bySignature;
  const own = (direction: Direction, infos: readonly TensorInfo[]) =>
    infos.flatMap((info) =>
      namesOf([info], { direction, signatures })
        .flat()
        .map((name) => ({ name, info })),
    );
  return [{ inputs: own('input', inputs), outputs: own('output', outputs) }];
}

function sameNames({ inputs, outputs }: EntryPoint): StateTensorInfo[] {
  return inputs.flatMap((input) => {
    const output = outputs.find(({ name, info }) => name === input.name && isAlike(info, input.info));
    return output === undefined || !canPersist(input.info) ? [] : [infoOf(input, output.name)];
  });
}

/** @throws StateError where the model has no such input or output, or they do not fit. */
function pairOf(entries: readonly EntryPoint[], input: string, output: string): StateTensorInfo {
  const inputs = entries.flatMap((entry) => entry.inputs.filter(({ name }) => name === input));
  const outputs = entries.flatMap((entry) => entry.outputs.filter(({ name }) => name === output));
  if (inputs.length === 0) throw unknown('input', input, entries);
  if (outputs.length === 0) throw unknown('output', output, entries);
  const reader = inputs.find(({ info }) => outputs.some((writer) => isAlike(writer.info, info)));
  if (reader !== undefined && canPersist(reader.info)) return infoOf(reader, output);
  const [a, b] = [typeText((inputs[0] as NamedTensor).info), typeText((outputs[0] as NamedTensor).info)];
  throw new StateError(`Input ${input} is ${a}, output ${output} is ${b}: a persistent tensor has one type and shape.`);
}

/** All names that fit a pattern and are an input and an output somewhere, of one type and shape. */
function matching(entries: readonly EntryPoint[], pattern: string): StateTensorInfo[] {
  const expression = new RegExp(`^${pattern.split('*').map(escaped).join('.*')}$`);
  const outputs = entries.flatMap((entry) => entry.outputs);
  const tensors = entries.flatMap(({ inputs }) =>
    inputs.filter(({ name, info }) => {
      return (
        expression.test(name) &&
        canPersist(info) &&
        outputs.some((output) => output.name === name && isAlike(output.info, info))
      );
    }),
  );
  if (tensors.length > 0) return tensors.map((input) => infoOf(input, input.name));
  throw new StateError(
    `No tensor that is an input and an output, of one type and shape, has a name like ${pattern}. ${namesText(entries)}`,
    { details: { pattern } },
  );
}

function escaped(text: string): string {
  return text.replace(/[.+?^${}()|[\]\\]/g, '\\$&');
}

/** Each name once. */
function found(tensors: readonly StateTensorInfo[]): StateTensorInfo[] {
  const byName = new Map<string, StateTensorInfo>();
  for (const tensor of tensors) if (!byName.has(tensor.name)) byName.set(tensor.name, tensor);
  const outputs = [...byName.values()].map(({ output }) => output);
  const twice = outputs.find((output, position) => outputs.indexOf(output) < position);
  if (twice !== undefined) throw new StateError(`Two inputs cannot receive the values of one output: ${twice}.`);
  if (byName.size > 0) return [...byName.values()];
  throw new StateError(
    'No input of the model has the name, type and shape of an output. Name the tensors to keep: ' +
      "createState({ input: 'output' }).",
  );
}

function unknown(direction: Direction, name: string, entries: readonly EntryPoint[]): StateError {
  const details = { [direction]: name };
  return new StateError(`The model has no ${direction} ${name}. ${namesText(entries)}`, { details });
}

function namesText(entries: readonly EntryPoint[]): string {
  const list = (direction: 'inputs' | 'outputs') =>
    [...new Set(entries.flatMap((entry) => entry[direction].map(({ name }) => name)))].join(', ');
  return `Its inputs: ${list('inputs')}; its outputs: ${list('outputs')}.`;
}

function infoOf({ name, info: { dtype, shape, sizeBytes } }: NamedTensor, output: string): StateTensorInfo {
  return { name, output, dtype, shape, sizeBytes };
}

/** Whether JavaScript can hold the values, in memory of a known size. */
function canPersist({ dtype }: TensorInfo): boolean {
  return dtype !== 'string' && typedArrayConstructor(dtype) !== null;
}

/** Whether one tensor can receive the values of another one. */
export function isAlike(a: Pick<TensorInfo, 'dtype' | 'shape'>, b: Pick<TensorInfo, 'dtype' | 'shape'>): boolean {
  return a.dtype === b.dtype && String(a.shape) === String(b.shape);
}

/** For each position the state's tensor; undefined where the caller provides or receives the values. */
export interface StateIO {
  readonly inputs: readonly (StateTensorInfo | undefined)[];
  readonly outputs: readonly (StateTensorInfo | undefined)[];
}

/**
 * Finds a state's tensors among inputs and outputs.
 *
 * @throws StateError where there are none, or an input or output has another type or shape than the state's tensor.
 */
export function stateIO(tensors: readonly StateTensorInfo[], io: ModelIO): StateIO {
  const { signatures } = io;
  const tensorFor = (direction: Direction, info: TensorInfo) => {
    const names = namesOf([info], { direction, signatures }).flat();
    const tensor = tensors.find(({ name, output }) => names.includes(direction === 'input' ? name : output));
    if (tensor !== undefined && !isAlike(info, tensor)) throw mismatch(direction, info, tensor);
    return tensor;
  };
  const inputs = io.inputs.map((info) => tensorFor('input', info));
  const outputs = io.outputs.map((info) => tensorFor('output', info));
  if ([...inputs, ...outputs].some((tensor) => tensor !== undefined)) return { inputs, outputs };
  const names = tensors.map(({ name }) => name).join(', ');
  throw new StateError(`What runs has none of the state's tensors (${names}). Run it without the state.`);
}

function mismatch(direction: Direction, info: TensorInfo, tensor: StateTensorInfo): StateError {
  const { name } = info;
  return new StateError(
    `The state has ${tensor.name} as ${typeText(tensor)}, but the ${direction} ${name} is ${typeText(info)}. Create another state after resizeInputs().`,
    { details: { tensor: tensor.name, [direction]: name } },
  );
}
