import { yoloHead } from '@tflite-webnn/media/results';
import { ObjectDetector, type TaskMetadata, TaskModelError } from '@tflite-webnn/tasks';
import { describe, expect, it } from 'vitest';
import { fakeModel, tensor } from './fake_model.js';

const IMAGE = { width: 2, height: 2, data: new Uint8Array(16) };
const FLOATS = tensor('image', 'float32', [1, 2, 2, 3]);
const DECODING = {
  numClasses: 1,
  numBoxes: 1,
  numCoords: 4,
  keypointCoordOffset: 0,
  numKeypoints: 0,
  numValuesPerKeypoint: 0,
  xScale: 10,
  yScale: 10,
  wScale: 5,
  hScale: 5,
  applyExponentialOnBoxSize: true,
  sigmoidScore: true,
};
const DETECTOR = { anchors: [{ xCenter: 0.5, yCenter: 0.5, width: 0.5, height: 1 }], decoding: DECODING };

function described(metadata: Partial<TaskMetadata>): TaskMetadata {
  const normalization = { mean: [0], std: [1] };
  return { inputs: [{ normalization }], outputs: [{}, { labels: [{ locale: null, names: ['cat'] }] }], ...metadata };
}

describe('a detector with metadata', () => {
  const outputs = [
    [tensor('boxes', 'float32', [1, 1, 4]), new Float32Array(4)],
    [tensor('scores', 'float32', [1, 1, 1]), Float32Array.of(5)],
  ] as const;

  it("of MediaPipe's is read by its anchors", async () => {
    const detector = await ObjectDetector.create(fakeModel(FLOATS, outputs, described({ detector: DETECTOR })));
    const [found] = await detector.detect(IMAGE);
    expect(found).toMatchObject({ label: 'cat', box: { left: 0.5, top: 0, width: 1, height: 2 } });
    expect(found?.score).toBeCloseTo(1 / (1 + Math.exp(-5)));
  });

  it.each([
    { ...DETECTOR, decoding: null },
    { ...DETECTOR, anchors: [] },
    { ...DETECTOR, decoding: { ...DECODING, numKeypoints: 2, numValuesPerKeypoint: 2 } },
  ])('is rejected where it says something else', async (detector) => {
    const creating = ObjectDetector.create(fakeModel(FLOATS, outputs, described({ detector })));
    await expect(creating).rejects.toThrow(TaskModelError);
  });

  it.each([
    [6, [0.5, 0.5, 1, 1, 0.1, 0.8], 0.8],
    [7, [0.5, 0.5, 1, 1, 0.5, 0.1, 0.8], 0.4],
  ])("of Ultralytics' is read with %d numbers, and sees pixels from 0 to 1", async (numbers, values, score) => {
    const candidates = new Float32Array(numbers * 8);
    candidates.set(values);
    const output = [tensor('output', 'float32', [1, 8, numbers]), candidates] as const;
    const model = fakeModel(FLOATS, [output], { inputs: [], outputs: [], ultralytics: { names: ['cat', 'dog'] } });
    const detector = await ObjectDetector.create(model, { threshold: 0.3 });
    const [found] = await detector.detect({ ...IMAGE, data: new Uint8Array(16).fill(255) });
    expect(found).toMatchObject({ label: 'dog', box: { left: 0, top: 0, width: 2, height: 2 } });
    expect(found?.score).toBeCloseTo(score);
    expect(model.seen[0]).toEqual(new Array(12).fill(1));
  });

  const ULTRALYTICS = { names: ['cat', 'dog'], imageSize: [200, 100], values: {} };
  const HALF = { left: 1, top: 0, width: 1, height: 1 }; // of an image of 2 x 2 pixels

  it.each([
    ['from 0 to 1', [0.75, 0.25, 0.5, 0.5]],
    ['in pixels', [75, 50, 50, 100]],
  ])("of Ultralytics' may have boxes %s", async (_, box) => {
    const candidates = new Float32Array(6 * 8);
    candidates.set([...box, 0.1, 0.8]);
    const output = [tensor('output', 'float32', [1, 8, 6]), candidates] as const;
    const model = fakeModel(FLOATS, [output], { inputs: [], outputs: [], ultralytics: ULTRALYTICS });
    const [found] = await (await ObjectDetector.create(model)).detect(IMAGE);
    expect(found).toMatchObject({ label: 'dog', box: HALF });
  });

  it.each([
    ['from 0 to 1', [0.75, 0.25, 0.5, 0.5]],
    ['in pixels', [150, 25, 100, 50]],
  ])('of YOLO without metadata may have boxes %s', async (_, box) => {
    const candidates = new Float32Array(6 * 8);
    candidates.set([...box, 0.1, 0.8]);
    const output = [tensor('output', 'float32', [1, 8, 6]), candidates] as const;
    const model = fakeModel(tensor('image', 'float32', [1, 100, 200, 3]), [output]);
    const [found] = await (await ObjectDetector.create(model, { head: yoloHead(), range: [0, 1] })).detect(IMAGE);
    expect(found).toMatchObject({ label: 'class 1', box: HALF });
  });

  it.each([
    ['from 0 to 1', [0.5, 0, 1, 0.5]],
    ['in pixels', [50, 0, 100, 100]],
  ])("of Ultralytics' may end with rows without duplicates, %s", async (_, corners) => {
    const rows = Float32Array.of(...corners, 0.8, 1, ...corners, 0.7, 1, 0, 0, 0, 0, 0.2, 0);
    const output = [tensor('output', 'float32', [1, 3, 6]), rows] as const;
    const ultralytics = { ...ULTRALYTICS, values: { end2end: true } };
    const model = fakeModel(FLOATS, [output], { inputs: [], outputs: [], ultralytics });
    const found = await (await ObjectDetector.create(model)).detect(IMAGE);
    expect(found.map(({ label, box }) => [label, box])).toEqual([
      ['dog', HALF],
      ['dog', HALF],
    ]);
  });

  it("of Ultralytics' with another shape than its rows have is an error", async () => {
    const output = [tensor('output', 'float32', [1, 8, 7]), new Float32Array(56)] as const;
    const ultralytics = { ...ULTRALYTICS, values: { end2end: true } };
    const model = fakeModel(FLOATS, [output], { inputs: [], outputs: [], ultralytics });
    await expect((await ObjectDetector.create(model)).detect(IMAGE)).rejects.toThrow('[1, rows, 6]');
  });
});
