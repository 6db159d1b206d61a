/** Inputs and outputs of a signature, in the order of its subgraph: the order that LiteRT.js has. */

import type { DType, SignatureInfo, SignatureTensor, TensorInfo, TFLiteModel } from 'tflite-webnn';
import { TensorBufferType } from './buffer_types.js';

/** Description of an input or output. */
export interface TensorDetails {
  /** The signature's name of it; the tensor's own without a signature. */
  readonly name: string;
  /** Its position. */
  readonly index: number;
  /** Element type. */
  readonly dtype: DType;
  /** Its shape. -1 where a size may vary, but for the first one, the batch, which is 1 by default. */
  readonly shape: Int32Array;
  /** Kinds of memory that it may be in: HOST_MEMORY. */
  readonly supportedBufferTypes: ReadonlySet<TensorBufferType>;
}

/** The key that LiteRT gives to a model without signatures. */
const NO_SIGNATURE = '<placeholder signature>';

/** Inputs and outputs of a subgraph with their names in a signature. */
export interface SignaturePorts {
  readonly key: string;
  readonly subgraph: number;
  readonly inputs: readonly TensorInfo[];
  readonly outputs: readonly TensorInfo[];
}

/** The signatures of a model, at least one. */
export function signaturePorts(model: TFLiteModel): SignaturePorts[] {
  const { inputs, outputs, signatures, subgraphs } = model;
  if (signatures.length === 0) return [{ key: NO_SIGNATURE, subgraph: 0, inputs, outputs }];
  const parts = [{ index: 0, inputs, outputs }, ...subgraphs];
  return signatures.map((signature) =>
    named(
      signature,
      parts.find(({ index }) => index === signature.subgraph),
    ),
  );
}

function named(
  { key, subgraph, inputs, outputs }: SignatureInfo,
  part: Pick<SignaturePorts, 'inputs' | 'outputs'> | undefined,
): SignaturePorts {
  const ports = part ?? { inputs: [], outputs: [] };
  // runSignature() returns what the signature names; run(), for the main subgraph, all outputs.
  const isReturned = ({ index }: TensorInfo) => !subgraph || outputs.some(({ tensor }) => tensor === index);
  return {
    key,
    subgraph,
    inputs: withNames(ports.inputs, inputs),
    outputs: withNames(ports.outputs.filter(isReturned), outputs),
  };
}

function withNames(infos: readonly TensorInfo[], names: readonly SignatureTensor[]): TensorInfo[] {
  return infos.map((info) => ({ ...info, name: names.find(({ tensor }) => tensor === info.index)?.name ?? info.name }));
}

/** What a program reads of them. */
export function detailsOf(infos: readonly TensorInfo[]): readonly TensorDetails[] {
  const supportedBufferTypes: ReadonlySet<TensorBufferType> = new Set([TensorBufferType.HOST_MEMORY]);
  return Object.freeze(
    infos.map(({ name, dtype, shape, shapeSignature }, index) => ({
      name,
      index,
      dtype,
      shape: Int32Array.from(shape, (size, dimension) =>
        dimension > 0 && shapeSignature[dimension] === -1 ? -1 : size,
      ),
      supportedBufferTypes,
    })),
  );
}
