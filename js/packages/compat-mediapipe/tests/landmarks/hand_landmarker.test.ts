import { HandLandmarker } from '@tflite-webnn/compat-mediapipe';
import { TaskModelError } from '@tflite-webnn/tasks';
import { describe, expect, it } from 'vitest';
import {
  expectRegion,
  HEIGHT,
  IMAGE,
  imagePointOf,
  knownDetector,
  knownLandmarks,
  knownTask,
  PALMS,
  type Seen,
  SIDE,
  seenRegion,
  share,
  WIDTH,
} from './known_models.js';

/** In MediaPipe's tasks a hand is upright whose middle finger points there: 90 radians counter-clockwise. */
const UPRIGHT = 90;
const TURN = Math.PI / 6;
const PALM = 12;
const NEAR = 2.6 * PALM;

/** A palm of 12 pixels, turned clockwise. */
function palmAt(x: number, y: number, turn = 0, logit = 2): Seen {
  const [wrist, middle] = [share(x, y), share(x + 6 * Math.cos(UPRIGHT - turn), y - 6 * Math.sin(UPRIGHT - turn))];
  return {
    center: share(x, y),
    size: [PALM / WIDTH, PALM / WIDTH],
    points: [wrist, [0, 0], middle, [0, 0], [0, 0], [0, 0], [0, 0]],
    logit,
  };
}

/** The region of a palm: 2.6 times as large, half a palm towards the fingers. */
const regionOf = (x: number, y: number, turn = 0) => ({
  center: { x: x + (PALM / 2) * Math.sin(turn), y: y - (PALM / 2) * Math.cos(turn) },
  width: NEAR,
  height: NEAR,
  rotation: turn,
});

/** 21 joints in the model's input: a wrist below, and fingers above it. */
const JOINTS = Array.from({ length: 21 }, (_, joint): [number, number, number] => {
  if (joint === 0) return [4, 7, 0.5];
  return [[2, 2, 4, 6, 6][Math.trunc((joint - 1) / 4)] as number, 3, -0.25];
});

async function hands(options = {}) {
  const detector = knownDetector(PALMS);
  const { fake, values } = knownLandmarks({ points: [1, 63], presence: [1, 1], side: [1, 1], world: [1, 63] });
  values.points.set(JOINTS.flat());
  values.presence.fill(0.9);
  values.side.fill(0.75);
  values.world.set(Array.from({ length: 63 }, (_, index) => index / 64));
  detector.show(palmAt(48, 34, TURN));
  const bundle = { 'hand_detector.tflite': detector.fake, 'hand_landmarks_detector.tflite': fake };
  const { task, ran } = await knownTask(HandLandmarker, bundle, options);
  return { task, detector, values, looks: () => ran(fake), detections: () => ran(detector.fake).length };
}

