import { TaskModelError } from '@tflite-webnn/tasks';
import { describe, expect, it } from 'vitest';
import { blendshapeInput, blendshapesOf } from '../../src/landmarks/blendshapes.js';
import { facialTransformation, readFaceModel } from '../../src/landmarks/face_geometry.js';
import { bestSimilarity } from '../../src/landmarks/procrustes.js';

const CORNERS = [
  { x: 0, y: 0, z: 0 },
  { x: 6, y: 0, z: 0 },
  { x: 0, y: 8, z: 0 },
  { x: 0, y: 0, z: 4 },
  { x: -5, y: 2, z: 3 },
];

/** Bytes of a protobuf field with a content. */
const field = (number: number, content: readonly number[]) => [number * 8 + 2, content.length, ...content];
const floats = (...values: number[]) => [...new Uint8Array(Float32Array.from(values).buffer)];
const weight = (landmark: number, value: number) => field(2, [8, landmark, 21, ...floats(value)]);
const VERTICES = [1, 2, 3, 0, 0, -1, -2, -3, 0, 0];

describe('bestSimilarity()', () => {
  it('finds rotation, scale and shift', () => {
    const [cos, sin] = [Math.cos(0.7), Math.sin(0.7)];
    const moved = CORNERS.map(({ x, y, z }) => ({
      x: 2 * (cos * x - sin * y) + 1,
      y: 2 * (sin * x + cos * y) - 2,
      z: 2 * z + 3,
    }));
    const found = bestSimilarity(CORNERS, moved, [1, 2, 0.5, 1, 3]);
    expect(found.scale).toBeCloseTo(2, 10);
    expect(found.rotation.flat()).toEqual(
      [cos, -sin, 0, sin, cos, 0, 0, 0, 1].map((value) => expect.closeTo(value, 10)),
    );
    expect(found.shift).toEqual([1, -2, 3].map((value) => expect.closeTo(value, 10)));
  });

  it('never mirrors', () => {
    const mirrored = CORNERS.map(({ x, y, z }) => ({ x: -x, y, z }));
    const { rotation } = bestSimilarity(CORNERS, mirrored, [1, 1, 1, 1, 1]);
    const [a, b, c, d, e, f, g, h, i] = rotation.flat() as [
      number,
      number,
      number,
      number,
      number,
      number,
      number,
      number,
      number,
    ];
    expect(a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)).toBeCloseTo(1, 10);
  });

  it('does not regard points without weight', () => {
    const moved = CORNERS.map(({ x, y, z }, index) => ({ x: index === 4 ? 99 : x + 1, y, z }));
    const { scale, shift } = bestSimilarity(CORNERS, moved, [1, 1, 1, 1, 0]);
    expect(scale).toBeCloseTo(1, 10);
    expect(shift).toEqual([1, 0, 0].map((value) => expect.closeTo(value, 10)));
  });
});

describe('facialTransformation()', () => {
  const face = { vertices: CORNERS, weights: [1, 1, 1, 1, 1] };
  const size = { width: 400, height: 300 };
  const DISTANCE = 60;

  it('finds the pose of a face that the camera sees', () => {
    // Nearly without perspective: what MediaPipe's landmarks show.
    const perCentimeter = size.height / (2 * Math.tan((63 * Math.PI) / 360) * DISTANCE);
    const points = CORNERS.map(({ x, y, z }) => ({
      x: size.width / 2 + perCentimeter * x,
      y: size.height / 2 - perCentimeter * y,
      z: -perCentimeter * z,
      visibility: 0,
    }));
    const matrix = facialTransformation(face, points, size);
    expect(matrix).toMatchObject({ rows: 4, columns: 4 });
    const { data } = matrix as { data: number[] };
    expect(data[14]).toBeGreaterThan(-1.1 * DISTANCE);
    expect(data[14]).toBeLessThan(-0.9 * DISTANCE);
    [data[0], data[5], data[10]].forEach((value) => {
      expect(value).toBeCloseTo(1, 1);
    });
    expect([data[3], data[7], data[11], data[15]]).toEqual([0, 0, 0, 1]);
  });

  it('has none of a face that is a point', () => {
    const points = CORNERS.map(() => ({ x: 5, y: 5, z: 0, visibility: 0 }));
    expect(facialTransformation(face, points, size)).toBeNull();
  });
});

describe('readFaceModel()', () => {
  it('reads vertices and weights', () => {
    const mesh = field(1, field(3, floats(...VERTICES)));
    const model = readFaceModel(Uint8Array.from([...mesh, ...weight(1, 0.25)]));
    expect(model.vertices).toEqual([
      { x: 1, y: 2, z: 3 },
      { x: -1, y: -2, z: -3 },
    ]);
    expect(model.weights).toEqual([0, 0.25]);
  });

  it('reads vertices that are not packed', () => {
    const mesh = field(
      1,
      VERTICES.flatMap((value) => [29, ...floats(value)]),
    );
    expect(readFaceModel(Uint8Array.from([...mesh, ...weight(0, 1)])).vertices).toHaveLength(2);
  });

  it.each([
    ['an empty file', []],
    ['a cut file', field(1, [...field(3, floats(...VERTICES))]).slice(0, -3)],
    ['an unknown type', [11]],
    ['a number without end', [8, 200]],
    ['a weight of no vertex', [...field(1, field(3, floats(...VERTICES))), ...weight(2, 1)]],
  ])('rejects %s', (_, bytes) => {
    expect(() => readFaceModel(Uint8Array.from(bytes))).toThrow(TaskModelError);
    expect(() => readFaceModel(Uint8Array.from(bytes))).toThrow(/^The bundle's face geometry is damaged: /);
  });
});

describe('blendshapes', () => {
  it('see 146 of the landmarks in pixels', () => {
    const points = Array.from({ length: 478 }, (_, index) => ({ x: index, y: -index, z: 9, visibility: 0 }));
    const input = blendshapeInput(points);
    expect(input).toHaveLength(2 * 146);
    expect(Array.from(input.slice(0, 6))).toEqual([0, -0, 1, -1, 4, -4]);
    expect(Array.from(input.slice(-2))).toEqual([477, -477]);
  });

  it('have 52 different names in the order of MediaPipe', () => {
    const { categories } = blendshapesOf(Float32Array.from({ length: 52 }, (_, index) => index / 64));
    expect(categories).toHaveLength(52);
    expect(new Set(categories.map(({ categoryName }) => categoryName)).size).toBe(52);
    expect(categories[25]).toEqual({ score: 25 / 64, index: 25, categoryName: 'jawOpen', displayName: '' });
  });
});
