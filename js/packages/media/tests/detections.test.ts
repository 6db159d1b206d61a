import {
  anchorHead,
  type DetectorHead,
  decodeDetections,
  mediapipeHead,
  nonMaxSuppression,
  postProcessHead,
  type RawDetection,
  type SuppressionOptions,
  ssdAnchors,
  yoloHead,
} from '@tflite-webnn/media/results';
import { OptionError } from 'tflite-webnn';
import { describe, expect, it } from 'vitest';

const FACES = { inputSize: 128, strides: [8, 16, 16, 16] };
const PALMS = { inputSize: 192, strides: [8, 16, 16, 16] };
const BODIES = { inputSize: 224, strides: [8, 16, 32, 32, 32] };
const MEDIAPIPE = { aspectRatios: [1], reduceBoxesInLowestLayer: false, fixedAnchorSize: true };
const SSD = { inputSize: 300, strides: [16, 32, 64, 128, 256, 512] };

const near = (value: number) => expect.closeTo(value, 6);

describe('ssdAnchors', () => {
  it.each([
    ['faces', { ...FACES, ...MEDIAPIPE }, 896],
    ['palms', { ...PALMS, ...MEDIAPIPE }, 2016],
    ['bodies', { ...BODIES, ...MEDIAPIPE }, 2254],
    ["TensorFlow's SSDs", SSD, 1917],
  ])('returns as many as the models of %s have', (_, options, count) => {
    expect(ssdAnchors(options)).toHaveLength(count);
  });

  it("returns TensorFlow's anchors: three in the first layer, then six", () => {
    const anchors = ssdAnchors(SSD).map(({ xCenter, yCenter, width, height }) => [yCenter, xCenter, height, width]);
    const center = near(0.5 / 19);
    expect(anchors.slice(0, 3)).toEqual([
      [center, center, near(0.1), near(0.1)],
      [center, center, near(0.141421), near(0.282843)],
      [center, center, near(0.282843), near(0.141421)],
    ]);
    const second = anchors.slice(19 * 19 * 3, 19 * 19 * 3 + 6);
    expect(second.map(([, , height, width]) => [height, width])).toEqual([
      [near(0.35), near(0.35)],
      [near(0.247487), near(0.494975)],
      [near(0.494975), near(0.247487)],
      [near(0.202073), near(0.606218)],
      [near(0.606218), near(0.202073)],
      [near(Math.sqrt(0.35 * 0.5)), near(Math.sqrt(0.35 * 0.5))],
    ]);
    expect(anchors.at(-1)).toEqual([0.5, 0.5, near(Math.sqrt(0.95)), near(Math.sqrt(0.95))]);
  });

  it('rejects what is not positive', () => {
    expect(() => ssdAnchors({ inputSize: Number.NaN, strides: [8] })).toThrow(OptionError);
    expect(() => ssdAnchors({ inputSize: 8, strides: [0] })).toThrow(
      /options.strides is an array, each element an integer from 2 to 8192; got 0/,
    );
  });
});

/** Eight anchors, two in each of four cells, of a model of MediaPipe's kind with one key point. */
const SMALL = mediapipeHead({ inputSize: 4, strides: [2], keyPoints: 1 });
const NUMBERS = 6;

function smallOutputs(found: Record<number, { box: number[]; logit: number }>) {
  const boxes = new Float32Array(8 * NUMBERS);
  const scores = new Float32Array(8).fill(-9);
  for (const [anchor, { box, logit }] of Object.entries(found)) {
    boxes.set(box, Number(anchor) * NUMBERS);
    scores[Number(anchor)] = logit;
  }
  return [
    { data: boxes, shape: [1, 8, NUMBERS] },
    { data: scores, shape: [1, 8, 1] },
  ];
}

describe('mediapipeHead', () => {
  it('adds the outputs to the anchor, in either order of the outputs', () => {
    const outputs = smallOutputs({ 6: { box: [0.4, -0.4, 2, 1, 1, 1], logit: 0 } });
    for (const results of [outputs, [...outputs].reverse()]) {
      const [found] = decodeDetections(results, { head: SMALL });
      expect(found).toEqual({
        box: { left: near(0.6), top: near(0.525), width: 0.5, height: 0.25 },
        score: 0.5,
        index: 0,
        label: 'class 0',
        keyPoints: [{ x: 1, y: 1 }],
      });
    }
  });

  it('omits detections below the threshold', () => {
    const outputs = smallOutputs({ 1: { box: [0, 0, 2, 2, 0, 0], logit: -0.1 } });
    expect(decodeDetections(outputs, { head: SMALL })).toEqual([]);
    expect(decodeDetections(outputs, { head: SMALL, threshold: 0.4 })).toHaveLength(1);
  });

  it('merges overlapping detections, weighted by score, and keeps the others', () => {
    const outputs = smallOutputs({
      0: { box: [0, 0, 2, 2, 0, 0], logit: 20 },
      1: { box: [0.4, 0, 2, 2, 0, 0], logit: 20 },
      7: { box: [0, 0, 2, 2, 0, 0], logit: 1 },
    });
    const found = decodeDetections(outputs, { head: SMALL, duplicates: 'merge', overlap: 0.3 });
    expect(found.map(({ box }) => box.left + box.width / 2)).toEqual([near(0.3), near(0.75)]);
    expect(found[0]?.keyPoints[0]?.x).toBeCloseTo(0.25);
  });
});

