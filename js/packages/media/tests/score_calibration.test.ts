import { calibrated, calibrateScores } from '@tflite-webnn/media/results';
import { expect, it } from 'vitest';

const sigmoid = { scale: 2, slope: 1, offset: 0, minScore: 0.25 };

it.each([
  ['IDENTITY', 0.5, 2 / (1 + Math.exp(-0.5))],
  ['LOG', 0.5, 2 / (1 + 2)],
  ['INVERSE_LOGISTIC', 0.5, 1],
  ['IDENTITY', 0.125, 0.75], // below the minimum score
] as const)('%s of %d', (scoreTransformation, score, expected) => {
  const calibration = { scoreTransformation, defaultScore: 0.75, sigmoids: [sigmoid, null] };
  expect(calibrated(calibration, 0, score)).toBeCloseTo(expected, 6);
  expect(calibrated(calibration, 1, score)).toBe(0.75);
});

it('goes on below what has a logarithm', () => {
  const calibration = {
    scoreTransformation: 'LOG',
    defaultScore: 0,
    sigmoids: [{ ...sigmoid, minScore: null }],
  } as const;
  expect(calibrated(calibration, 0, 0)).toBeCloseTo(0, 6);
  expect(calibrated(calibration, 0, -1)).toBeGreaterThanOrEqual(0);
});

it('checks the calibration of all scores once', () => {
  let reads = 0;
  const counted = {
    ...sigmoid,
    get scale() {
      reads++;
      return 2;
    },
  };
  const sigmoids = Array.from({ length: 1000 }, () => counted);
  const result = { data: new Float32Array(1000).fill(0.5), shape: [1, 1000] };
  const calibration = { scoreTransformation: 'IDENTITY', defaultScore: 0, sigmoids } as const;
  expect(calibrateScores(result, calibration).data[999]).toBeCloseTo(2 / (1 + Math.exp(-0.5)), 6);
  expect(reads).toBeLessThan(10_000); // a million, if each score checks all
});
