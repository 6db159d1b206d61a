/** Running a model by one of its signatures. */

import { OBJECT } from '../argument_kinds.js';
import type { SubgraphInfo, TensorInfo } from '../description.js';
import { bytesOf, type TypedArray } from '../dtypes.js';
import { SignatureError } from '../errors.js';
import { checkArguments } from '../support/option_check.js';
import { checkHeld, type TensorInput } from '../tensors/inputs.js';
import { type OutputArrays, takeOutput } from '../tensors/outputs.js';
import { type NamedResults, type TensorResult, tensorResult } from '../tensors/results.js';
import type { WasmRunner } from '../wasm/wasm_runner.js';
import { type FoundSignature, nameIn } from './find_signature.js';
import type { NamedPorts, StatePorts } from './state_ports.js';
import { type BoundState, StateRun } from './state_run.js';

/** Inputs of a signature by its names. */
export type SignatureInputs = Readonly<Record<string, TensorInput>>;

/** Arrays for the outputs of a signature by its names. */
export type SignatureOutputs = Readonly<Record<string, TypedArray | undefined>>;

/**
 * The given output arrays in the order of the subgraph's outputs.
 *
 * @param stays - Outputs that stay in a state, and take no arrays.
 * @throws SignatureError for names that the signature has not.
 */
export function outputsInOrder(
  given: SignatureOutputs,
  { info, subgraph }: FoundSignature,
  stays: StatePorts['outputs'] = [],
): OutputArrays {
  const staying = subgraph.outputs.flatMap(({ index }, position) => (stays[position] === undefined ? [] : [index]));
  const open = info.outputs.filter(({ tensor }) => !staying.includes(tensor));
  checkArguments('runSignature', { outputs: given }, { outputs: OBJECT }, (...given) => new SignatureError(...given));
  const unknown = Object.keys(given).filter((name) => !open.some((output) => output.name === name));
  if (unknown.length > 0) {
    const names = open.map(({ name }) => name).join(', ');
    throw new SignatureError(`Signature ${info.key} has no outputs ${unknown.join(', ')}. It has: ${names}.`);
  }
  return subgraph.outputs.map(({ index }) => {
    const name = info.outputs.find(({ tensor }) => tensor === index)?.name;
    return name !== undefined && Object.hasOwn(given, name) ? given[name] : undefined;
  });
}

/** Results of the subgraph, but those that stay in a state, by the signature's names. */
export function resultsByName(
  results: readonly (TensorResult | undefined)[],
  found: FoundSignature,
  stays: StatePorts['outputs'] = [],
): NamedResults {
  const positions = new Map(found.subgraph.outputs.map(({ index }, position) => [index, position]));
  const open = found.info.outputs.filter(({ tensor }) => stays[positions.get(tensor) ?? -1] === undefined);
  const entries = open.map(({ name, tensor }) => {
    const result = results[positions.get(tensor) ?? -1];
    if (result !== undefined) return [name, tensorResult(result, name, result.shape, result.data)] as const;
    throw new SignatureError(`Output ${name} of the signature ${found.info.key} is no output of its subgraph.`);
  });
  return Object.fromEntries(entries);
}

/** The ports of a signature by its names alone. */
export function signaturePorts({ info, subgraph, rules }: FoundSignature): NamedPorts {
  return { ...rules, outputs: subgraph.outputs.map((tensor) => ({ ...tensor, name: nameIn(info.outputs, tensor) })) };
}

/** Runs a subgraph that is not the main one in the main model's wasm instance. */
export async function runSubgraph(
  runner: WasmRunner,
  subgraph: SubgraphInfo,
  data: readonly (TypedArray | undefined)[],
  given: OutputArrays,
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
    runner.invokeSubgraph(index);
    state?.collect();
    const results = outputs.map((info, position) =>
      state?.tensorOf('output', position) ? undefined : resultOf(runner, info, index, given[position]),
    );
    state?.commit();
    return results;
  } finally {
    state?.end();
  }
}

function resultOf(runner: WasmRunner, info: TensorInfo, subgraph: number, given: TypedArray | undefined): TensorResult {
  const source = runner.tensorBytes(info.index, subgraph);
  const output = takeOutput(info, source.byteLength, given);
  bytesOf(output).set(source);
  return tensorResult(info, info.name, runner.tensorShape(info.index, subgraph), output);
}
