/** Inputs for a model that nobody knows: smooth waves, the same for every engine and every time. */

/** An input, as the package describes it. */
export interface InputInfo {
  readonly name: string;
  readonly dtype: string;
  readonly shape: readonly number[];
}

/** Arrays by dtype, with the values that a wave from -1 to 1 becomes; indices and lengths stay small. */
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

/** A model has an input that no values can be made up for. */
export class InputTypeError extends Error {
  override readonly name = 'InputTypeError';
}

/**
 * Makes values for each input.
 *
 * @throws InputTypeError where an input's type is not one of numbers or bool.
 */
export function makeInputs(infos: readonly InputInfo[]): ArrayBufferView[] {
  return infos.map(({ name, dtype, shape }, input) => {
    const make = MAKERS[dtype];
    if (make === undefined) {
      throw new InputTypeError(`The model's input ${name} is of type ${dtype}: this page makes numbers only.`);
    }
    const length = shape.reduce((product, size) => product * size, 1);
    return make(length, (index) => Math.sin(0.013 * index + 0.7 * input) * Math.cos(0.00071 * index));
  });
}
