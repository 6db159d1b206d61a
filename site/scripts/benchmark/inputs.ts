/** Inputs for any model: smooth waves, the same for every runtime and run. */

/** An input as the package describes it. */
export interface InputInfo {
  readonly name: string;
  readonly dtype: string;
  readonly shape: readonly number[];
}

/** Creates an array of each dtype from a wave between -1 and 1; 32- and 64-bit integers are small, as indices. */
const MAKERS: Readonly<Record<string, (length: number, wave: (index: number) => number) => ArrayBufferView>> = {
  float32: (length, wave) => Float32Array.from({ length }, (_, index) => wave(index)),
  float64: (length, wave) => Float64Array.from({ length }, (_, index) => wave(index)),
  uint8: (length, wave) => Uint8Array.from({ length }, (_, index) => 127.5 * (wave(index) + 1)),
  int8: (length, wave) => Int8Array.from({ length }, (_, index) => 127 * wave(index)),
  int16: (length, wave) => Int16Array.from({ length }, (_, index) => 32767 * wave(index)),
  int32: (length, wave) => Int32Array.from({ length }, (_, index) => wave(index) + 1),
  uint32: (length, wave) => Uint32Array.from({ length }, (_, index) => wave(index) + 1),
  int64: (length, wave) => BigInt64Array.from({ length }, (_, index) => BigInt(Math.floor(wave(index) + 1))),
  bool: (length, wave) => Uint8Array.from({ length }, (_, index) => Number(wave(index) > 0)),
};

/** A model has an input of a type that this page cannot generate. */
export class InputTypeError extends Error {
  override readonly name = 'InputTypeError';
}

/**
 * Generates values for each input.
 *
 * @throws InputTypeError if an input is neither numeric nor bool.
 */
export function makeInputs(infos: readonly InputInfo[]): ArrayBufferView[] {
  return infos.map(({ name, dtype, shape }, input) => {
    const make = MAKERS[dtype];
    if (make === undefined) {
      throw new InputTypeError(
        `The model's input ${name} is of type ${dtype}: this page generates only numeric inputs.`,
      );
    }
    const length = shape.reduce((product, size) => product * size, 1);
    return make(length, (index) => Math.sin(0.013 * index + 0.7 * input) * Math.cos(0.00071 * index));
  });
}
