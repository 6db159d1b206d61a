/** The model interface of the demos: a loaded model or a test's fake. */

import type { Model } from 'tflite-webnn';

/** Values of an input or output. */
export type Values = Float32Array | Uint8Array | Int8Array;

/** Describes an input or output. */
export interface TensorInfo {
  /** TFLite's tensor index. */
  readonly index: number;
  readonly name: string;
  readonly dtype: string;
  readonly shape: readonly number[];
  readonly quantization: { readonly scales: readonly number[]; readonly zeroPoints: readonly number[] } | null;
}

/** A runnable model. */
export interface Net {
  readonly inputs: readonly TensorInfo[];
  readonly outputs: readonly TensorInfo[];
  /** Signatures with the names of their inputs and outputs. */
  readonly signatures: readonly { readonly outputs: readonly { readonly name: string; readonly tensor: number }[] }[];
  /** Runs the model on its only input; returns values in the order of `outputs`. */
  run(input: Values): Promise<Values[]>;
}

/** A loaded model as a net; its inputs are moved, not copied. */
export function netOf(model: Model): Net {
  return {
    inputs: model.inputs,
    outputs: model.outputs,
    signatures: model.signatures,
    run: async (input) => (await model.run(input, { transfer: true })).map(({ data }) => data as Values),
  };
}

/** Position in a net's outputs of an output named by its first signature. */
export function outputPosition({ signatures, outputs }: Net, name: string): number {
  const tensor = signatures[0]?.outputs.find((output) => output.name === name)?.tensor;
  const position = outputs.findIndex(({ index }) => index === tensor);
  if (position < 0) throw new Error(`The model's signature has no output ${name}.`);
  return position;
}
