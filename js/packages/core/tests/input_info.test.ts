import type { DType, InputInfo, QuantizationInfo, TensorInfo } from 'tflite-webnn';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { resolveInputs } from '../src/tensors/inputs_outputs.js';
import { asInputs } from '../src/tensors/model_tensors.js';
import { FakeContext } from './fakes/fake_webnn.js';
import { loadOn } from './fakes/load_fake.js';
import { DIRECT, sinRunner } from './fakes/sin_model.js';

function inputOf(dtype: DType, quantization: QuantizationInfo | null = null, shape = [4]): InputInfo {
  const info = { index: 0, name: 'x', dtype, shape, shapeSignature: shape, sizeBytes: 4, quantization };
  return asInputs([info])[0] as InputInfo;
}

const BYTES: QuantizationInfo = { scales: [0.5], zeroPoints: [10], quantizedDimension: 0 };

afterEach(() => vi.unstubAllGlobals());

describe('quantize()', () => {
  it('rounds as TFLite does, and stays in the range', () => {
    const input = inputOf('uint8', BYTES);
    expect(input.quantize([0, 0.25, -0.25, 1000, -1000, Number.NaN])).toEqual(Uint8Array.of(10, 11, 9, 255, 0, 0));
    expect(inputOf('int8', BYTES).quantize(Float32Array.of(-100, 100))).toEqual(Int8Array.of(-128, 127));
  });

  it('has a scale for each channel', () => {
    const perChannel = { scales: [1, 2], zeroPoints: [0, 1], quantizedDimension: 1 };
    const input = inputOf('int16', perChannel, [2, 2, 1]);
    expect(input.quantize([4, 4, 6, 6])).toEqual(Int16Array.of(4, 3, 6, 4));
  });

  it('of what is not quantized converts the type', () => {
    expect(inputOf('float32').quantize([0.5, 1])).toEqual(Float32Array.of(0.5, 1));
    expect(inputOf('int32').quantize([1.5, 2 ** 40])).toEqual(Int32Array.of(2, 2 ** 31 - 1));
    expect(inputOf('int64').quantize([-3, 1e30])).toEqual(BigInt64Array.of(-3n, BigInt(2 ** 63 - 2 ** 10)));
    expect(inputOf('uint64').quantize([-3, 1e30])).toEqual(BigUint64Array.of(0n, BigInt(2 ** 64 - 2 ** 11)));
  });

  it('writes the bits of half numbers where JavaScript has no array of them', () => {
    vi.stubGlobal('Float16Array', undefined);
    const values = [1, 0.5, -2, 65_519, 65_520, -0, 6e-8, 2 ** -25, 1 / 3, 2 ** -14 - 2 ** -26, 2049, 2051, Number.NaN];
    const bits = [0x3c00, 0x3800, 0xc000, 0x7bff, 0x7c00, 0x8000, 1, 0, 0x3555, 0x0400, 0x6800, 0x6802, 0x7e00];
    expect(inputOf('float16').quantize(values)).toEqual(Uint16Array.from(bits));
  });

  it('makes no strings, and nothing that JavaScript lacks', () => {
    for (const dtype of ['string', 'int4'] as const)
      expect(() => inputOf(dtype).quantize([1])).toThrow(
        expect.objectContaining({ name: 'InputError', code: 'INPUT_DTYPE' }),
      );
  });

  it('returns what run() accepts, and is named where that is missing', () => {
    const inputs = [inputOf('uint8', BYTES)];
    const rules = { inputs, signatures: [] };
    expect(resolveInputs((inputs[0] as InputInfo).quantize([1, 2, 3, 4]), rules)).toEqual([
      Uint8Array.of(12, 14, 16, 18),
    ]);
    expect(() => resolveInputs(new Float32Array(4), rules)).toThrow(
      /got a Float32Array\. quantize\(\) of the model's input/,
    );
  });

  it('is there in models, and stays behind in copies', async () => {
    const model = await loadOn([new FakeContext()], sinRunner(DIRECT));
    expect(model.inputs[0]?.quantize([1, 2, 3, 4])).toEqual(Float32Array.of(1, 2, 3, 4));
    const copy: TensorInfo = structuredClone(model.inputs[0] as TensorInfo);
    expect(copy).toEqual(model.inputs[0]);
  });
});
