import {
  type DType,
  encodeStrings,
  InterpreterError,
  type ModelInputs,
  type TensorInfo,
  type TypedArray,
} from 'tflite-webnn';
import { describe, expect, it } from 'vitest';
import { checkOutputs, resolveInputs, resolveOutput, resolveOutputs } from '../src/tensors/inputs_outputs.js';

function tensor(index: number, name: string, dtype: DType, shape: number[], sizeBytes: number): TensorInfo {
  return { index, name, dtype, shape, shapeSignature: shape, sizeBytes, quantization: null };
}

const IMAGE = tensor(3, 'image', 'uint8', [1, 2, 2], 4);
const SCALE = tensor(7, 'scale:0', 'float32', [1], 4);
const signatures = [{ key: 'main', subgraph: 0, inputs: [{ name: 'scale', tensor: 7 }], outputs: [] }];
const BOTH = { inputs: [IMAGE, SCALE], signatures };
const ONE = { inputs: [SCALE], signatures };

const pixels = new Uint8Array(4);
const scale = new Float32Array(1);

describe('resolveInputs', () => {
  it.each<[string, ModelInputs]>([
    ['a list', [pixels, scale]],
    ['a record by tensor name', { 'scale:0': scale, image: pixels }],
    ['a record by signature name', { scale, image: pixels }],
    ['arrays with shapes', [{ data: pixels, shape: [1, 2, 2] }, scale]],
  ])('accepts %s', (_, provided) => {
    expect(resolveInputs(provided, BOTH)).toEqual([pixels, scale]);
  });

  it('accepts a name that the signature and the tensor share', () => {
    const shared = [{ key: 'main', subgraph: 0, inputs: [{ name: 'image', tensor: 3 }], outputs: [] }];
    expect(() => resolveInputs([], { inputs: [IMAGE], signatures: shared })).toThrow('has 1 inputs (image); got 0');
  });

  it('accepts the only input alone', () => {
    expect(resolveInputs(scale, ONE)).toEqual([scale]);
    expect(resolveInputs({ data: scale, shape: [1] }, ONE)).toEqual([scale]);
  });

  it("accepts a canvas' pixels, which have the same bytes", () => {
    const clamped = new Uint8ClampedArray(4);
    expect(resolveInputs([clamped, scale], BOTH)[0]).toBe(clamped);
  });

  it('accepts inputs called data and shape for inputs, not for an array with its shape', () => {
    const inputs = [
      { ...IMAGE, name: 'data' },
      { ...SCALE, name: 'shape' },
    ];
    expect(resolveInputs({ data: pixels, shape: scale }, { inputs, signatures: [] })).toEqual([pixels, scale]);
    const texts = [inputs[0] as TensorInfo, tensor(7, 'shape', 'string', [2], 0)];
    const provided = { data: pixels, shape: ['a', 'b'] };
    expect(resolveInputs(provided, { inputs: texts, signatures: [] })).toEqual([pixels, encodeStrings(['a', 'b'])]);
  });

  it.each<[ModelInputs, RegExp]>([
    [scale, /has 2 inputs \(image, scale:0 or scale\); got 1, the first Float32Array/],
    [{ image: pixels }, /missing inputs: scale:0.*It has: image, scale:0 or scale/],
    [{ image: pixels, scale, extra: scale }, /unknown inputs: extra/],
    [null as unknown as ModelInputs, /got null/],
    [new ArrayBuffer(4) as unknown as ModelInputs, /missing inputs.*; got ArrayBuffer, no record by name/],
    [new Map([['image', pixels]]) as unknown as ModelInputs, /got Map, no record by name/],
    [new DataView(new ArrayBuffer(4)) as unknown as ModelInputs, /a list or a record by name; got DataView/],
    [[1, 2, 3] as unknown as ModelInputs, /got 3, the first Number/],
    [{ data: [1, 2], shape: [2] } as unknown as ModelInputs, /unknown inputs: data, shape/],
  ])('rejects other names: %o', (provided, message) => {
    expect(() => resolveInputs(provided, BOTH)).toThrow(
      expect.objectContaining({ name: 'InputError', code: 'INPUT_NAME' }),
    );
    expect(() => resolveInputs(provided, BOTH)).toThrow(message);
  });

  it('says what is missing and what is unknown', () => {
    expect(() => resolveInputs({ image: pixels, extra: scale }, BOTH)).toThrow(
      expect.objectContaining({
        message:
          'The inputs do not fit the model: missing inputs: scale:0; unknown inputs: extra. It has: image, scale:0 or scale.',
        details: { missing: ['scale:0'], unknown: ['extra'] },
      }),
    );
  });

  it.each<[unknown]>([[new Float64Array(1)], [new Float32Array(2)], [{ data: scale, shape: [4] }], [[[1]]]])(
    'names the input in the details: %o',
    (provided) => {
      const details = { input: 'scale:0', dtype: 'float32', shape: [1] };
      expect(() => resolveInputs(provided as ModelInputs, ONE)).toThrow(expect.objectContaining({ details }));
    },
  );

  it('rejects another element type and casts nothing', () => {
    expect(() => resolveInputs(new Float64Array(1), ONE)).toThrow(
      expect.objectContaining({ name: 'InputError', code: 'INPUT_DTYPE' }),
    );
    expect(() => resolveInputs(new Float64Array(1), ONE)).toThrow(
      'Input scale:0 is float32[1]: a Float32Array; got a Float64Array',
    );
    expect(() => resolveInputs([[1] as unknown as TypedArray], ONE)).toThrow(
      expect.objectContaining({ name: 'InputError', code: 'INPUT_DTYPE' }),
    );
    expect(() => resolveInputs([new Int8Array(4), scale], BOTH)).toThrow(
      'Input image is uint8[1, 2, 2]: a Uint8Array; got a Int8Array. Convert it first.',
    );
    expect(() => resolveInputs([4, scale] as unknown as ModelInputs, BOTH)).toThrow(
      'Input image must be a typed array for uint8[1, 2, 2]; got Number.',
    );
    expect(() => resolveInputs([1] as unknown as ModelInputs, ONE)).toThrow('float32[1]; got Number.');
    expect(() => resolveInputs([null] as unknown as ModelInputs, ONE)).toThrow(
      'got null. Make one: Float32Array.from(...).',
    );
    expect(() => resolveInputs('text' as unknown as ModelInputs, ONE)).toThrow(
      'got String. Expected: scale:0 or scale. The data of the only one is a typed array, or a list of strings.',
    );
    const strings = { inputs: [{ ...SCALE, dtype: 'string' as const }], signatures: [] };
    expect(() => resolveInputs(new Int8Array(4), strings)).toThrow('string: a list of strings');
    expect(() => resolveInputs([5] as unknown as ModelInputs, strings)).toThrow('string: a list of strings');
    const details = { input: 'scale:0', dtype: 'string', shape: [1] };
    expect(() => resolveInputs(pixels, strings)).toThrow(
      expect.objectContaining({
        message: 'Input scale:0 is string; its bytes are none that encodeStrings() makes.',
        details,
        cause: expect.objectContaining({ name: 'InputError', code: 'INPUT_VALUE' }),
      }),
    );
    expect(() => resolveInputs(new Uint8Array(), strings)).toThrow('got 0 strings.');
    const bits = { inputs: [tensor(0, 'bits', 'int4', [2], 1)], signatures: [] };
    expect(() => resolveInputs(new Int8Array(1), bits)).toThrow(
      'Input bits is int4, which JavaScript cannot provide yet; got a Int8Array. Convert it first.',
    );
  });

  it('rejects another number of elements or another shape', () => {
    expect(() => resolveInputs(new Float32Array(2), ONE)).toThrow(
      expect.objectContaining({ name: 'InputError', code: 'INPUT_SHAPE' }),
    );
    expect(() => resolveInputs(new Float32Array(2), ONE)).toThrow(
      'Input scale:0 is float32[1] (1 elements); got 2 elements.',
    );
    expect(() => resolveInputs([{ data: pixels, shape: [4] }, scale], BOTH)).toThrow('got shape [4], 4 elements');
    expect(() => resolveInputs([{ data: pixels, shape: [1, 2] }, scale], BOTH)).toThrow(
      expect.objectContaining({ name: 'InputError', code: 'INPUT_SHAPE' }),
    );
    expect(() => resolveInputs([{ data: pixels, shape: [2, 2, 1] }, scale], BOTH)).toThrow(
      'Input image is uint8[1, 2, 2] (4 elements); got shape [2, 2, 1], 4 elements.',
    );
    expect(() => resolveInputs([{ shape: [4] }, scale] as unknown as ModelInputs, BOTH)).toThrow(
      'shape [4], 0 elements',
    );
    const complex = { inputs: [tensor(0, 'c', 'complex64', [2], 16)], signatures: [] };
    expect(() => resolveInputs(new Float32Array(2), complex)).toThrow(
      'Input c is complex64[2] (2 elements) of two numbers each; got 2 elements.',
    );
  });
});

