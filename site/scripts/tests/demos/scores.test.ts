import { strToU8, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { classify } from '../../demos/classification.js';
import { LabelsMissingError, readLabels } from '../../demos/model_labels.js';
import type { Net, Values } from '../../demos/net.js';
import { realValues, topClasses } from '../../demos/scores.js';
import { coverages, personShare } from '../../demos/segmentation.js';

const STEPS = { scales: [0.5], zeroPoints: [10] };

function netOf(dtype: string, answer: Values) {
  const taken: Values[] = [];
  const net: Net = {
    inputs: [{ index: 0, name: 'picture', dtype, shape: [1, 1, 1, 3], quantization: STEPS }],
    outputs: [{ index: 1, name: 'scores', dtype, shape: [1, answer.length], quantization: STEPS }],
    signatures: [],
    run: async (input) => {
      taken.push(input);
      return [answer];
    },
  };
  return { net, taken };
}

const WHITE = { width: 1, height: 1, data: new Uint8ClampedArray([255, 0, 255, 255]) };

describe('classify', () => {
  it('passes pixels unscaled to an integer network, and dequantizes its outputs', async () => {
    const { net, taken } = netOf('uint8', Uint8Array.of(10, 12, 11));
    expect(await classify(net, WHITE, 2)).toEqual([
      { index: 1, score: 1 },
      { index: 2, score: 0.5 },
    ]);
    expect(taken).toEqual([Uint8Array.of(255, 0, 255)]);
  });

  it('passes values from -1 to 1 to a float network', async () => {
    const { net, taken } = netOf('float32', Float32Array.of(0.25));
    await classify(net, WHITE, 1);
    expect(taken).toEqual([Float32Array.of(1, -1, 1)]);
  });
});

describe('topClasses', () => {
  it('orders ties by index', () => {
    expect(topClasses(Float32Array.of(0.5, 0.75, 0.5), 2).map(({ index }) => index)).toEqual([1, 0]);
  });
});

describe('realValues', () => {
  it('returns floats unchanged', () => {
    const values = Float32Array.of(3);
    expect(realValues(values, { index: 0, name: '', dtype: 'float32', shape: [1], quantization: null })).toBe(values);
  });
});

describe('readLabels', () => {
  const model = strToU8('the flatbuffer');

  it('reads the text attached to the file', () => {
    const archive = zipSync({ 'labels.txt': strToU8('tench\ngoldfish\r\ntiger shark\n') });
    // Offsets in an appended archive count from the start of the file, as Python's zipfile writes them.
    const file = appended(model, archive);
    expect(readLabels(file)).toEqual(['tench', 'goldfish', 'tiger shark']);
  });

  it('rejects a file without labels', () => {
    expect(() => readLabels(model)).toThrow(LabelsMissingError);
    expect(() => readLabels(appended(model, zipSync({ 'vocabulary.bin': strToU8('x') })))).toThrow(LabelsMissingError);
  });
});

/** Appends an archive with one entry to a file. */
function appended(file: Uint8Array, archive: Uint8Array): Uint8Array {
  const whole = new Uint8Array([...file, ...archive]);
  const view = new DataView(whole.buffer);
  const end = whole.length - 22; // the end-of-central-directory record
  const directory = view.getUint32(end + 16, true) + file.length;
  view.setUint32(end + 16, directory, true);
  view.setUint32(directory + 42, file.length, true);
  return whole;
}

describe('coverages', () => {
  it('returns shares of the picture, largest first', () => {
    const classes = Uint8Array.of(8, 8, 0, 8);
    expect(coverages({ width: 2, height: 2, classes })).toEqual([
      { index: 8, share: 0.75 },
      { index: 0, share: 0.25 },
    ]);
  });
});

describe('personShare', () => {
  it('counts pixels with a probability above one half', () => {
    expect(personShare({ width: 2, height: 1, shares: Float32Array.of(0.9, 0.2) })).toBe(0.5);
  });
});