describe('anchorHead', () => {
  const anchors = [
    { xCenter: 0.5, yCenter: 0.25, width: 0.2, height: 0.1 },
    { xCenter: 0.1, yCenter: 0.1, width: 0.2, height: 0.2 },
  ];
  const boxes = { data: Float32Array.of(10, -5, 5 * Math.log(2), 0, 0, 0, 0, 0), shape: [1, 2, 4] };

  it("decodes as TensorFlow's box coder: y and x by 10, exponents of height and width by 5", () => {
    const scores = { data: Float32Array.of(3, -3, -3, -3), shape: [1, 2, 2] };
    const [found, ...others] = decodeDetections([boxes, scores], { head: anchorHead({ anchors }) });
    expect(others).toEqual([]);
    expect(found?.box).toEqual({ left: near(0.3), top: near(0.25), width: near(0.2), height: near(0.2) });
    expect([found?.score, found?.index]).toEqual([near(1 / (1 + Math.exp(-3))), 0]);
  });

  it('knows softmax, and scores that are probabilities already; the background is no class', () => {
    const logits = { data: Float32Array.of(1, 2, 0, 9, 0, 0), shape: [1, 2, 3] };
    const head = anchorHead({ anchors, activation: 'softmax', background: true });
    const found = decodeDetections([boxes, logits], { head, labels: ['cat', 'dog'] });
    expect(found.map(({ label, score }) => [label, score])).toEqual([
      ['cat', near(Math.exp(2) / (Math.exp(1) + Math.exp(2) + 1))],
    ]);
    const scores = { data: Float32Array.of(0.75, 0.25), shape: [1, 2, 1] };
    const plain = decodeDetections([boxes, scores], { head: anchorHead({ anchors, activation: 'none' }) });
    expect(plain.map(({ score }) => score)).toEqual([0.75]);
  });

  it('rejects outputs of another model, and labels of another length', () => {
    const scores = { name: 'scores', data: new Float32Array(3), shape: [1, 3, 1] };
    const head = anchorHead({ anchors });
    expect(() => decodeDetections([boxes, scores], { head })).toThrow(
      expect.objectContaining({ name: 'OutputError', code: 'RESULT_SHAPE' }),
    );
    expect(() => decodeDetections([boxes, scores], { head })).toThrow('The result scores is [1, 3, 1]');
    expect(() => decodeDetections([], { head })).toThrow(
      expect.objectContaining({ name: 'OutputError', code: 'RESULT_SHAPE' }),
    );
    const two = { data: new Float32Array(4), shape: [1, 2, 2] };
    expect(() => decodeDetections([boxes, two], { head, labels: ['cat'] })).toThrow(
      expect.objectContaining({ name: 'OutputError', code: 'LABEL_COUNT' }),
    );
  });
});

describe('classes that do not count', () => {
  const box = { left: 0, top: 0, width: 1, height: 1 };
  const detections = [
    { box, score: 0.9, index: 0, keyPoints: [] },
    { box, score: 0.8, index: 1, keyPoints: [] },
  ];
  const head: DetectorHead = { isSuppressed: false, read: () => ({ detections, classes: 2 }) };
  const options = { head, labels: ['cat', 'dog'], acrossClasses: true };

  it.each([
    [{}, ['cat']],
    [{ deny: ['cat'] }, ['dog']],
    [{ allow: ['dog', 'cow'] }, ['dog']],
    [{ allow: [] }, []],
  ])('suppress nothing: %j', (classes, labels) => {
    expect(decodeDetections([], { ...options, ...classes }).map(({ label }) => label)).toEqual(labels);
  });
});