describe('outputs', () => {
  it('are new arrays of the right type, or the provided ones', () => {
    expect(resolveOutput(SCALE, 8, undefined)).toEqual(new Float32Array(2));
    expect(resolveOutput(SCALE, 4, scale)).toBe(scale);
    checkOutputs([undefined, scale], [IMAGE, SCALE]);
  });

  it.each<[string, (TypedArray | undefined)[], RegExp]>([
    ['type', [new Float64Array(1)], /a Float32Array is needed/],
    ['size', [new Float32Array(2)], /has 1 elements, but the array for it has 2/],
  ])('must have the right %s', (_, provided, message) => {
    expect(() => checkOutputs(provided, [SCALE])).toThrow(
      expect.objectContaining({ name: 'OutputError', code: 'OUTPUT_BUFFER' }),
    );
    expect(() => checkOutputs(provided, [SCALE])).toThrow(message);
  });

  it.each([[null], ['data'], [new Float32Array(9)]])('are provided in a list or a record: %s', (provided) => {
    const model = { outputs: [SCALE], signatures: [] };
    expect(() => resolveOutputs(provided as unknown as [], model)).toThrow(
      expect.objectContaining({ name: 'OutputError', code: 'OUTPUT_BUFFER' }),
    );
    expect(() => resolveOutputs(provided as unknown as [], model)).toThrow('outputs are a list or a record by name');
  });

  it('are at most as many as the model has', () => {
    const model = { outputs: [SCALE], signatures: [] };
    expect(resolveOutputs([], model)).toEqual([]);
    expect(() => resolveOutputs([scale, scale], model)).toThrow(
      expect.objectContaining({ name: 'OutputError', code: 'OUTPUT_BUFFER' }),
    );
    expect(() => resolveOutputs([scale, scale], model)).toThrow('The model has 1 outputs (scale:0); got 2');
  });

  it('of a dynamic shape are checked by the size that the run found', () => {
    const dynamic = { ...SCALE, shapeSignature: [-1] };
    checkOutputs([new Float32Array(5)], [dynamic]);
    expect(() => resolveOutput(dynamic, 8, new Float32Array(5))).toThrow(
      expect.objectContaining({ name: 'OutputError', code: 'OUTPUT_BUFFER' }),
    );
    checkOutputs([new Uint8Array(9)], [tensor(0, 'text', 'string', [1], 0)]);
  });

  it('that JavaScript cannot hold are rejected', () => {
    expect(() => checkOutputs([], [{ ...SCALE, dtype: 'resource' }])).toThrow('JavaScript cannot hold it yet');
  });
});

it('has no memory for an output of any size', () => {
  const resolve = () => resolveOutput({ name: 'y', dtype: 'float32' }, 2 ** 53, undefined);
  expect(resolve).toThrow(InterpreterError);
  expect(resolve).toThrow('JavaScript has no 9007199254740992 bytes for output y. Dispose of other models');
});
