import { type MPMask, PoseLandmarker } from '@tflite-webnn/compat-mediapipe';
import { describe, expect, it, vi } from 'vitest';
import {
  BODIES,
  expectRegion,
  HEIGHT,
  IMAGE,
  imagePointOf,
  knownDetector,
  knownLandmarks,
  knownTask,
  type Seen,
  SIDE,
  seenRegion,
  share,
  WIDTH,
} from './known_models.js';

const [POINTS, HIPS, EDGE] = [39, 33, 34];
const CELLS = 4;
const sigmoid = (logit: number) => 1 / (1 + Math.exp(-logit));

/** A body that lies on its left side: the point over its hips is `radius` pixels to the right. */
const bodyAt = (x: number, y: number, radius = 12, logit = 2): Seen => ({
  center: share(x, y),
  size: [0.1, 0.1],
  points: [share(x, y), share(x + radius, y), [0, 0], [0, 0]],
  logit,
});

/** The circle around it, a quarter larger. */
const regionOf = (x: number, y: number, radius = 12) => ({
  center: { x, y },
  width: 2.5 * radius,
  height: 2.5 * radius,
  rotation: Math.PI / 2,
});

async function bodies(options = {}) {
  const detector = knownDetector(BODIES);
  const { fake, values } = knownLandmarks({
    points: [1, 5 * POINTS],
    presence: [1, 1],
    mask: [1, SIDE, SIDE, 1],
    heatmap: [1, CELLS, CELLS, POINTS],
    world: [1, 3 * POINTS],
  });
  const put = (index: number, ...numbers: number[]) => values.points.set(numbers, 5 * index);
  for (let index = 0; index < POINTS; index++) put(index, index / 5, 1 + index / 8, index / 10, 1, 3);
  put(HIPS, 4, 4, 0, 0, 0);
  put(EDGE, 4, 0.8, 0, 0, 0); // the same circle: the body does not move
  values.presence.fill(0.9);
  values.heatmap.fill(-100);
  values.world.set(Array.from({ length: 3 * POINTS }, (_, index) => index / 128));
  detector.show(bodyAt(48, 32));
  const bundle = { 'pose_detector.tflite': detector.fake, 'pose_landmarks_detector.tflite': fake };
  const { task, ran } = await knownTask(PoseLandmarker, bundle, options);
  return { task, detector, values, put, looks: () => ran(fake), detections: () => ran(detector.fake).length };
}

