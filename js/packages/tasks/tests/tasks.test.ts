import { postProcessHead } from '@tflite-webnn/media/results';
import { ImageClassifier, ImageSegmenter, ObjectDetector, TaskModelError } from '@tflite-webnn/tasks';
import { ModelDisposedError, ModelFetchError, OptionError, type TFLiteModel } from 'tflite-webnn';
import { loader } from 'tflite-webnn/fakes';
import { describe, expect, it, vi } from 'vitest';
import { type FakeModel, fakeModel, tensor } from './fake_model.js';

function loading(model: FakeModel) {
  return vi.spyOn(loader, 'load').mockResolvedValue(model as unknown as TFLiteModel);
}

const WHITE_BLACK = { width: 2, height: 1, data: Uint8ClampedArray.of(255, 255, 255, 255, 0, 0, 0, 255) };
const IMAGE = tensor('image', 'uint8', [1, 1, 2, 3]);
const FLOATS = tensor('image', 'float32', [1, 1, 2, 3]);
const LABELS = [
  { locale: 'en', names: ['cat', 'dog', 'cow'] },
  { locale: 'de', names: ['Katze', 'Hund', 'Kuh'] },
];
const METADATA = {
  inputs: [{ normalization: { mean: [127.5], std: [127.5] } }],
  outputs: [{ labels: LABELS }],
};

function classifierModel(input = IMAGE, metadata: typeof METADATA | null | undefined = undefined) {
  const scores = tensor('scores', 'uint8', [1, 3], [1 / 256, 0]);
  return fakeModel(input, [[scores, Uint8Array.of(0, 192, 64)]], metadata);
}

