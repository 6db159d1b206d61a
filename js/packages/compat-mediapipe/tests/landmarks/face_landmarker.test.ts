import { FaceDetector, FaceLandmarker } from '@tflite-webnn/compat-mediapipe';
import { TaskModelError } from '@tflite-webnn/tasks';
import { describe, expect, it } from 'vitest';
import { type Fake, tensor } from '../fake_model.js';
import {
  expectRegion,
  FACES,
  FAR_FACES,
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

/** A face of 20 x 14 pixels, or a little more, with horizontal eyes. */
const faceAt = (x: number, y: number, logit = 2, more = 0): Seen => ({
  center: share(x, y),
  size: [(20 + more) / WIDTH, (14 + more) / WIDTH],
  points: [share(x - 5, y - 3), share(x + 5, y - 3), share(x, y), share(x, y + 4), share(x - 10, y), share(x + 10, y)],
  logit,
});

/** One and a half of it. */
const regionOf = (x: number, y: number) => ({ center: { x, y }, width: 30, height: 21, rotation: 0 });

const [POINTS, RIGHT_EYE, LEFT_EYE] = [478, 33, 263];
/** Bytes of a protobuf field with a content. */
const field = (number: number, content: readonly number[]) => [number * 8 + 2, content.length, ...content];
const floats = (...values: number[]) => [...new Uint8Array(Float32Array.from(values).buffer)];
/** In centimeters. */
const CORNERS: readonly (readonly [number, number, number])[] = [
  [0, 0, 0],
  [6, 0, 0],
  [0, 8, 0],
  [0, 0, 4],
  [-5, 2, 3],
];
const GEOMETRY = Uint8Array.from([
  ...field(
    1,
    field(
      3,
      CORNERS.flatMap(([x, y, z]) => floats(x, y, z, 0, 0)),
    ),
  ),
  ...CORNERS.flatMap((_, index) => field(2, [8, index, 21, ...floats(1)])),
]);

async function faces(options = {}) {
  const detector = knownDetector(FACES);
  const { fake, values } = knownLandmarks({ points: [1, 1, 1, 3 * POINTS], presence: [1, 1, 1, 1] });
  const put = (index: number, ...numbers: number[]) => values.points.set(numbers, 3 * index);
  for (let index = 0; index < POINTS; index++) put(index, 3 + index / POINTS, 4, index / 100);
  put(RIGHT_EYE, 2, 3, 0);
  put(LEFT_EYE, 6, 3, 0);
  values.presence.fill(1);
  detector.show(faceAt(48, 32));
  const blendshapes: Fake = {
    input: tensor('points', [1, 146, 2]),
    outputs: [[tensor('scores', [52]), Float32Array.from({ length: 52 }, (_, index) => index / 64)]],
  };
  const bundle = {
    'face_detector.tflite': detector.fake,
    'face_landmarks_detector.tflite': fake,
    'face_blendshapes.tflite': blendshapes,
    'geometry_pipeline_metadata_landmarks.binarypb': GEOMETRY,
  };
  const { task, ran } = await knownTask(FaceLandmarker, bundle, options);
  const counts = () => [ran(detector.fake).length, ran(fake).length];
  return { task, detector, values, put, looks: () => ran(fake), expressions: () => ran(blendshapes), counts };
}

describe('FaceLandmarker', () => {
  it('returns the mesh in the image, and nothing else that was not requested', async () => {
    const { task, looks } = await faces();
    const { faceLandmarks, faceBlendshapes, facialTransformationMatrixes } = task.detect(IMAGE);
    expectRegion(seenRegion(looks()[0]), regionOf(48, 32));
    expect(faceLandmarks).toHaveLength(1);
    expect(faceLandmarks[0]).toHaveLength(POINTS);
    expect(faceLandmarks[0]?.[RIGHT_EYE]).toEqual({ ...imagePointOf(regionOf(48, 32), 2, 3), z: 0, visibility: 0 });
    const depth = expect.closeTo(((4.77 / SIDE) * 30) / WIDTH, 5);
    expect(faceLandmarks[0]?.[477]).toEqual({
      ...imagePointOf(regionOf(48, 32), 3 + 477 / 478, 4),
      z: depth,
      visibility: 0,
    });
    expect([faceBlendshapes, facialTransformationMatrixes]).toEqual([[], []]);
  });

  it.each([
    [{}, 0, 0],
    [{}, 0.1, 1],
    [{ minFacePresenceConfidence: 0.9 }, 2, 0],
    [{ minFacePresenceConfidence: 0.2 }, -1, 1],
    [{ minFaceDetectionConfidence: 0.9 }, 9, 0],
  ])('with %j counts log-odds of %d for %i faces', async (options, logit, count) => {
    const { task, values } = await faces(options);
    values.presence.fill(logit);
    expect(task.detect(IMAGE).faceLandmarks).toHaveLength(count);
  });

  it('returns expressions by points in pixels', async () => {
    const { task, expressions } = await faces({ outputFaceBlendshapes: true });
    const { faceBlendshapes, faceLandmarks } = task.detect(IMAGE);
    expect(faceBlendshapes[0]?.categories[25]).toMatchObject({ categoryName: 'jawOpen', score: 25 / 64 });
    const first = faceLandmarks[0]?.[0] as { x: number; y: number };
    const [, input] = expressions()[0] as readonly [string, readonly number[]];
    expect(input.slice(0, 2)).toEqual([expect.closeTo(first.x * WIDTH, 4), expect.closeTo(first.y * HEIGHT, 4)]);
    await task.setOptions({ outputFaceBlendshapes: false });
    expect(task.detect(IMAGE).faceBlendshapes).toEqual([]);
  });

  it('returns the pose of a face that looks into the camera', async () => {
    const { task, put } = await faces({ outputFacialTransformationMatrixes: true });
    // One pixel a centimeter, around the middle of the image.
    CORNERS.forEach(([x, y, z], index) => {
      put(index, 4 + (SIDE * x) / 30, 4 - (SIDE * y) / 21, (-SIDE * z) / 30);
    });
    const [{ rows, columns, data } = { rows: 0, columns: 0, data: [] }] =
      task.detect(IMAGE).facialTransformationMatrixes;
    expect([rows, columns]).toEqual([4, 4]);
    for (const diagonal of [0, 5, 10]) expect(data[diagonal]).toBeCloseTo(1, 1);
    const distance = HEIGHT / 2 / Math.tan((63 * Math.PI) / 360);
    expect(data[14]).toBeGreaterThan(-1.15 * distance);
    expect(data[14]).toBeLessThan(-0.85 * distance);
    await task.setOptions({ outputFacialTransformationMatrixes: false });
    expect(task.detect(IMAGE).facialTransformationMatrixes).toEqual([]);
  });

  it('follows a face by its mesh, and detects again when it is lost', async () => {
    const { task, values, put, looks, counts } = await faces({ runningMode: 'VIDEO' });
    for (let index = 0; index < POINTS; index++) put(index, 4, 4, 0);
    put(RIGHT_EYE, 2, 3, 0);
    put(LEFT_EYE, 6, 3, 0);
    put(152, 4, 6, 0);
    task.detectForVideo(IMAGE, 1);
    values.presence.fill(-1);
    expect(task.detectForVideo(IMAGE, 2).faceLandmarks).toEqual([]);
    expect(counts()).toEqual([1, 2]);
    // Four of eight columns of 30 pixels: 15, half larger, and square.
    const center = { x: 48, y: 32 + (0.5 / SIDE) * 21 };
    expectRegion(seenRegion(looks()[1]), { center, width: 22.5, height: 22.5, rotation: 0 });
    values.presence.fill(1);
    task.detectForVideo(IMAGE, 3);
    expect(counts()).toEqual([2, 3]);
  });

  it('smooths a single face of a video, until it is lost, and not several', async () => {
    const { task, detector, put, values } = await faces({ runningMode: 'VIDEO' });
    // A mesh whose region of the next frame is that of this one.
    detector.show({ ...faceAt(48, 32), size: [20 / WIDTH, 20 / WIDTH] });
    put(5, 4 - SIDE / 3, 4 - SIDE / 3, 0);
    put(6, 4 + SIDE / 3, 4 + SIDE / 3, 0);
    const imageXOf = (x: number) => 48 + ((x - 4) / SIDE) * 30;
    const xAt = (time: number) => (task.detectForVideo(IMAGE, time).faceLandmarks[0]?.[1]?.x ?? Number.NaN) * WIDTH;
    put(1, 3, 4, 0);
    expect(xAt(10)).toBeCloseTo(imageXOf(3), 4);
    put(1, 3.02, 4, 0);
    const smooth = xAt(43);
    expect(smooth).toBeGreaterThan(imageXOf(3.001));
    expect(smooth).toBeLessThan(imageXOf(3.019));
    values.presence.fill(-1);
    expect(xAt(76)).toBeNaN();
    values.presence.fill(1);
    expect(xAt(109)).toBeCloseTo(imageXOf(3.02), 4);
    await task.setOptions({ numFaces: 2 });
    xAt(142);
    put(1, 3.04, 4, 0);
    expect(xAt(175)).toBeCloseTo(imageXOf(3.04), 4);
  });

  it('finds as many faces as requested, also with a promise', async () => {
    const { task, detector } = await faces({ numFaces: 2, outputFaceBlendshapes: true });
    detector.show(faceAt(20, 32, 1), faceAt(48, 32, 3), faceAt(76, 32, 2));
    const { faceLandmarks, faceBlendshapes } = await task.detectAsync(IMAGE);
    expect(faceLandmarks.map((points) => points[RIGHT_EYE])).toMatchObject(
      [48, 76].map((x) => imagePointOf(regionOf(x, 32), 2, 3)),
    );
    expect(faceBlendshapes).toHaveLength(2);
  });
});

describe('FaceDetector', () => {
  it.each([FACES, FAR_FACES])(
    'returns boxes in integer pixels and points in shares, by anchors of $side',
    async (layout) => {
      const detector = knownDetector(layout);
      detector.show(faceAt(48.6, 32.3, 2, 0.5));
      const { task } = await knownTask(FaceDetector, detector.fake);
      const { detections } = task.detect(IMAGE);
      expect(detections).toHaveLength(1);
      const [face] = detections;
      expect(face?.boundingBox).toEqual({ originX: 38, originY: 25, width: 20, height: 14, angle: 0 });
      expect(face?.categories).toEqual([
        { score: expect.closeTo(1 / (1 + Math.exp(-2)), 6), index: 0, categoryName: '', displayName: '' },
      ]);
      expect(face?.keypoints).toHaveLength(6);
      const [x, y] = [expect.closeTo(48.6 / WIDTH, 5), expect.closeTo(36.3 / HEIGHT, 5)];
      expect(face?.keypoints[3]).toEqual({ x, y, score: 0, label: '' });
    },
  );

  it('merges boxes of one face, and has all faces', async () => {
    const detector = knownDetector(FACES);
    detector.show(faceAt(20.5, 32, 0), faceAt(24.5, 32, 0), faceAt(50.5, 32), faceAt(76.5, 50, 1));
    const { task } = await knownTask(FaceDetector, detector.fake, { minDetectionConfidence: 0.4 });
    const left = () => task.detect(IMAGE).detections.map(({ boundingBox }) => boundingBox?.originX);
    expect(left()).toEqual([40, 66, 12]); // 10 and 14 count alike
    await task.setOptions({ minSuppressionThreshold: 0.9 });
    expect(left()).toEqual([40, 66, 10, 14]);
    await task.setOptions({ minDetectionConfidence: 0.8 });
    expect(left()).toEqual([40]);
  });

  it('rejects a model with another input', async () => {
    const { fake } = knownLandmarks({ boxes: [1, 896, 16], scores: [1, 896, 1] });
    const creating = knownTask(FaceDetector, fake);
    await expect(creating).rejects.toThrow(TaskModelError);
    await expect(creating).rejects.toThrow(/has the input \[1, 8, 8, 3\]: it must be a square of 128 or 192 pixels/);
  });
});
