import { ssdAnchors } from 'tflite-webnn/results';
import { describe, expect, it } from 'vitest';
import { FACE_TASK, findLandmarks, HAND_TASK, type LandmarkTask, POSE_TASK } from '../../demos/landmarks.js';
import type { Net, Values } from '../../demos/net.js';

/** A fake net with a square input: returns the given outputs and records its inputs. */
function answering(size: number, answers: readonly Values[], shapes: readonly (readonly number[])[] = []) {
  const seen: Values[] = [];
  const port = { index: 0, name: 'picture', dtype: 'float32', shape: [1, size, size, 3], quantization: null };
  const net: Net = {
    inputs: [port],
    outputs: answers.map(({ length }, index) => ({ ...port, index, shape: shapes[index] ?? [1, length] })),
    signatures: [],
    run: async (input) => {
      seen.push(input);
      return answers.map((values) => values);
    },
  };
  return { net, seen };
}

/** A detector with one certain detection; box and key points are in pixels of the model's input. */
function detecting({ detector }: LandmarkTask, box: readonly number[]) {
  const anchors = ssdAnchors({ ...detector, aspectRatios: [1], reduceBoxesInLowestLayer: false });
  const numbers = 4 + 2 * detector.keyPoints;
  const [boxes, scores] = [new Float32Array(anchors.length * numbers), new Float32Array(anchors.length).fill(-20)];
  const anchor = anchors[0] as (typeof anchors)[number];
  const offset = [anchor.xCenter * detector.inputSize, anchor.yCenter * detector.inputSize];
  // Numbers 2 and 3 are sizes; all others are positions, relative to the anchor.
  boxes.set(box.map((value, index) => (index === 2 || index === 3 ? value : value - (offset[index % 2] as number))));
  scores[0] = 20;
  const shapes = [
    [1, anchors.length, numbers],
    [1, anchors.length, 1],
  ];
  return answering(detector.inputSize, [boxes, scores], shapes);
}

function white(width: number, height: number) {
  return { width, height, data: new Uint8ClampedArray(width * height * 4).fill(255) };
}

const UPRIGHT_EYES = [54, 60, 74, 60, ...new Array<number>(8).fill(64)];

describe('findLandmarks', () => {
  it('runs on the detected region of a picture that is not square', async () => {
    const detector = detecting(FACE_TASK, [64, 64, 32, 32, ...UPRIGHT_EYES]);
    const points = new Float32Array(468 * 3);
    points.set([0, 0, 0, 192, 192, 0, 96, 96]); // two corners and the centre of the landmark model's input
    const landmarker = answering(192, [points, Float32Array.of(5)]);
    const [face] = await findLandmarks(FACE_TASK, detector.net, landmarker.net, white(400, 200));
    expect(face?.region.center).toEqual({ x: expect.closeTo(200), y: expect.closeTo(100) });
    expect(face?.region.width).toBeCloseTo(150); // 32 of 128 pixels are 100 of 400, times 1.5
    expect(face?.points[0]).toEqual({ x: expect.closeTo(125), y: expect.closeTo(25), z: 0, visibility: 1 });
    expect(face?.points[1]).toEqual({ x: expect.closeTo(275), y: expect.closeTo(175), z: 0, visibility: 1 });
    expect(face?.points[2]).toEqual({ x: expect.closeTo(200), y: expect.closeTo(100), z: 0, visibility: 1 });
  });

  it('letterboxes the detector input with black, in its own range', async () => {
    const detector = detecting(FACE_TASK, [64, 64, 1, 1, ...UPRIGHT_EYES]);
    const landmarker = answering(192, [new Float32Array(468 * 3), Float32Array.of(-5)]);
    const found = await findLandmarks(FACE_TASK, detector.net, landmarker.net, white(400, 200));
    const seen = detector.seen[0] as Float32Array;
    expect(seen.subarray(0, 3)).toEqual(Float32Array.of(-1, -1, -1));
    expect(seen.subarray(128 * 64 * 3, 128 * 64 * 3 + 3)).toEqual(Float32Array.of(1, 1, 1));
    expect(found).toEqual([]); // the landmark model found no face there
  });

  it('rotates a hand upright: wrist below, fingers above', async () => {
    const [wrist, middleFinger] = [
      [70, 96],
      [122, 96],
    ] as const; // the hand points to the right
    const keyPoints = [...wrist, 96, 96, ...middleFinger, ...new Array<number>(8).fill(96)];
    const detector = detecting(HAND_TASK, [96, 96, 40, 40, ...keyPoints]);
    const points = new Float32Array(63);
    points.set([112, 224, 0, 112, 0, 0]); // below and above the landmark model's input
    const landmarker = answering(224, [points, Float32Array.of(0.9)]);
    const [hand] = await findLandmarks(HAND_TASK, detector.net, landmarker.net, white(192, 192));
    expect(hand?.region.rotation).toBeCloseTo(Math.PI / 2);
    expect(hand?.points[0]?.x).toBeLessThan(hand?.points[1]?.x as number);
    expect(hand?.points[0]?.y).toBeCloseTo(96);
  });

  it('refines the points of a body by heat maps, and returns their visibility', async () => {
    const detector = detecting(POSE_TASK, [112, 112, 50, 50, 112, 112, 112, 20, 0, 0, 0, 0]);
    const points = new Float32Array(195);
    points.set([128, 128, 0, 20, 0, 128, 128, 0, -20, 0]);
    const heat = new Float32Array(64 * 64 * 39).fill(-20);
    heat[(34 * 64 + 35) * 39] = 20; // slightly to the right of and below the model's first point
    const landmarker = answering(
      256,
      [points, Float32Array.of(0.9), new Float32Array(), heat],
      [[1, 195], [1, 1], [0], [1, 64, 64, 39]],
    );
    const [body] = await findLandmarks(POSE_TASK, detector.net, landmarker.net, white(224, 224));
    expect(body?.region.width).toBeCloseTo(2 * 92 * 1.25);
    expect(body?.points).toHaveLength(33);
    expect(body?.points[0]?.x).toBeCloseTo(112 + (35 / 64 - 0.5) * 230, 3);
    expect(body?.points[0]?.y).toBeCloseTo(112 + (34 / 64 - 0.5) * 230, 3);
    expect(body?.points[1]).toMatchObject({ x: expect.closeTo(112), y: expect.closeTo(112) }); // cold: it stays
    expect(body?.points.slice(0, 2).map(({ visibility }) => Math.round(visibility))).toEqual([1, 0]);
  });
});