describe('ImageClassifier', () => {
  it('returns the best classes, dequantized, with labels', async () => {
    const model = classifierModel();
    const classifier = await ImageClassifier.create(model, { labels: ['cat', 'dog', 'cow'], k: 2 });
    expect(await classifier.classify(WHITE_BLACK)).toEqual([
      { index: 1, score: 0.75, label: 'dog' },
      { index: 2, score: 0.25, label: 'cow' },
    ]);
    expect(model.seen).toEqual([[255, 255, 255, 0, 0, 0]]);
    expect(classifier.model).toBe(model);
  });

  it("accepts labels, in a language, and a float input's normalization from metadata", async () => {
    const model = classifierModel(FLOATS, METADATA);
    const german = await ImageClassifier.create(model, { locale: 'de', k: 1 });
    expect((await german.classify(WHITE_BLACK))[0]?.label).toBe('Hund');
    expect(model.seen).toEqual([[1, 1, 1, -1, -1, -1]]);
    const other = await ImageClassifier.create(model, { locale: 'fr', k: 1, range: [0, 1] });
    expect((await other.classify(WHITE_BLACK))[0]?.label).toBe('dog');
    expect(model.seen[1]).toEqual([1, 1, 1, 0, 0, 0]);
  });

  it('ignores metadata on request, and its normalization for integer inputs', async () => {
    const model = classifierModel(IMAGE, METADATA);
    const classifier = await ImageClassifier.create(model);
    expect((await classifier.classify(WHITE_BLACK))[0]?.label).toBe('dog');
    expect(model.seen).toEqual([[255, 255, 255, 0, 0, 0]]);
    const without = await ImageClassifier.create(model, { metadata: null, k: 1 });
    expect((await without.classify(WHITE_BLACK))[0]?.label).toBe('class 1');
  });

  it('accepts results as well as arrays', async () => {
    const model = classifierModel();
    model.run = async () => [{ data: Float32Array.of(0, 0, 1), shape: [1, 3] }];
    const classifier = await ImageClassifier.create(model);
    expect((await classifier.classify(WHITE_BLACK))[0]).toEqual({ index: 2, score: 1, label: 'class 2' });
  });

  it('sees images one after the other, into one array', async () => {
    const model = classifierModel();
    const classifier = await ImageClassifier.create(model);
    const black = { ...WHITE_BLACK, data: new Uint8ClampedArray(8) };
    await Promise.all([classifier.classify(WHITE_BLACK), classifier.classify(black)]);
    expect(model.seen).toEqual([
      [255, 255, 255, 0, 0, 0],
      [0, 0, 0, 0, 0, 0],
    ]);
  });

  it('ends with the signal, and begins nothing that waits', async () => {
    const model = classifierModel();
    const classifier = await ImageClassifier.create(model);
    const abort = new AbortController();
    const { signal } = abort;
    const calls = [classifier.classify(WHITE_BLACK, { signal }), classifier.classify(WHITE_BLACK, { signal })];
    const kept = classifier.classify(WHITE_BLACK);
    abort.abort(new Error('enough'));
    for (const call of calls) await expect(call).rejects.toThrow('enough');
    await kept;
    expect(model.seen).toHaveLength(1);
    await expect(classifier.classify(WHITE_BLACK, { signal })).rejects.toThrow('enough');
    await expect(classifier.classify(WHITE_BLACK, { signal: 1 as never })).rejects.toThrow('an AbortSignal');
    await expect(classifier.classify(WHITE_BLACK, { k: 1 } as object)).rejects.toThrow('there is no option "k"');
  });

  it('ends with dispose(), and leaves a model of the caller alone', async () => {
    const model = classifierModel();
    const classifier = await ImageClassifier.create(model);
    const inFlight = classifier.classify(WHITE_BLACK);
    await classifier.dispose();
    await expect(inFlight).rejects.toThrow(ModelDisposedError);
    await expect(classifier.classify(WHITE_BLACK)).rejects.toThrow('The task has been disposed.');
    expect(() => classifier.model).toThrow(ModelDisposedError);
    expect(model.disposals).toBe(0);
    const own = classifierModel();
    loading(own);
    (await ImageClassifier.create('model.tflite'))[Symbol.dispose]();
    await (await ImageClassifier.create('model.tflite'))[Symbol.asyncDispose]();
    expect(own.disposals).toBe(2);
  });

  it('sees a region of the image', async () => {
    const model = classifierModel();
    const classifier = await ImageClassifier.create(model);
    const region = { center: { x: 0.5, y: 0.5 }, width: 1, height: 1, rotation: 0 };
    await classifier.classify(WHITE_BLACK, { region });
    expect(model.seen[0]?.[0]).toBe(255);
  });

  it('rejects labels of another length, and a float input without normalization; the next image is fine', async () => {
    const classifier = await ImageClassifier.create(classifierModel(), { labels: ['cat'] });
    await expect(classifier.classify(WHITE_BLACK)).rejects.toThrow(
      expect.objectContaining({ name: 'OutputError', code: 'LABEL_COUNT' }),
    );
    const floats = await ImageClassifier.create(classifierModel(FLOATS));
    await expect(floats.classify(WHITE_BLACK)).rejects.toThrow(/black and white/);
    const lying = { ...METADATA, inputs: [{ normalization: { mean: [Number.NaN], std: [1] } }] };
    const nan = await ImageClassifier.create(classifierModel(FLOATS, lying));
    await expect(nan.classify(WHITE_BLACK)).rejects.toThrow('mean is [NaN');
    const good = await ImageClassifier.create(classifierModel());
    await expect(good.classify({ ...WHITE_BLACK, width: 0 })).rejects.toThrow();
    await expect(good.classify(WHITE_BLACK)).resolves.toHaveLength(3);
  });

  it('loads a model, and disposes of that which it has loaded', async () => {
    const model = classifierModel();
    const load = loading(model);
    const classifier = await ImageClassifier.create('model.tflite', { numThreads: 2, labels: ['cat', 'dog'] });
    expect(load).toHaveBeenLastCalledWith('model.tflite', { numThreads: 2 });
    expect(classifier.model).toBe(model);
    await classifier[Symbol.asyncDispose]();
    expect(model.disposals).toBe(1);
    await (await ImageClassifier.create(model)).dispose();
    expect(model.disposals).toBe(1);
  });

  it('is not ended by the signal of its loading', async () => {
    loading(classifierModel());
    const abort = new AbortController();
    const classifier = await ImageClassifier.create('model.tflite', { signal: abort.signal });
    abort.abort();
    await expect(classifier.classify(WHITE_BLACK)).resolves.toHaveLength(3);
  });

  it('rejects options of loading for a model that is loaded', async () => {
    await expect(ImageClassifier.create(classifierModel(), { device: undefined as never })).resolves.toBeDefined();
    const creating = ImageClassifier.create(classifierModel(), { device: 'gpu' });
    await expect(creating).rejects.toThrow('the option "device" is for a model that the task loads itself');
    await expect(creating).rejects.toMatchObject({ name: 'OptionError', option: 'device' });
    const misspelt = ImageClassifier.create('model.tflite', { numThread: 2 } as object);
    await expect(misspelt).rejects.toThrow('there is no option "numThread": did you mean numThreads?');
  });
});

