/** Mutated files: whatever their bytes are, reading ends soon, with a result or an error of this package. */

import { TFLiteWebnnError } from 'tflite-webnn';
import { openTaskBundle, readModelMetadata } from 'tflite-webnn/metadata';
import { expect, it } from 'vitest';
import { ObjectDetectorOptions } from '../src/generated/mediapipe_schema.js';
import { describedModel, flatbufferOf, zipOf } from './fakes/metadata_model.js';

const SEED = 20_260_727;
const ITERATIONS = 2000;
const MAX_MS = 1000;

const MODEL = describedModel({
  inputs: [[1, 4, 4, 3]],
  outputs: [[1, 3]],
  metadata: {
    name: 'classifier',
    subgraphMetadata: [
      {
        inputTensorMetadata: [{ processUnits: [{ options: { kind: 'NormalizationOptions', mean: [1], std: [2] } }] }],
        outputTensorMetadata: [
          {
            associatedFiles: [
              { name: 'labels.txt', type: 'TENSOR_AXIS_LABELS' },
              { name: 'c.txt', type: 'TENSOR_AXIS_SCORE_CALIBRATION' },
            ],
            processUnits: [{ options: { kind: 'ScoreCalibrationOptions', defaultScore: 1 } }],
            stats: { min: [0], max: [1] },
          },
        ],
        customMetadata: [
          { name: 'DETECTOR_METADATA', data: flatbufferOf(ObjectDetectorOptions, { minParserVersion: '1' }) },
        ],
      },
    ],
  },
  files: { 'labels.txt': 'a\nb\nc', 'c.txt': '1,1,1\n\n1,2,3', 'metadata.json': '{"names": {"0": "a"}}' },
  level: 9,
});
const BUNDLE = zipOf({ 'a.tflite': MODEL, 'b.task': zipOf({ 'c.tflite': MODEL }, 9) });

/** Mulberry32: numbers from 0 to 1, always the same ones. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const VALUES = [0, 1, 0x7f, 0x80, 0xff];

/** A few bytes, or words, become others; sometimes the file is cut, or a part of it is another part. */
function mutated(bytes: Uint8Array, random: () => number): Uint8Array {
  const pick = (count: number) => Math.floor(random() * count);
  const copy = bytes.slice();
  for (let change = 0; change <= pick(4); change++) {
    const at = pick(copy.length);
    const kind = pick(4);
    if (kind === 0) copy[at] = pick(256);
    else if (kind === 1) copy[at] = VALUES[pick(VALUES.length)] as number;
    else if (kind === 2) copy.copyWithin(at, pick(copy.length), pick(copy.length));
    else copy.fill(VALUES[pick(VALUES.length)] as number, at, at + 4);
  }
  return random() < 0.1 ? copy.subarray(0, pick(copy.length)) : copy;
}

async function readModel(bytes: Uint8Array): Promise<void> {
  await readModelMetadata(bytes);
}

async function readBundle(bytes: Uint8Array): Promise<void> {
  const bundle = await openTaskBundle(bytes);
  for (const { name } of bundle.files) {
    if (name.endsWith('.task')) await bundle.open(name);
    else await readModelMetadata(bundle.bytes(name));
  }
}

it.each([
  ['a model', MODEL, readModel],
  ['a bundle', BUNDLE, readBundle],
])(`%s, seed ${SEED}`, async (_, bytes, read) => {
  await read(bytes);
  const random = randomOf(SEED);
  const results = { read: 0, rejected: 0 };
  for (let iteration = 0; iteration < ITERATIONS; iteration++) {
    const changed = mutated(bytes, random);
    const before = process.cpuUsage(); // other programs' time does not count
    try {
      await read(changed);
      results.read++;
    } catch (error) {
      expect(error, `iteration ${iteration}: ${String(error)}`).toBeInstanceOf(TFLiteWebnnError);
      results.rejected++;
    }
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1000, `iteration ${iteration}`).toBeLessThan(MAX_MS);
  }
  expect(Math.min(results.read, results.rejected)).toBeGreaterThan(ITERATIONS / 20);
});
