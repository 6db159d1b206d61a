import { describe, expect, it } from 'vitest';
import { anchorsOf, type DetectorSpec, readDetections } from '../../demos/detections.js';
import { FACE_TASK, HAND_TASK, POSE_TASK } from '../../demos/landmarks.js';

const SPEC: DetectorSpec = { inputSize: 4, strides: [2], keyPoints: 1, minScore: 0.5 };
const NUMBERS = 6;

/** Outputs of a detector with eight anchors, two in each of four cells. */
function outputs(found: Record<number, { box: number[]; logit: number }>) {
  const boxes = new Float32Array(8 * NUMBERS);
  const scores = new Float32Array(8).fill(-9);
  for (const [anchor, { box, logit }] of Object.entries(found)) {
    boxes.set(box, Number(anchor) * NUMBERS);
    scores[Number(anchor)] = logit;
  }
  return { boxes, scores };
}

describe('anchorsOf', () => {
  it.each([
    ['face', FACE_TASK, 896],
    ['hand', HAND_TASK, 2016],
    ['pose', POSE_TASK, 2254],
  ])('gives as many as the model of %s has', (_, { detector }, count) => {
    expect(anchorsOf(detector)).toHaveLength(count);
  });

  it('returns the centres of the cells, row by row', () => {
    expect(anchorsOf(SPEC).map(({ x, y }) => [x, y])).toEqual([
      [0.25, 0.25],
      [0.25, 0.25],
      [0.75, 0.25],
      [0.75, 0.25],
      [0.25, 0.75],
      [0.25, 0.75],
      [0.75, 0.75],
      [0.75, 0.75],
    ]);
  });
});

describe('readDetections', () => {
  it('adds the model outputs to the anchor', () => {
    const { boxes, scores } = outputs({ 6: { box: [0.4, -0.4, 2, 1, 1, 1], logit: 0 } });
    const [found] = readDetections(boxes, scores, SPEC);
    expect(found?.score).toBe(0.5);
    expect(found?.centre.x).toBeCloseTo(0.85);
    expect(found?.centre.y).toBeCloseTo(0.65);
    expect([found?.width, found?.height]).toEqual([0.5, 0.25]);
    expect(found?.keyPoints).toEqual([{ x: 1, y: 1 }]);
  });

  it('omits detections below the minimum score', () => {
    const { boxes, scores } = outputs({ 1: { box: [0, 0, 2, 2, 0, 0], logit: -0.1 } });
    expect(readDetections(boxes, scores, SPEC)).toEqual([]);
  });

  it('merges overlapping detections, weighted by score, and keeps the others', () => {
    const { boxes, scores } = outputs({
      0: { box: [0, 0, 2, 2, 0, 0], logit: 20 },
      1: { box: [0.4, 0, 2, 2, 0, 0], logit: 20 },
      7: { box: [0, 0, 2, 2, 0, 0], logit: 1 },
    });
    const found = readDetections(boxes, scores, SPEC);
    expect(found).toHaveLength(2);
    expect(found[0]?.centre.x).toBeCloseTo(0.3);
    expect(found[1]?.centre.x).toBeCloseTo(0.75);
  });
});
