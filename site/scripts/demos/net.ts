/** What the code of the demos needs to know of a model: a WorkerModel is one, and so is anything that a test makes up. */

/** An array that a model gives or takes. */
export type Values = Float32Array | Uint8Array | Int8Array;

/** Describes an input or output. */
export interface PortInfo {
  /** TFLite's tensor index. */
  readonly index: number;
  readonly name: string;
  readonly dtype: string;
  readonly shape: readonly number[];
  readonly quantization: { readonly scales: readonly number[]; readonly zeroPoints: readonly number[] } | null;
}

/** A model that can be run. */
export interface Net {
  readonly inputs: readonly PortInfo[];
  readonly outputs: readonly PortInfo[];
  /** Names for entry points and what goes in and out of them. */
  readonly signatures: readonly { readonly outputs: readonly { readonly name: string; readonly tensor: number }[] }[];
  /** Runs it on its only input; the results are in the order of `outputs`. */
  run(input: Values): Promise<Values[]>;
}

/** The position in a net's outputs of what its first signature calls so. */
export function outputPosition({ signatures, outputs }: Net, name: string): number {
  const tensor = signatures[0]?.outputs.find((output) => output.name === name)?.tensor;
  const position = outputs.findIndex(({ index }) => index === tensor);
  if (position < 0) throw new Error(`The model has no output that its signature calls ${name}.`);
  return position;
}