describe('ObjectDetector', () => {
  const boxes = [tensor('boxes', 'float32', [1, 1, 4]), Float32Array.of(0, 0.5, 1, 1)] as const;
  const classes = [tensor('classes', 'float32', [1, 1]), Float32Array.of(1)] as const;
  const scores = [tensor('scores', 'float32', [1, 1]), Float32Array.of(0.75)] as const;
  const count = [tensor('count', 'float32', [1]), Float32Array.of(1)] as const;
  const found = { box: { left: 1, top: 0, width: 1, height: 1 }, score: 0.75, index: 1, label: 'dog', keyPoints: [] };

  it('reads TFLite_Detection_PostProcess by itself, in pixels of the image', async () => {
    const detector = await ObjectDetector.create(fakeModel(IMAGE, [boxes, classes, scores, count]), {
      labels: ['cat', 'dog'],
    });
    expect(await detector.detect(WHITE_BLACK)).toEqual([found]);
  });

  it('accepts the order of the outputs, and labels, from metadata', async () => {
    const names = ['score', 'location', 'number of detections', 'category'];
    const outputs = names.map((name) => ({ name, ...(name === 'category' && { labels: LABELS }) }));
    const model = fakeModel(IMAGE, [scores, boxes, count, classes], { inputs: [], outputs });
    expect(await (await ObjectDetector.create(model)).detect(WHITE_BLACK)).toEqual([found]);
  });

  it('accepts the minimum score, and where the sides of a box are, from metadata', async () => {
    const names = ['location', 'category', 'score', 'number of detections'];
    const of = (scoreThreshold: number, index: readonly number[]) => ({
      inputs: [],
      outputs: names.map((name) => ({
        name,
        ...(name === 'score' && { scoreThreshold }),
        ...(name === 'location' && { content: { kind: 'BoundingBoxProperties', type: 'BOUNDARIES', index } }),
      })),
    });
    const model = fakeModel(IMAGE, [boxes, classes, scores, count]);
    const detected = async (metadata: object, options = {}) =>
      (await ObjectDetector.create(model, { metadata: metadata as never, ...options })).detect(WHITE_BLACK);
    expect(await detected(of(0.7, [1, 0, 3, 2]))).toHaveLength(1);
    expect(await detected(of(0.8, []))).toEqual([]);
    expect(await detected(of(0.8, []), { threshold: 0.7 })).toMatchObject([{ box: found.box }]);
    expect(await detected(of(0.7, [0, 1, 2, 3]))).not.toMatchObject([{ box: found.box }]);
  });

  it('leaves out classes by their names', async () => {
    const model = fakeModel(IMAGE, [boxes, classes, scores, count]);
    const detected = async (options: object) =>
      (await ObjectDetector.create(model, { labels: ['cat', 'dog'], ...options })).detect(WHITE_BLACK);
    expect(await detected({ allow: ['dog'] })).toEqual([found]);
    expect(await detected({ deny: ['dog'] })).toEqual([]);
  });

  it('accepts a head, and a threshold', async () => {
    const model = fakeModel(IMAGE, [classes, boxes, scores, count]);
    const head = postProcessHead(['classes', 'boxes', 'scores', 'count']);
    expect(await (await ObjectDetector.create(model, { head })).detect(WHITE_BLACK)).toHaveLength(1);
    const strict = await ObjectDetector.create(model, { head, threshold: 0.8 });
    expect(await strict.detect(WHITE_BLACK)).toEqual([]);
  });

  it('rejects outputs of which nothing is known, and frees the model that it has loaded', async () => {
    const model = fakeModel(IMAGE, [boxes]);
    await expect(ObjectDetector.create(model)).rejects.toThrow(TaskModelError);
    expect(model.disposals).toBe(0);
    loading(model);
    await expect(ObjectDetector.create('model.tflite')).rejects.toThrow('set the option head');
    expect(model.disposals).toBe(1);
  });
});

