/** Finding a signature and the tensors that it means. */

import type { ModelDescription, SignatureInfo, SignatureTensor, SubgraphInfo, TensorInfo } from '../description.js';
import { SignatureError } from '../errors.js';
import { shown } from '../support/option_check.js';
import type { InputRules } from '../tensors/inputs.js';

/** What is known of a model's signatures. */
export type SignatureSource = Pick<ModelDescription, 'signatures' | 'subgraphs' | 'inputs' | 'outputs'>;

/** A signature together with the tensors that it means. */
export interface FoundSignature {
  readonly info: SignatureInfo;
  /** The tensors of its subgraph. */
  readonly subgraph: SubgraphInfo;
  /** What takeInputs() needs: the names are the signature's only. */
  readonly rules: InputRules;
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
  const named = subgraph.inputs.map((tensor) => ({ ...tensor, name: nameIn(info.inputs, tensor) }));
  return { info, subgraph, rules: { inputs: named, signatures: [] } };
}

/** A tensor's name in a signature, else its own. */
export function nameIn(names: readonly SignatureTensor[], { index, name }: TensorInfo): string {
  return names.find(({ tensor }) => tensor === index)?.name ?? name;
}