describe('PoseLandmarker', () => {
  it('returns 33 points in the image, with what is likely of them', async () => {
    const { task, looks } = await bodies();
    const { landmarks, segmentationMasks } = task.detect(IMAGE);
    expectRegion(seenRegion(looks()[0]), regionOf(48, 32));
    const expected = Array.from({ length: 33 }, (_, index) => ({
      ...imagePointOf(regionOf(48, 32), index / 5, 1 + index / 8),
      z: expect.closeTo(((index / 10 / SIDE) * 30) / WIDTH, 5),
      visibility: expect.closeTo(sigmoid(1), 6),
      presence: expect.closeTo(sigmoid(3), 6),
    }));
    expect(landmarks).toEqual([expected]);
    expect(segmentationMasks).toBeUndefined();
  });

  it('returns them in meters, turned as the body is', async () => {
    const { worldLandmarks } = (await bodies()).task.detect(IMAGE);
    const [x, y, z] = [6 / 128, 7 / 128, 8 / 128];
    expect(worldLandmarks[0]).toHaveLength(33);
    const turned = { x: expect.closeTo(-y, 6), y: expect.closeTo(x, 6), z: expect.closeTo(z, 6) };
    expect(worldLandmarks[0]?.[2]).toMatchObject({ ...turned, visibility: expect.closeTo(sigmoid(1), 6) });
  });

  it('moves points to where the heat map is certain', async () => {
    const { task, values } = await bodies();
    const [row, column, point] = [3, 1, 10];
    values.heatmap[(row * CELLS + column) * POINTS + point] = 100;
    const [landmarks = []] = task.detect(IMAGE).landmarks;
    const cell = SIDE / CELLS;
    expect(landmarks[point]).toMatchObject(imagePointOf(regionOf(48, 32), column * cell, row * cell));
    expect(landmarks[11]).toMatchObject(imagePointOf(regionOf(48, 32), 11 / 5, 1 + 11 / 8));
  });

  it.each([
    [{}, 0.5, 0],
    [{ minPosePresenceConfidence: 0.3 }, 0.4, 1],
    [{ minPoseDetectionConfidence: 0.9 }, 0.9, 0],
  ])('with %j counts a presence of %d for %i bodies', async (options, presence, count) => {
    const { task, values } = await bodies(options);
    values.presence.fill(presence);
    expect(task.detect(IMAGE).landmarks).toHaveLength(count);
  });

  it('returns a mask of each body, in the image', async () => {
    const { task, detector, values } = await bodies({ outputSegmentationMasks: true, numPoses: 2 });
    values.mask.fill(2);
    detector.show(bodyAt(20, 32, 8, 3), bodyAt(70, 32, 8, 2));
    const result = task.detect(IMAGE);
    result.close();
    const masks = result.segmentationMasks as MPMask[];
    expect(masks.map(({ width, height }) => [width, height])).toEqual([
      [WIDTH, HEIGHT],
      [WIDTH, HEIGHT],
    ]);
    const at = (mask: MPMask, x: number) => mask.getAsFloat32Array()[32 * WIDTH + x];
    const inside = expect.closeTo(sigmoid(2), 2);
    expect(masks.map((mask) => [at(mask, 20), at(mask, 70)])).toEqual([
      [inside, 0],
      [0, inside],
    ]);
  });

  it('hands the result to a callback', async () => {
    const { task } = await bodies();
    const callback = vi.fn();
    expect(task.detect(IMAGE, callback)).toBeUndefined();
    expect(callback.mock.calls[0]?.[0].landmarks).toHaveLength(1);
  });

  it('follows a body by its two hidden points, and detects again when it is lost', async () => {
    const { task, values, put, looks, detections } = await bodies({ runningMode: 'VIDEO' });
    put(HIPS, 5, 4, 0, 0, 0);
    put(EDGE, 5, 1.6, 0, 0, 0); // 2.4 of 8 in a region of 30 pixels: a radius of 9
    task.detectForVideo(IMAGE, 1);
    values.presence.fill(0.1);
    task.detectForVideo(IMAGE, 2);
    expect([detections(), looks().length]).toEqual([1, 2]);
    expectRegion(seenRegion(looks()[1]), regionOf(48, 32 + 30 / SIDE, 9));
    values.presence.fill(0.9);
    expect(task.detectForVideo(IMAGE, 3).landmarks).toHaveLength(1);
    expect(detections()).toBe(2);
  });

  it('smooths a single body of a video, and clears its position when it is lost', async () => {
    const { task, values, put } = await bodies({ runningMode: 'VIDEO' });
    const firstAt = (time: number) => task.detectForVideo(IMAGE, time).landmarks[0]?.[0];
    const raw = (x: number) => imagePointOf(regionOf(48, 32), x, 1).y; // a quarter turn: the model's x is the image's y
    put(0, 3, 1, 0, 4, 3);
    expect(firstAt(33)).toMatchObject({ y: raw(3), visibility: expect.closeTo(sigmoid(4), 6) });
    put(0, 3.01, 1, 0, 0, 3);
    const second = firstAt(66) as { y: number; visibility: number };
    const [from, to] = [(32 - 30 / SIDE) / HEIGHT, (32 - (0.99 * 30) / SIDE) / HEIGHT];
    expect(second.y).toBeGreaterThan(from);
    expect(second.y).toBeLessThan(to);
    expect(second.visibility).toBeCloseTo(0.9 * sigmoid(4) + 0.1 * sigmoid(0), 6);
    values.presence.fill(0.1);
    expect(firstAt(99)).toBeUndefined();
    values.presence.fill(0.9);
    expect(firstAt(132)).toMatchObject({ y: raw(3.01) });
  });

  it('does not smooth several bodies', async () => {
    const { task, put } = await bodies({ runningMode: 'VIDEO', numPoses: 2 });
    task.detectForVideo(IMAGE, 1);
    put(0, 3.01, 1, 0, 0, 3);
    const [landmarks = []] = (await task.detectForVideoAsync(IMAGE, 34)).landmarks;
    expect(landmarks[0]).toMatchObject({ ...imagePointOf(regionOf(48, 32), 3.01, 1), visibility: 0.5 });
  });
});