describe('HandLandmarker', () => {
  it('looks at the palm and the fingers, turned upright', async () => {
    const { task, looks } = await hands();
    task.detect(IMAGE);
    expect(looks()).toHaveLength(1);
    expectRegion(seenRegion(looks()[0]), regionOf(48, 34, TURN));
  });

  it('returns joints in the image, and in meters turned alike', async () => {
    const { task } = await hands();
    const { landmarks, worldLandmarks, handedness, handednesses } = task.detect(IMAGE);
    expect(landmarks).toHaveLength(1);
    const depth = (z: number) => expect.closeTo(((z / SIDE) * NEAR) / 0.4 / WIDTH, 4);
    const expected = JOINTS.map(([x, y, z]) => ({
      ...imagePointOf(regionOf(48, 34, TURN), x, y),
      z: depth(z),
      visibility: 0,
    }));
    expect(landmarks[0]).toEqual(expected);
    const [x, y, z] = [3 / 64, 4 / 64, 5 / 64];
    expect(worldLandmarks[0]).toHaveLength(21);
    expect(worldLandmarks[0]?.[1]).toEqual({
      x: expect.closeTo(x * Math.cos(TURN) - y * Math.sin(TURN), 5),
      y: expect.closeTo(x * Math.sin(TURN) + y * Math.cos(TURN), 5),
      z: expect.closeTo(z, 5),
      visibility: 0,
    });
    expect(handedness).toEqual([[{ score: 0.75, index: 0, categoryName: 'Right', displayName: 'Right' }]]);
    expect(handednesses).toEqual(handedness);
  });

  it('knows a left hand by a low probability of a right one', async () => {
    const { task, values } = await hands();
    values.side.fill(0.125);
    expect(task.detect(IMAGE).handedness).toEqual([
      [{ score: 0.875, index: 1, categoryName: 'Left', displayName: 'Left' }],
    ]);
  });

  it.each([
    [{}, 0.5, 0],
    [{}, 0.51, 1],
    [{ minHandPresenceConfidence: 0.3 }, 0.4, 1],
    [{ minHandPresenceConfidence: 0.95 }, 0.9, 0],
  ])('with %j counts a presence of %d for %i hands', async (options, presence, count) => {
    const { task, values } = await hands(options);
    values.presence.fill(presence);
    expect(task.detect(IMAGE).landmarks).toHaveLength(count);
  });

  it('looks at nothing where no palm is likely enough', async () => {
    const { task, looks } = await hands({ minHandDetectionConfidence: 0.9 }); // 2 in log-odds is 0.88
    const none = { landmarks: [], worldLandmarks: [], handedness: [], handednesses: [] };
    expect(task.detect(IMAGE)).toEqual(none);
    expect(looks()).toEqual([]);
  });

  it('finds as many hands as requested, the likeliest first, each once', async () => {
    const { task, detector, values, looks } = await hands({ numHands: 2 });
    detector.show(palmAt(24, 34, 0, 1), palmAt(70, 34, 0, 3));
    const { landmarks } = task.detect(IMAGE);
    expect(landmarks.map(([wrist]) => wrist)).toMatchObject([
      imagePointOf(regionOf(70, 34), 4, 7),
      imagePointOf(regionOf(24, 34), 4, 7),
    ]);
    detector.show(palmAt(48, 34, 0, 3), palmAt(50, 40, 0, 2));
    expect(task.detect(IMAGE).landmarks).toHaveLength(2);
    values.points.set([4, 20], 0); // of hands as long as this, joints at these distances are the same
    expect(task.detect(IMAGE).landmarks).toHaveLength(1);
    await task.setOptions({ numHands: 1 });
    detector.show(palmAt(24, 34, 0, 1), palmAt(70, 34, 0, 3));
    expect(task.detect(IMAGE).landmarks).toHaveLength(1);
    expect(looks()).toHaveLength(7);
  });

  it('follows a hand by its joints, and detects again when it is lost', async () => {
    const { task, values, looks, detections } = await hands({ runningMode: 'VIDEO' });
    task.detectForVideo(IMAGE, 1);
    values.presence.fill(0.1);
    expect(task.detectForVideo(IMAGE, 2).landmarks).toEqual([]);
    expect([detections(), looks().length]).toEqual([1, 2]);
    // The steady joints are half of the first region, around (4, 5) in the model's 8 x 8; it grows twofold, a tenth up.
    const [across, up] = [0, (5 - 0.1 * 4 - 4) / SIDE];
    const { center } = regionOf(48, 34, TURN);
    expectRegion(seenRegion(looks()[1]), {
      center: {
        x: center.x + NEAR * (across * Math.cos(TURN) - up * Math.sin(TURN)),
        y: center.y + NEAR * (across * Math.sin(TURN) + up * Math.cos(TURN)),
      },
      width: NEAR,
      height: NEAR,
      rotation: TURN,
    });
    values.presence.fill(0.9);
    expect(task.detectForVideo(IMAGE, 3).landmarks).toHaveLength(1);
    expect([detections(), looks().length]).toEqual([2, 3]);
  });

  it('clears the earlier frames when options are set', async () => {
    const { task, detections } = await hands({ runningMode: 'VIDEO' });
    task.detectForVideo(IMAGE, 1);
    await task.setOptions({ minHandPresenceConfidence: 0.6 });
    task.detectForVideo(IMAGE, 2);
    expect(detections()).toBe(2);
  });

  it('returns with a promise what it returns synchronously', async () => {
    const { task } = await hands();
    expect(await task.detectAsync(IMAGE)).toEqual(task.detect(IMAGE));
  });

  it('rejects a landmark model with too few outputs', async () => {
    const detector = knownDetector(PALMS);
    detector.show(palmAt(48, HEIGHT / 2));
    const { fake } = knownLandmarks({ points: [1, 63], presence: [1, 1], side: [1, 1] });
    const bundle = { 'hand_detector.tflite': detector.fake, 'hand_landmarks_detector.tflite': fake };
    const { task } = await knownTask(HandLandmarker, bundle);
    expect(() => task.detect(IMAGE)).toThrow(TaskModelError);
    expect(() => task.detect(IMAGE)).toThrow('The landmark model has 3 outputs: it must have 4.');
  });
});
