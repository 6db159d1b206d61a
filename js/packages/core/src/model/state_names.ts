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

/** Tensors by each of their names; some share one. */
type TensorsByName = ReadonlyMap<string, readonly TensorInfo[]>;

/** What can be run, with the names of its tensors. */
interface EntryPoint {
  readonly inputs: TensorsByName;
  readonly outputs: TensorsByName;
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
  const all = { inputs: merged(entries, 'inputs'), outputs: merged(entries, 'outputs') };
  if (!isList(provided)) return found(Object.entries(provided).map(([input, output]) => pairOf(all, input, output)));
  return found(provided.flatMap((name) => (name.includes('*') ? matching(all, name) : [pairOf(all, name, name)])));
}

function isList(provided: StateTensors): provided is readonly string[] {
  return Array.isArray(provided);
}

/** The signatures, and, where a model has none, the tensors by their own names. */
function entryPoints(model: SignatureSource): EntryPoint[] {
  const { inputs, outputs, signatures } = model;
  const bySignature = signatures.map(({ key }) => {
    const { info, subgraph } = findSignature(key, model);
    const named = (names: typeof info.inputs, infos: readonly TensorInfo[]) => {
      const infosOf = grouped(infos.map((port) => [port.index, port]));
      return grouped(names.flatMap(({ name, tensor }) => (infosOf.get(tensor) ?? []).map((port) => [name, port])));
    };
    return { inputs: named(info.inputs, subgraph.inputs), outputs: named(info.outputs, subgraph.outputs) };
  });
  if (bySignature.length > 0) return bySignature;
  const own = (infos: readonly TensorInfo[]) => grouped(infos.map((info) => [info.name, info]));
  return [{ inputs: own(inputs), outputs: own(outputs) }];
}

/** The tensors of all that can be run. */
function merged(entries: readonly EntryPoint[], direction: 'inputs' | 'outputs'): TensorsByName {
  const named = entries.flatMap((entry) => [...entry[direction]]);
  return grouped(named.flatMap(([name, infos]) => infos.map((info) => [name, info])));
}

function grouped<Key, Value>(pairs: readonly (readonly [Key, Value])[]): Map<Key, Value[]> {
  const groups = new Map<Key, Value[]>();
  for (const [key, value] of pairs) {
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [value]);
    else group.push(value);
  }
  return groups;
}

/** The inputs that have the name, type and shape of an output. */
function sameNames({ inputs, outputs }: EntryPoint): StateTensorInfo[] {
  return [...inputs].flatMap(([name, infos]) =>
    infos.filter((info) => canReceive(info, outputs.get(name))).map((info) => infoOf(name, info, name)),
  );
}

/** @throws StateError where the model has no such input or output, or they do not fit. */
function pairOf(entry: EntryPoint, input: string, output: string): StateTensorInfo {
  const [readers, writers] = [entry.inputs.get(input), entry.outputs.get(output)];
  if (readers === undefined) throw unknown('input', input, entry);
  if (writers === undefined) throw unknown('output', output, entry);
  const reader = readers.find((info) => canReceive(info, writers));
  if (reader !== undefined) return infoOf(input, reader, output);
  const [a, b] = [typeText(readers[0] as TensorInfo), typeText(writers[0] as TensorInfo)];
  throw new StateError(`Input ${input} is ${a}, output ${output} is ${b}: a persistent tensor has one type and shape.`);
}

/** All names that fit a pattern and are an input and an output somewhere, of one type and shape. */
function matching(entry: EntryPoint, pattern: string): StateTensorInfo[] {
  const expression = new RegExp(`^${pattern.split('*').map(escaped).join('.*')}$`);
  const tensors = sameNames(entry).filter(({ name }) => expression.test(name));
  if (tensors.length > 0) return tensors;
  throw new StateError(
    `No tensor that is an input and an output, of one type and shape, has a name like ${pattern}. ${namesText(entry)}`,
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
  const outputs = new Set<string>();
  for (const { output } of byName.values()) {
    if (outputs.has(output)) throw new StateError(`Two inputs cannot receive the values of one output: ${output}.`);
    outputs.add(output);
  }
  if (byName.size > 0) return [...byName.values()];
  throw new StateError(
    'No input of the model has the name, type and shape of an output. Name the tensors to keep: ' +
      "createState({ input: 'output' }).",
  );
}

function unknown(direction: Direction, name: string, entry: EntryPoint): StateError {
  const details = { [direction]: name };
  return new StateError(`The model has no ${direction} ${name}. ${namesText(entry)}`, { details });
}

function namesText({ inputs, outputs }: EntryPoint): string {
  const list = (tensors: TensorsByName) => [...tensors.keys()].join(', ');
  return `Its inputs: ${list(inputs)}; its outputs: ${list(outputs)}.`;
}

function infoOf(name: string, { dtype, shape, sizeBytes }: TensorInfo, output: string): StateTensorInfo {
  return { name, output, dtype, shape, sizeBytes };
}

/** Whether an input can receive the values of one of some outputs, and JavaScript hold them, in memory of a known size. */
function canReceive(input: TensorInfo, outputs: readonly TensorInfo[] = []): boolean {
  const { dtype } = input;
  return dtype !== 'string' && typedArrayConstructor(dtype) !== null && outputs.some((info) => isAlike(info, input));
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
  const tensorsFor = (direction: Direction, infos: readonly TensorInfo[]) => {
    const known = new Map(tensors.map((tensor) => [direction === 'input' ? tensor.name : tensor.output, tensor]));
    return namesOf(infos, { direction, signatures: io.signatures }).map((names, position) => {
      const [tensor] = names.flatMap((name) => known.get(name) ?? []);
      const info = infos[position] as TensorInfo;
      if (tensor !== undefined && !isAlike(info, tensor)) throw mismatch(direction, info, tensor);
      return tensor;
    });
  };
  const inputs = tensorsFor('input', io.inputs);
  const outputs = tensorsFor('output', io.outputs);
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
