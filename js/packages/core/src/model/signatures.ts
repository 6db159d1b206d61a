/** The signatures of a model: result one, and its inputs, outputs and results by its names. */

import type { ModelDescription, SignatureInfo, SignatureTensor, SubgraphInfo, TensorInfo } from '../description.js';
import type { TypedArray } from '../dtypes.js';
import { SignatureError } from '../errors.js';
import { OBJECT } from '../option_schema.js';
import { checkArguments, shown } from '../support/validate_options.js';
import type { ModelIO, OutputArrays, TensorInput } from '../tensors/inputs_outputs.js';
import { type NamedResults, type TensorResult, tensorResult } from '../tensors/results.js';

/** What is known of a model's signatures. */
export type SignatureSource = Pick<ModelDescription, 'signatures' | 'subgraphs' | 'inputs' | 'outputs'>;

/** A signature together with the tensors that it means. */
export interface FoundSignature {
  readonly info: SignatureInfo;
  /** The tensors of its subgraph. */
  readonly subgraph: SubgraphInfo;
  /** Their inputs and outputs under the signature's names alone. */
  readonly io: ModelIO;
}

/**
 * Finds a signature.
 *
 * @throws SignatureError naming those that there are.
 */
export function findSignature(key: string, description: SignatureSource): FoundSignature {
  const { signatures, subgraphs, inputs, outputs } = description;
  const info = signatures.find((signature) => signature.key === key);
  if (info === undefined) {
    const keys = signatures.map((signature) => signature.key).join(', ') || 'none';
    throw new SignatureError(`The model has no signature ${shown(key)}. It has: ${keys}.`, { details: { key } });
  }
  const main: SubgraphInfo = { index: 0, inputs, outputs };
  const subgraph = info.subgraph === 0 ? main : subgraphs.find(({ index }) => index === info.subgraph);
  if (subgraph === undefined) throw new SignatureError(`The subgraph of the signature ${key} is not there.`);
  const io = {
    inputs: named(subgraph.inputs, info.inputs),
    outputs: named(subgraph.outputs, info.outputs),
    signatures: [],
  };
  return { info, subgraph, io };
}

/** Tensors under their names in a signature, else their own. */
function named(tensors: readonly TensorInfo[], signatureTensors: readonly SignatureTensor[]): TensorInfo[] {
  const names = namesByTensor(signatureTensors);
  return tensors.map((info) => {
    const name = names.get(info.index);
    return name === undefined ? info : { ...info, name };
  });
}

/** The first name of each tensor. */
function namesByTensor(tensors: readonly SignatureTensor[]): ReadonlyMap<number, string> {
  const names = new Map<number, string>();
  for (const { name, tensor } of tensors) if (!names.has(tensor)) names.set(tensor, name);
  return names;
}

/** Inputs of a signature by its names. */
export type SignatureInputs = Readonly<Record<string, TensorInput>>;

/** Arrays for the outputs of a signature by its names. */
export type SignatureOutputs = Readonly<Record<string, TypedArray | undefined>>;

/**
 * The provided output arrays in the order of the subgraph's outputs.
 *
 * @param resident - Outputs that persist in a state, and have no arrays.
 * @throws SignatureError for names that the signature has not.
 */
export function outputsInOrder(
  provided: SignatureOutputs,
  { info, subgraph }: FoundSignature,
  resident: readonly unknown[] = [],
): OutputArrays {
  const isKept = (_: unknown, position: number) => resident[position] !== undefined;
  const kept = new Set(subgraph.outputs.filter(isKept).map(({ index }) => index));
  const open = info.outputs.filter(({ tensor }) => !kept.has(tensor));
  checkArguments(
    'runSignature',
    { outputs: provided },
    { outputs: OBJECT },
    (...provided) => new SignatureError(...provided),
  );
  const known = new Set(open.map(({ name }) => name));
  const unknown = Object.keys(provided).filter((name) => !known.has(name));
  if (unknown.length > 0) {
    const names = [...known].join(', ');
    throw new SignatureError(`Signature ${info.key} has no outputs ${unknown.join(', ')}. It has: ${names}.`);
  }
  const names = namesByTensor(info.outputs);
  return subgraph.outputs.map(({ index }) => {
    const name = names.get(index);
    return name !== undefined && Object.hasOwn(provided, name) ? provided[name] : undefined;
  });
}

/** Results of the subgraph, but those that persist in a state, by the signature's names. */
export function resultsByName(
  results: readonly (TensorResult | undefined)[],
  found: FoundSignature,
  resident: readonly unknown[] = [],
): NamedResults {
  const positions = new Map(found.subgraph.outputs.map(({ index }, position) => [index, position]));
  const open = found.info.outputs.filter(({ tensor }) => resident[positions.get(tensor) ?? -1] === undefined);
  const entries = open.map(({ name, tensor }) => {
    const result = results[positions.get(tensor) ?? -1];
    if (result !== undefined) return [name, tensorResult(result, name, result.shape, result.data)] as const;
    throw new SignatureError(`Output ${name} of the signature ${found.info.key} is no output of its subgraph.`);
  });
  return Object.fromEntries(entries);
}