describe('postProcessHead', () => {
  const outputs = [
    { data: Float32Array.of(0.1, 0.2, 0.5, 0.6, 0, 0, 1, 1, 9, 9, 9, 9), shape: [1, 3, 4] },
    { data: Float32Array.of(1, 0, 9), shape: [1, 3] },
    { data: Float32Array.of(0.9, 0.6, 9), shape: [1, 3] },
    { data: Float32Array.of(2), shape: [1] },
  ];

  it('reads as many rows as the model has found, and suppresses none', () => {
    const found = decodeDetections(outputs, { head: postProcessHead(), labels: ['cat', 'dog'], overlap: 0 });
    expect(found.map(({ label, score }) => [label, score])).toEqual([
      ['dog', near(0.9)],
      ['cat', near(0.6)],
    ]);
    expect(found[0]?.box).toEqual({ left: near(0.2), top: near(0.1), width: near(0.4), height: near(0.4) });
  });

  it('reads no more rows than there are, from the threshold on, of the nearest class', () => {
    const [boxes, , scores] = outputs as [object, object, object];
    const classes = { data: Float32Array.of(0.9, 2.2, 9), shape: [1, 3] };
    const [many, nine] = [
      { data: Float32Array.of(99), shape: [1] },
      { data: Float32Array.of(9), shape: [1] },
    ];
    const found = (count: object, threshold: number) =>
      decodeDetections([boxes, classes, scores, count] as typeof outputs, { head: postProcessHead(), threshold });
    expect(found(many, 0.7).map(({ index }) => index)).toEqual([9, 1]);
    expect(found(nine, Math.fround(0.6)).map(({ index }) => index)).toEqual([9, 1, 2]);
  });

  it('accepts another order, and rejects a wrong one', () => {
    const [boxes, classes, scores, count] = outputs as [object, object, object, object];
    const scrambled = [scores, boxes, count, classes] as typeof outputs;
    const head = postProcessHead(['scores', 'boxes', 'count', 'classes']);
    expect(decodeDetections(scrambled, { head })).toHaveLength(2);
    expect(() => decodeDetections(scrambled, { head: postProcessHead() })).toThrow('pass the order of the outputs');
    expect(() => decodeDetections(outputs.slice(0, 3), { head: postProcessHead() })).toThrow(
      expect.objectContaining({ name: 'OutputError', code: 'RESULT_SHAPE' }),
    );
    expect(() => decodeDetections(outputs.slice(0, 3), { head: postProcessHead() })).toThrow(
      'The result count is []: it must be the output 4 of 4.',
    );
    expect(() => postProcessHead(['boxes'])).toThrow('lacks classes, scores, count');
  });

  it('accepts other positions of the sides of a box, and rejects wrong ones', () => {
    const head = postProcessHead(undefined, [0, 1, 2, 3]);
    expect(decodeDetections(outputs, { head })[0]?.box).toEqual({
      left: near(0.1),
      top: near(0.2),
      width: near(0.4),
      height: near(0.4),
    });
    expect(() => postProcessHead(undefined, [0, 1, 2])).toThrow('corners is four integers from 0 to 3');
    expect(() => postProcessHead(undefined, [0, 1, 2, 4])).toThrow('corners is four integers from 0 to 3');
  });
});