describe('ImageSegmenter', () => {
  it('returns the class of each pixel of the image, and the confidence in one class', async () => {
    const output = tensor('mask', 'float32', [1, 1, 2, 2]);
    const model = fakeModel(IMAGE, [[output, Float32Array.of(0.75, 0.25, 0, 1)]], METADATA);
    const wide = { width: 4, height: 1, data: new Uint8ClampedArray(16) };
    const segmentation = await (await ImageSegmenter.create(model)).segment(wide);
    expect(segmentation.classMask()).toEqual({ width: 4, height: 1, classes: Uint8Array.of(0, 0, 1, 1) });
    expect([segmentation.classes, segmentation.labels]).toEqual([2, ['cat', 'dog', 'cow']]);
    const coarse = await (await ImageSegmenter.create(model, { maskSize: 'output' })).segment(wide);
    expect(coarse.confidenceMask(1)).toEqual({ width: 2, height: 1, values: Float32Array.of(0.25, 1) });
  });

  it('returns two classes for one channel: over a half is the foreground', async () => {
    const output = tensor('mask', 'float32', [1, 1, 2, 1]);
    const model = fakeModel(IMAGE, [[output, Float32Array.of(0.75, 0.25)]]);
    const segmentation = await (await ImageSegmenter.create(model, { maskSize: 'output' })).segment(WHITE_BLACK);
    expect([segmentation.classes, ...segmentation.classMask().classes]).toEqual([2, 1, 0]);
    expect([...segmentation.confidenceMask(0).values]).toEqual([0.25, 0.75]);
    expect([...segmentation.confidenceMask(1).values]).toEqual([0.75, 0.25]);
    const logits = await ImageSegmenter.create(model, { maskSize: 'output', activation: 'sigmoid' });
    expect([...(await logits.segment(WHITE_BLACK)).classMask().classes]).toEqual([1, 1]);
  });

  describe('finds height and width of an output', () => {
    const input = tensor('image', 'uint8', [1, 2, 3, 3]);
    const image = { width: 3, height: 2, data: new Uint8ClampedArray(24) };
    // Two classes at 2 x 3 positions; the second one is better at the last.
    const [last, first] = [
      [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1],
      [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1],
    ];

    it.each([
      ['classes last', [1, 2, 3, 2], last],
      ['classes first', [1, 2, 2, 3], first],
    ])('%s', async (_, shape, values) => {
      const model = fakeModel(input, [[tensor('mask', 'float32', shape), Float32Array.from(values)]]);
      const segmentation = await (await ImageSegmenter.create(model, { maskSize: 'output' })).segment(image);
      expect(segmentation.classes).toBe(2);
      const classes = Uint8Array.of(0, 0, 0, 0, 0, 1);
      expect(segmentation.classMask()).toEqual({ width: 3, height: 2, classes });
      expect(segmentation.confidenceMask(1).values[5]).toBe(1);
    });

    it('by the labels or an option if both fit', async () => {
      const square = tensor('image', 'uint8', [1, 2, 2, 3]);
      const values = Float32Array.of(0, 0, 0, 0, 1, 1, 1, 1);
      const model = fakeModel(square, [[tensor('mask', 'float32', [1, 2, 2, 2]), values]]);
      const classesWith = async (options: object) => {
        const segmenter = await ImageSegmenter.create(model, { maskSize: 'output', ...options });
        return [...(await segmenter.segment(image)).classMask().classes];
      };
      expect(await classesWith({})).toEqual([0, 0, 0, 0]);
      expect(await classesWith({ outputLayout: 'nchw' })).toEqual([1, 1, 1, 1]);
      const labels = ['a', 'b', 'c', 'd'];
      const wide = fakeModel(tensor('p', 'uint8', [1, 4, 4, 3]), [
        [tensor('mask', 'float32', [1, 4, 4, 4]), new Float32Array(64)],
      ]);
      expect((await (await ImageSegmenter.create(wide, { labels })).segment(image)).classes).toBe(4);
    });

    it.each([
      [[1, 2, 3], BigInt64Array.of(0n, 2n, 0n, 0n, 0n, 1n)],
      [[1, 2, 3, 1], Int32Array.of(0, 2, 0, 0, 0, 1)],
    ])('classes themselves: %j', async (shape, values) => {
      const dtype = values instanceof Int32Array ? 'int32' : 'int64';
      const model = fakeModel(input, [[tensor('mask', dtype, shape), values]]);
      const segmentation = await (await ImageSegmenter.create(model, { maskSize: 'output' })).segment(image);
      expect(segmentation.classes).toBe(3);
      expect([...segmentation.classMask().classes]).toEqual([0, 2, 0, 0, 0, 1]);
      expect([...segmentation.confidenceMask(2).values]).toEqual([0, 1, 0, 0, 0, 0]);
    });
  });

  it('rejects an output that is no mask', async () => {
    const segmenter = await ImageSegmenter.create(classifierModel());
    await expect(segmenter.segment(WHITE_BLACK)).rejects.toThrow(TaskModelError);
    await expect(segmenter.segment(WHITE_BLACK)).rejects.toThrow('The output 0 is [1, 3]');
  });
});

it.each([
  ['ImageClassifier', () => ImageClassifier.create(classifierModel(), { topK: 3 } as object), 'did you mean k?'],
  [
    'ImageSegmenter',
    () => ImageSegmenter.create(classifierModel(), { maskSizes: 1 } as object),
    'did you mean maskSize?',
  ],
  [
    'ObjectDetector',
    () => ObjectDetector.create(classifierModel(), { treshold: 1 } as object),
    'did you mean threshold?',
  ],
])('%s names options that it does not have', async (_, create, message) => {
  await expect(create()).rejects.toThrow(OptionError);
  await expect(create()).rejects.toThrow(message.replace('did you mean k?', 'there is no option "topK"'));
});

it.each([[null], [5], ['k']])('accepts an object of options, not %j', async (options) => {
  await expect(ImageClassifier.create(classifierModel(), options as never)).rejects.toThrow(OptionError);
});

it('accepts no null as a model', async () => {
  await expect(ImageClassifier.create(null as never)).rejects.toThrow(ModelFetchError);
});
