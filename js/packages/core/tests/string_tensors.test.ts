import { decodeByteStrings, decodeStrings, encodeStrings, type TensorInfo } from 'tflite-webnn';
import { describe, expect, it } from 'vitest';
import { checkHeld, resolveInputs } from '../src/tensors/inputs_outputs.js';

describe('string tensors', () => {
  it.each([[[]], [['']], [['a']], [['eins', '', 'zwölf 🦊']], [['\ufeff', '\ufeffa\ufeff', '\0']]])(
    '%j is the same after encoding and decoding',
    (texts) => {
      expect(decodeStrings(encodeStrings(texts))).toEqual(texts);
    },
  );

  it('have the layout of TFLite', () => {
    const expected = [2, 0, 0, 0, 16, 0, 0, 0, 17, 0, 0, 0, 19, 0, 0, 0, 0x61, 0x62, 0x63];
    expect(Array.from(encodeStrings(['a', 'bc']))).toEqual(expected);
    expect(decodeByteStrings(encodeStrings([Uint8Array.of(0xff, 0)]))).toEqual([Uint8Array.of(0xff, 0)]);
  });

  it('may begin anywhere in a buffer, and be empty', () => {
    const encoded = encodeStrings(['ab', 'c']);
    const shifted = new Uint8Array(encoded.length + 3);
    shifted.set(encoded, 3);
    expect(decodeStrings(shifted.subarray(3))).toEqual(['ab', 'c']);
    expect(decodeStrings(new Uint8Array())).toEqual([]);
  });

  it.each([
    ['a count beyond the end', [9, 0, 0, 0, 0, 0, 0, 0], '8 encoded bytes cannot be a tensor of 9 strings'],
    ['a negative count', [255, 255, 255, 255, 0, 0, 0, 0], 'a tensor of -1 strings'],
    [
      'offsets beyond the end',
      [1, 0, 0, 0, 12, 0, 0, 0, 99, 0, 0, 0],
      'string 0 of the tensor has the impossible offsets 12 and 99',
    ],
    ['offsets that run backwards', [1, 0, 0, 0, 12, 0, 0, 0, 4, 0, 0, 0], 'offsets 12 and 4'],
    ['a negative offset', [1, 0, 0, 0, 255, 255, 255, 255, 4, 0, 0, 0], 'offsets -1 and 4'],
    ['no space for the count', [1, 0], '2 encoded bytes cannot be a tensor of'],
  ])('are rejected with %s', (_, bytes, message) => {
    expect(() => decodeStrings(Uint8Array.from(bytes))).toThrow(
      expect.objectContaining({ name: 'InputError', code: 'INPUT_VALUE' }),
    );
    expect(() => decodeStrings(Uint8Array.from(bytes))).toThrow(message);
  });
});

describe('string inputs', () => {
  const texts: TensorInfo = {
    index: 0,
    name: 'texts',
    dtype: 'string',
    shape: [2],
    shapeSignature: [2],
    sizeBytes: 0,
    quantization: null,
  };
  const rules = { inputs: [texts], signatures: [] };

  it('are lists of strings, alone, with their shape, in a list, by name, or encoded', () => {
    const encoded = encodeStrings(['a', 'b']);
    const values = ['a', 'b'];
    for (const provided of [values, { data: values, shape: [2] }, [values], { texts: values }, encoded]) {
      expect(resolveInputs(provided, rules)).toEqual([encoded]);
    }
    expect(resolveInputs([[]], { ...rules, inputs: [{ ...texts, shape: [0] }] })).toEqual([encodeStrings([])]);
  });

  it('are as many as the model says', () => {
    expect(() => resolveInputs(['a'], rules)).toThrow(
      expect.objectContaining({ name: 'InputError', code: 'INPUT_SHAPE' }),
    );
    expect(() => resolveInputs(encodeStrings(['a']), rules)).toThrow('got 1 strings');
    expect(() => resolveInputs(new Uint8Array([7]), rules)).toThrow(
      expect.objectContaining({ name: 'InputError', code: 'INPUT_DTYPE' }),
    );
  });

  it('are as many when their run begins: resizeInputs() may come before', () => {
    const data = resolveInputs(['a', 'b'], rules);
    expect(() => checkHeld(data, [texts])).not.toThrow();
    expect(() => checkHeld(data, [{ ...texts, shape: [3] }])).toThrow('got 2 strings');
  });
});