describe('yoloHead', () => {
  // Of three candidates with two classes the second is a dog, the third nothing.
  const candidates = [
    [0.2, 0.2, 0.2, 0.2, 0.7, 0.1],
    [0.5, 0.5, 0.4, 0.2, 0.2, 0.9],
    [0.5, 0.5, 0.1, 0.1, 0.1, 0.1],
    ...new Array(9).fill([0, 0, 0, 0, 0, 0]),
  ];
  const rowsFirst = { data: Float32Array.from(candidates.flat()), shape: [1, 12, 6] };
  const transposed = Array.from({ length: 6 }, (_, number) => candidates.map((candidate) => candidate[number]));
  const numbersFirst = { data: Float32Array.from(transposed.flat()), shape: [1, 6, 12] };

  it.each([
    ['[1, candidates, numbers]', rowsFirst],
    ['[1, numbers, candidates], as v8 and 11', numbersFirst],
  ])('reads %s', (_, result) => {
    const found = decodeDetections([result], { head: yoloHead(), labels: ['cat', 'dog'] });
    expect(found.map(({ label, score }) => [label, score])).toEqual([
      ['dog', near(0.9)],
      ['cat', near(0.7)],
    ]);
    expect(found[0]?.box).toEqual({ left: near(0.3), top: near(0.4), width: near(0.4), height: near(0.2) });
  });

  it('accepts the best of several classes, of equal ones the first, from the threshold on', () => {
    const rows = [[0, 0, 0.1, 0.1, 0.1, 0.5, 0.25, 0.5], ...new Array(8).fill([0, 0, 0, 0, 0, 0, 0, 0])];
    const result = { data: Float32Array.from(rows.flat()), shape: [1, 9, 8] };
    const found = decodeDetections([result], { head: yoloHead(), threshold: 0.5 });
    expect(found.map(({ index, score }) => [index, score])).toEqual([[1, 0.5]]);
  });

  it('multiplies by objectness, as v5', () => {
    const rows = [[32, 32, 64, 16, 0.5, 0.8], [32, 32, 64, 16, 0.9, 0.8], ...new Array(8).fill([0, 0, 0, 0, 0, 0])];
    const result = { data: Float32Array.from(rows.flat()), shape: [1, 10, 6] };
    const head = yoloHead({ objectness: true, inputSize: 64 });
    const found = decodeDetections([result], { head, threshold: 0.3 });
    expect(found).toHaveLength(1); // the other one overlaps
    expect(found[0]).toMatchObject({
      score: near(0.72),
      box: { left: near(0), top: near(0.375), width: 1, height: 0.25 },
    });
  });

  it('dequantizes, and leaves out what follows the classes', () => {
    const data = Int8Array.from({ length: 12 * 8 }, () => -128);
    data.set([0, 0, 0, 0, 100, -128, 127, 127]); // the last two are the coefficients of a mask
    const result = { data, shape: [1, 12, 8], quantization: { scales: [1 / 255], zeroPoints: [-128] } };
    const [found] = decodeDetections([result], { head: yoloHead({ classes: 2 }) });
    expect(found).toMatchObject({ index: 0, score: near(228 / 255) });
  });

  it('rejects another shape', () => {
    expect(() => decodeDetections([], { head: yoloHead() })).toThrow(
      expect.objectContaining({ name: 'OutputError', code: 'RESULT_SHAPE' }),
    );
    const bare = { data: new Float32Array(48), shape: [1, 12, 4] };
    expect(() => decodeDetections([bare], { head: yoloHead() })).toThrow(
      expect.objectContaining({ name: 'OutputError', code: 'RESULT_SHAPE' }),
    );
    const [withOne, head] = [{ data: new Float32Array(60), shape: [1, 12, 5] }, yoloHead({ objectness: true })];
    expect(() => decodeDetections([withOne], { head })).toThrow('The result is [1, 12, 5]');
    const flat = { data: new Float32Array(8), shape: [1, 8] };
    expect(() => decodeDetections([flat], { head: yoloHead() })).toThrow('[1, numbers, candidates]');
    expect(() => decodeDetections([rowsFirst], { head: yoloHead({ classes: 3 }) })).toThrow(
      expect.objectContaining({ name: 'OutputError', code: 'RESULT_SHAPE' }),
    );
  });
});

describe('nonMaxSuppression', () => {
  const at = (left: number, score: number, index = 0): RawDetection => ({
    box: { left, top: 0, width: 10, height: 10 },
    score,
    index,
    keyPoints: [],
  });

  it('keeps the best of each thing, best first', () => {
    const found = nonMaxSuppression([at(0, 0.5), at(1, 0.9), at(30, 0.7)]);
    expect(found.map(({ box, score }) => [box.left, score])).toEqual([
      [1, 0.9],
      [30, 0.7],
    ]);
  });

  it('compares with the overlap: equal is not more', () => {
    const third = [at(0, 0.9), at(5, 0.8)]; // 50 of 150
    expect(nonMaxSuppression(third, { overlap: 1 / 3 })).toHaveLength(2);
    expect(nonMaxSuppression(third, { overlap: 0.33 })).toHaveLength(1);
  });

  it('keeps another class at the same position, unless acrossClasses is set', () => {
    const two = [at(0, 0.9, 0), at(0, 0.8, 1)];
    expect(nonMaxSuppression(two)).toHaveLength(2);
    expect(nonMaxSuppression(two, { acrossClasses: true })).toHaveLength(1);
  });

  it('keeps the means of points and boxes where it merges, of one thing as it is', () => {
    const [best, other] = [at(0, 0.75), at(4, 0.25)].map((one) => ({ ...one, keyPoints: [{ x: one.box.left, y: 8 }] }));
    const found = nonMaxSuppression([other, best] as RawDetection[], { duplicates: 'merge', overlap: 0.4 });
    expect(found).toEqual([
      { box: { left: 1, top: 0, width: 10, height: 10 }, score: 0.75, index: 0, keyPoints: [{ x: 1, y: 8 }] },
    ]);
    const same = [at(0, 0), at(0, 0)];
    expect(nonMaxSuppression(same, { duplicates: 'merge' })).toEqual([at(0, 0)]);
    expect(nonMaxSuppression([at(0, 0.5), at(30, 0.9)], { duplicates: 'drop' })).toHaveLength(2);
  });

  it('keeps at most maxResults, and accepts boxes without area and scores of 0', () => {
    expect(nonMaxSuppression([at(0, 0.9), at(30, 0.7)], { maxResults: 1 })).toHaveLength(1);
    const empty = { ...at(0, 0), box: { left: 0, top: 0, width: 0, height: 0 } };
    expect(nonMaxSuppression([empty, { ...empty }], { duplicates: 'merge' })).toEqual([empty, empty]);
  });

  it('keeps the best 1000 where no more are requested', () => {
    const separate = Array.from({ length: 1100 }, (_, index) => at(20 * index, index / 1100));
    expect(nonMaxSuppression(separate)).toEqual(separate.toReversed().slice(0, 1000));
    expect(nonMaxSuppression(separate, { maxResults: Number.POSITIVE_INFINITY })).toHaveLength(1100);
  });

  it.each<[string, number, SuppressionOptions]>([
    ['of its own class', 1000, {}],
    ['that were kept', 1, { maxResults: 10 }],
    ['that can suppress it', 1, { overlap: 1 }],
  ])('compares a box with those %s only', (_, classes, options) => {
    let reads = 0;
    const detections = Array.from({ length: 1000 }, (_, index) => {
      const detection = at(20 * index, 0.5, index % classes);
      const box = {
        ...detection.box,
        get left() {
          reads += 1;
          return 20 * index;
        },
      };
      return { ...detection, box };
    });
    nonMaxSuppression(detections, options);
    expect(reads).toBeLessThan(10 * detections.length);
  });

  it('rejects NaN as overlap and threshold', () => {
    expect(() => nonMaxSuppression([], { overlap: Number.NaN })).toThrow(OptionError);
    const head: DetectorHead = { isSuppressed: false, read: () => ({ detections: [], classes: null }) };
    expect(() => decodeDetections([], { head, threshold: Number.NaN })).toThrow(
      /options.threshold is a number, not NaN; got NaN/,
    );
  });
});

describe('a placement', () => {
  const head: DetectorHead = {
    isSuppressed: false,
    read: () => ({
      detections: [
        { box: { left: 0, top: 0.25, width: 0.5, height: 0.25 }, score: 1, index: 0, keyPoints: [{ x: 1, y: 1 }] },
      ],
      classes: null,
    }),
  };

  it('undoes a letterbox', () => {
    // 200 x 100 pixels in a square: bars of a quarter above and below
    const region = { center: { x: 100, y: 50 }, width: 200, height: 200, rotation: 0 };
    const [found] = decodeDetections([], { head, placement: { image: { width: 200, height: 100 }, region } });
    expect(found?.box).toEqual({ left: 0, top: 0, width: 100, height: 50 });
    expect(found?.keyPoints).toEqual([{ x: 200, y: 150 }]);
  });

  it('of a rotated region returns the upright box around', () => {
    const region = { center: { x: 50, y: 50 }, width: 100, height: 100, rotation: Math.PI / 2 };
    const [found] = decodeDetections([], { head, placement: { image: { width: 100, height: 100 }, region } });
    expect(found?.box).toEqual({ left: near(50), top: near(0), width: near(25), height: near(50) });
  });
});

describe('wrong or missing options', () => {
  it.each([
    ['mediapipeHead()', () => (mediapipeHead as () => DetectorHead)(), /options is an object; got undefined/],
    [
      'mediapipeHead() without strides',
      () => mediapipeHead({ inputSize: 128, keyPoints: 6 } as never),
      /options.strides is an array, .* got undefined/,
    ],
    [
      'ssdAnchors() without strides',
      () => ssdAnchors({ inputSize: 128 } as never),
      /options.strides is an array, .* got undefined/,
    ],
    ['ssdAnchors()', () => (ssdAnchors as () => unknown)(), /options is an object; got undefined/],
    ['anchorHead()', () => (anchorHead as () => DetectorHead)(), /options is an object; got undefined/],
    [
      'head',
      () => decodeDetections([], { head: 'mediapipe' } as never),
      /options.head is what anchorHead\(\), .* or yoloHead\(\) returns; got "mediapipe"/,
    ],
    ['no object of options', () => decodeDetections([], undefined as never), /options is an object; got undefined/],
    ['no options', () => decodeDetections([], {} as never), /options.head is what .* got undefined/],
  ])('%s', (_, call, message) => {
    expect(call).toThrow(OptionError);
    expect(call).toThrow(message);
  });
});
