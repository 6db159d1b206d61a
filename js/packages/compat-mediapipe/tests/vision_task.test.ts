import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import {
  FilesetResolver,
  GestureRecognizer,
  ImageClassifier,
  type ImageClassifierOptions,
  ImageEmbedder,
  ImageSegmenter,
  ObjectDetector,
} from '@tflite-webnn/compat-mediapipe';
import { TaskModelError } from '@tflite-webnn/tasks';
import * as tflite from 'tflite-webnn';
import {
  BlockingError,
  MetadataError,
  type Model,
  ModelDisposedError,
  ModelFetchError,
  OptionError,
  type ShapedValues,
  type TFLiteModel,
  type TFLiteModelOptions,
} from 'tflite-webnn';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { type Fake, type FakeModel, fakeModel, tensor } from './fake_model.js';

type Load = (source: unknown, options?: TFLiteModelOptions) => Promise<TFLiteModel>;
type Preload = () => Promise<void>;

// vitest.config.ts replaces the package by a module whose loader a test can replace.
const { loader } = tflite as unknown as { readonly loader: { load: Load; preload: Preload } };

const BYTES = Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8);
const PIXELS = { width: 2, height: 1, data: Uint8Array.of(255, 255, 255, 0, 0, 0) };
const IMAGE = tensor('image', [1, 1, 2, 3]);
const LABELS = [
  { locale: 'en', names: ['cat', 'dog', 'cow'] },
  { locale: 'de', names: ['Katze', 'Hund', 'Kuh'] },
];
const METADATA = {
  inputs: [{ normalization: { mean: [127.5], std: [127.5] } }],
  outputs: [{ name: 'probability', labels: LABELS, scoreThreshold: 0.2 }],
};
const SCORES = [tensor('scores', [1, 3]), Float32Array.of(0.25, 0.7, 0.05)] as const;
const CLASSIFIER: Fake = { input: IMAGE, outputs: [SCORES], metadata: METADATA };

let loaded: FakeModel[];

/** What is loaded on WebNN is `onWebnn`, if provided; without it there is no WebNN. */
function loading(fake: Fake, onWebnn?: Fake) {
  vi.spyOn(loader, 'load').mockImplementation(async (_, options = {}) => {
    const [model, record] = fakeModel(options.enableWebnnDelegate && onWebnn ? onWebnn : fake, options);
    loaded.push(record);
    return model;
  });
}

async function classifier(options: ImageClassifierOptions = {}, fake = CLASSIFIER, onWebnn?: Fake) {
  loading(fake, onWebnn);
  const baseOptions = { modelAssetBuffer: BYTES, ...options.baseOptions };
  const fileset = await FilesetResolver.forVisionTasks('https://elsewhere.example/wasm');
  return ImageClassifier.createFromOptions(fileset, { ...options, baseOptions });
}

beforeEach(() => {
  loaded = [];
  vi.spyOn(loader, 'preload').mockResolvedValue();
});
describe('ImageClassifier', () => {
  it('returns classes with names in two languages, over the threshold of the metadata', async () => {
    const task = await classifier({ displayNamesLocale: 'de' });
    expect(task.classify(PIXELS)).toEqual({
      classifications: [
        {
          headIndex: 0,
          headName: 'probability',
          categories: [
            { index: 1, score: Math.fround(0.7), categoryName: 'dog', displayName: 'Hund' },
            { index: 0, score: 0.25, categoryName: 'cat', displayName: 'Katze' },
          ],
        },
      ],
    });
  });

  it('has no names without metadata', async () => {
    const task = await classifier(
      { maxResults: 1 },
      { ...CLASSIFIER, input: tensor('image', [1, 1, 2, 3], 'uint8'), metadata: null },
    );
    const [head] = task.classify(PIXELS).classifications;
    expect(head).toMatchObject({ headName: '', categories: [{ index: 1, categoryName: '', displayName: '' }] });
    await expect(task.setOptions({ categoryAllowlist: ['dog'] })).rejects.toThrow(/no names of classes/);
  });

  it('sets options one by one, and back to their defaults', async () => {
    const task = await classifier({ maxResults: 1 });
    const names = () => task.classify(PIXELS).classifications[0]?.categories.map(({ categoryName }) => categoryName);
    expect(names()).toEqual(['dog']);
    await task.setOptions({ categoryDenylist: ['dog'] });
    expect(names()).toEqual(['cat']);
    await task.setOptions({ maxResults: undefined, scoreThreshold: 0, categoryDenylist: undefined });
    expect(names()).toEqual(['dog', 'cat', 'cow']);
    expect(loaded).toHaveLength(1);
  });

  it.each([
    [{ maxResults: 0 }, /maxResults is 0/],
    [{ categoryAllowlist: ['cat'], categoryDenylist: ['dog'] }, /pass one of them/],
  ])('rejects %j, and keeps what it had', async (options, message) => {
    const task = await classifier();
    await expect(task.setOptions(options)).rejects.toThrow(message);
    expect(task.classify(PIXELS).classifications[0]?.categories).toHaveLength(2);
  });
});

describe('models', () => {
  it('are provided once', async () => {
    loading(CLASSIFIER);
    const fileset = await FilesetResolver.forVisionTasks();
    await expect(ImageClassifier.createFromOptions(fileset, {})).rejects.toThrow(/No model is provided/);
    const both = { modelAssetPath: 'a.tflite', modelAssetBuffer: BYTES };
    await expect(ImageClassifier.createFromOptions(fileset, { baseOptions: both })).rejects.toThrow(OptionError);
    const buffer = BYTES.buffer as unknown as Uint8Array;
    await expect(ImageClassifier.createFromModelBuffer(fileset, buffer)).rejects.toThrow(/a Uint8Array or a reader/);
    expect(loaded).toEqual([]);
  });

  it('come from an address, from bytes that are copied, and from a reader', async () => {
    loading(CLASSIFIER);
    const fetched = vi.fn(async () => new Response(BYTES));
    vi.stubGlobal('fetch', fetched);
    const fileset = await FilesetResolver.forVisionTasks();
    await ImageClassifier.createFromModelPath(fileset, '/model.tflite');
    await ImageClassifier.createFromModelBuffer(fileset, BYTES);
    const reader = new Blob([BYTES.subarray(0, 5), BYTES.subarray(5)]).stream().getReader();
    await ImageClassifier.createFromModelBuffer(fileset, reader);
    expect(fetched.mock.calls).toEqual([['/model.tflite']]);
    const provided = vi.mocked(loader.load).mock.calls.map(([source]) => source);
    expect(provided).toEqual([BYTES, BYTES, BYTES]);
    expect(provided).not.toContain(BYTES);
  });

  it('leave the bytes of the caller, who may drop them', async () => {
    setFlagsFromString('--expose-gc');
    const collect: () => void = runInNewContext('gc');
    const usedBytes = async () => {
      await new Promise(setImmediate); // frames of calls keep what they had
      collect();
      return process.memoryUsage().arrayBuffers;
    };
    const fileset = await FilesetResolver.forVisionTasks();
    const before = await usedBytes();
    vi.spyOn(loader, 'load').mockImplementation(async (_, options = {}) => fakeModel(CLASSIFIER, options)[0]);
    const task = await ImageClassifier.createFromModelBuffer(fileset, new Uint8Array(1 << 24));
    await expect.poll(async () => (await usedBytes()) - before, { timeout: 10_000 }).toBeLessThan(1.5 * (1 << 24));
    task.close();
  });

  it('that the server does not have are an error with its status', async () => {
    loading(CLASSIFIER);
    vi.stubGlobal('fetch', async () => new Response('', { status: 404 }));
    const creating = ImageClassifier.createFromModelPath(await FilesetResolver.forVisionTasks(), '/no.tflite');
    await expect(creating).rejects.toThrow(ModelFetchError);
    await expect(creating).rejects.toMatchObject({ status: 404 });
  });

  it('are fetched while the wasm module is', async () => {
    loading(CLASSIFIER);
    let respond = (_: Response) => {};
    vi.stubGlobal('fetch', () => new Promise<Response>((resolve) => (respond = resolve)));
    const creating = ImageClassifier.createFromModelPath(await FilesetResolver.forVisionTasks(), '/model.tflite');
    await vi.waitFor(() => expect(loader.preload).toHaveBeenCalledOnce());
    expect(loader.load).not.toHaveBeenCalled();
    respond(new Response(BYTES));
    await creating;
  });

  it('report what is wrong with the wasm module', async () => {
    vi.mocked(loader.preload).mockRejectedValue(new Error('no module'));
    vi.spyOn(loader, 'load').mockRejectedValue(new Error('no module for the model'));
    const creating = ImageClassifier.createFromModelBuffer(await FilesetResolver.forVisionTasks(), BYTES);
    await expect(creating).rejects.toThrow('no module for the model');
  });

  it('are loaded again for another delegate, and the others freed', async () => {
    const task = await classifier();
    await task.setOptions({ baseOptions: { delegate: 'GPU' } });
    expect(loaded.map(({ disposals }) => disposals)).toEqual([1, 0]);
    task.close();
    expect(loaded.map(({ disposals }) => disposals)).toEqual([1, 1]);
  });

  it('are freed where the task rejects its options', async () => {
    await expect(classifier({ maxResults: 0 })).rejects.toThrow(OptionError);
    expect(loaded.map(({ disposals }) => disposals)).toEqual([1]);
  });

  it('are freed where their metadata are damaged', async () => {
    const metadata = new MetadataError('MALFORMED_METADATA', 'cut');
    await expect(classifier({}, { ...CLASSIFIER, metadata })).rejects.toThrow(metadata);
    expect(loaded.map(({ disposals }) => disposals)).toEqual([1]);
  });
});

describe('running modes', () => {
  it('accept images or frames', async () => {
    const task = await classifier();
    expect(() => task.classifyForVideo(PIXELS, 1)).toThrow(expect.objectContaining({ option: 'runningMode' }));
    await expect(task.classifyForVideoAsync(PIXELS, 1)).rejects.toMatchObject({ option: 'runningMode' });
    await task.setOptions({ runningMode: 'VIDEO' });
    expect(() => task.classify(PIXELS)).toThrow(expect.objectContaining({ option: 'runningMode' }));
    expect(task.classifyForVideo(PIXELS, 1).timestampMs).toBe(1);
    await task.setOptions({ runningMode: 'video' as 'VIDEO' });
    expect(task.classifyForVideo(PIXELS, 1).timestampMs).toBe(1);
    await task.setOptions({ runningMode: undefined } as object);
    expect(task.classify(PIXELS).timestampMs).toBeUndefined();
  });

  it('accept frames of rising times', async () => {
    const task = await classifier({ runningMode: 'VIDEO' });
    task.classifyForVideo(PIXELS, 10);
    expect(() => task.classifyForVideo(PIXELS, 10)).toThrow(expect.objectContaining({ option: 'timestamp' }));
    expect(() => task.classifyForVideo(PIXELS, Number.NaN)).toThrow(/timestamp is NaN ms/);
    task.classifyForVideo(PIXELS, 10.5);
    await task.setOptions({ maxResults: 1 });
    expect(task.classifyForVideo(PIXELS, 3).timestampMs).toBe(3);
  });

  it('apply options immediately, as in MediaPipe, unless a call with a promise is in flight', async () => {
    const task = await classifier();
    const count = () => task.classify(PIXELS).classifications[0]?.categories.length;
    await task.setOptions({ maxResults: 2 });
    const setting = task.setOptions({ maxResults: 1 });
    expect(count()).toBe(1);
    await setting;
    const running = task.classifyAsync(PIXELS);
    const later = task.setOptions({ maxResults: 2 });
    expect(count()).toBe(1);
    expect((await running).classifications[0]?.categories).toHaveLength(1);
    await later;
    expect(count()).toBe(2);
    await expect(task.setOptions({ maxResults: 0 })).rejects.toThrow(OptionError);
    task.setOptions({ maxResults: 1 });
    task.setOptions({ runningMode: 'VIDEO' });
    expect(task.classifyForVideo(PIXELS, 1).timestampMs).toBe(1);
  });

  it('end with close()', async () => {
    const task = await classifier();
    task.close();
    expect(() => task.classify(PIXELS)).toThrow(ModelDisposedError);
    await expect(task.classifyAsync(PIXELS)).rejects.toThrow(ModelDisposedError);
    await expect(task.setOptions({})).rejects.toThrow(ModelDisposedError);
    task.close();
    expect(loaded.map(({ disposals }) => disposals)).toEqual([1]);
  });

  it('end with using', async () => {
    const task = await classifier();
    task[Symbol.dispose]();
    expect(() => task.classify(PIXELS)).toThrow(ModelDisposedError);
  });
});

describe('calls that do not wait', () => {
  it('reject their caller alone, though others are in flight', async () => {
    const unhandled = vi.fn();
    process.on('unhandledRejection', unhandled);
    const task = await classifier();
    const load = loader.load;
    vi.spyOn(loader, 'load').mockImplementation(async (...provided) => {
      await new Promise((resolve) => setTimeout(resolve, 10));
      return load(...provided);
    });
    const busy = task.setOptions({ baseOptions: { modelAssetBuffer: BYTES } });
    vi.stubGlobal('createImageBitmap', () => Promise.reject(new Error('no image')));
    const failing = task.classifyAsync(new Blob() as unknown as ImageBitmap);
    failing.catch(() => {});
    await new Promise((resolve) => setTimeout(resolve, 20));
    await expect(failing).rejects.toMatchObject({ name: 'ImageError', code: 'IMAGE_DECODE_FAILED' });
    await expect(failing).rejects.toThrow('The browser cannot decode the Blob.');
    await busy;
    process.off('unhandledRejection', unhandled);
    expect(unhandled).not.toHaveBeenCalled();
  });

  it('run on WebNN after prepareAsync()', async () => {
    const task = await classifier({}, CLASSIFIER, { ...CLASSIFIER, executionMode: 'direct' });
    task.classify(PIXELS);
    expect(loaded).toHaveLength(1);
    await task.prepareAsync();
    await task.prepareAsync();
    expect(loaded).toHaveLength(2);
    const found = await Promise.all([task.classifyAsync(PIXELS), task.classifyAsync(PIXELS)]);
    expect(found[0]).toEqual(task.classify(PIXELS));
    const [now, onWebnn] = loaded;
    expect(now?.options.device).toBe('cpu');
    expect(now?.ran.map(([call]) => call)).toEqual(['runSync', 'runSync']);
    expect(onWebnn?.options.enableWebnnDelegate).toBe(true);
    expect(onWebnn?.ran).toEqual([
      ['run', [1, 1, 1, -1, -1, -1]],
      ['run', [1, 1, 1, -1, -1, -1]],
    ]);
    task.close();
    await vi.waitFor(() => expect(loaded.map(({ disposals }) => disposals)).toEqual([1, 1]));
    await expect(task.prepareAsync()).rejects.toThrow(ModelDisposedError);
  });

  it('run on the CPU until WebNN is loaded, which the first one begins', async () => {
    const task = await classifier();
    let onWebnn = (_: TFLiteModel) => {};
    vi.mocked(loader.load).mockReturnValueOnce(new Promise((resolve) => (onWebnn = resolve)));
    await task.classifyAsync(PIXELS);
    await vi.waitFor(() => expect(loader.load).toHaveBeenCalledTimes(2));
    await task.classifyAsync(PIXELS);
    const [model, record] = fakeModel({ ...CLASSIFIER, executionMode: 'direct' });
    onWebnn(model);
    await task.prepareAsync();
    await task.classifyAsync(PIXELS);
    expect(loader.load).toHaveBeenCalledTimes(2);
    expect([loaded[0], record].map((one) => one?.ran.length)).toEqual([2, 1]);
  });

  it('fail if loading on WebNN has failed', async () => {
    const task = await classifier();
    vi.mocked(loader.load).mockRejectedValueOnce(new Error('no memory'));
    await task.classifyAsync(PIXELS);
    await expect(task.prepareAsync()).rejects.toThrow('no memory');
    await expect(task.classifyAsync(PIXELS)).rejects.toThrow('no memory');
  });

  it('load nothing on WebNN if the task is closed while they run', async () => {
    const [model, record] = fakeModel(CLASSIFIER);
    const { run } = model;
    model.run = ((inputs: readonly ShapedValues[]) => {
      task.close();
      return run(inputs);
    }) as typeof run;
    loading(CLASSIFIER);
    vi.mocked(loader.load).mockResolvedValueOnce(model);
    const task = await ImageClassifier.createFromModelBuffer(await FilesetResolver.forVisionTasks(), BYTES);
    await task.classifyAsync(PIXELS);
    await new Promise((resolve) => setTimeout(resolve));
    expect([record.disposals, loaded.length]).toEqual([1, 0]);
  });

  it('run on the model that the program loads, e.g. in a worker, where no call can wait', async () => {
    loading(CLASSIFIER);
    const [{ runSync, ...inWorker }, record] = fakeModel({ ...CLASSIFIER, executionMode: 'direct' });
    const loadModel = vi.fn(async () => inWorker as unknown as Model);
    const baseOptions = { modelAssetBuffer: BYTES, delegate: 'GPU' as const, loadModel };
    const task = await ImageClassifier.createFromOptions(await FilesetResolver.forVisionTasks(), { baseOptions });
    await task.classifyAsync(PIXELS);
    expect(loadModel.mock.calls).toEqual([[BYTES]]);
    expect(record.ran.map(([call]) => call)).toEqual(['run']);
    expect(loaded).toEqual([]);
    expect(() => task.classify(PIXELS)).toThrow(/is in a worker/);
    task.close();
    await Promise.resolve(); // until the counterpart on WebNN, the same model here, would be freed
    expect(record.disposals).toBe(1);
  });

  it('measure the parts of the last one', async () => {
    const task = await classifier();
    vi.spyOn(performance, 'now')
      .mockReturnValueOnce(10)
      .mockReturnValueOnce(13)
      .mockReturnValueOnce(20)
      .mockReturnValueOnce(25);
    task.classify(PIXELS);
    expect(task.times).toEqual({ image: 3, model: 5 });
    await task.classifyAsync(PIXELS);
    expect(task.times.model).not.toBe(5);
    task.close();
    expect(() => task.times).toThrow(ModelDisposedError);
  });

  it('get a GPU with the delegate GPU', async () => {
    const task = await classifier({ baseOptions: { delegate: 'GPU' } }, CLASSIFIER, {
      ...CLASSIFIER,
      executionMode: 'direct',
    });
    await task.prepareAsync();
    expect(loaded.at(-1)?.options.webnnDelegateOptions?.devicePreference).toBe('gpu');
  });

  it('run on the CPU where WebNN accepts nothing of the model', async () => {
    const task = await classifier();
    await task.classifyAsync(PIXELS);
    await task.prepareAsync();
    await task.classifyAsync(PIXELS);
    expect(loaded.map(({ disposals }) => disposals)).toEqual([0, 1]);
    expect(loaded[0]?.ran.map(([call]) => call)).toEqual(['run', 'run']);
  });

  it('are one model with those that wait, where this thread can wait for WebNN', async () => {
    const task = await classifier({ baseOptions: { delegate: 'GPU' } }, CLASSIFIER, {
      ...CLASSIFIER,
      executionMode: 'blocking',
    });
    task.classify(PIXELS);
    await task.classifyAsync(PIXELS);
    expect(loaded).toHaveLength(1);
    expect(loaded[0]?.options.webnnDelegateOptions).toEqual({ devicePreference: 'gpu', blocking: true });
  });

  it('leave those that wait on the CPU where this thread cannot wait', async () => {
    loading(CLASSIFIER);
    vi.mocked(loader.load).mockImplementationOnce(async () => {
      throw new BlockingError('no isolation');
    });
    const baseOptions = { modelAssetBuffer: BYTES, delegate: 'GPU' as const };
    const task = await ImageClassifier.createFromOptions(await FilesetResolver.forVisionTasks(), { baseOptions });
    task.classify(PIXELS);
    expect(loaded.map(({ options }) => options)).toEqual([{ device: 'cpu' }]);
  });
});

describe('ImageEmbedder', () => {
  const fakeOf = (...values: number[]) => ({
    input: IMAGE,
    outputs: [[tensor('feature', [1, 2]), Float32Array.from(values)]] as const,
    metadata: METADATA,
  });
  const fake = fakeOf(3, -4);

  it.each([
    [{}, { floatEmbedding: [3, -4] }],
    [{ l2Normalize: true }, { floatEmbedding: [0.6, -0.8] }],
    [{ l2Normalize: true, quantize: true }, { quantizedEmbedding: Uint8Array.of(77, 256 - 102) }],
    [{ quantize: true }, { quantizedEmbedding: Uint8Array.of(127, 128) }],
  ])('with %j', async (options, expected) => {
    loading(fake);
    const baseOptions = { modelAssetBuffer: BYTES };
    const task = await ImageEmbedder.createFromOptions(await FilesetResolver.forVisionTasks(), {
      ...options,
      baseOptions,
    });
    expect(task.embed(PIXELS).embeddings).toEqual([{ ...expected, headIndex: 0, headName: 'probability' }]);
  });

  it('rounds halves away from zero', async () => {
    loading(fakeOf(2.5 / 128, -2.5 / 128));
    const baseOptions = { modelAssetBuffer: BYTES };
    const options = { quantize: true, baseOptions };
    const task = await ImageEmbedder.createFromOptions(await FilesetResolver.forVisionTasks(), options);
    expect(task.embed(PIXELS).embeddings[0]?.quantizedEmbedding).toEqual(Uint8Array.of(3, 256 - 3));
  });
});

describe('ImageSegmenter', () => {
  const masks = [tensor('masks', [1, 1, 2, 2]), Float32Array.of(0, 0, 1, 4)] as const;
  const segmenter = async (activation: string | null, options = {}, outputs: Fake['outputs'] = [masks]) => {
    loading({ input: IMAGE, outputs, metadata: { ...METADATA, segmenter: { activation } } });
    const baseOptions = { modelAssetBuffer: BYTES };
    return ImageSegmenter.createFromOptions(await FilesetResolver.forVisionTasks(), { ...options, baseOptions });
  };

  it.each([
    [null, [0, 1]],
    ['SIGMOID', [0.5, 0.731]],
    ['SOFTMAX', [0.5, 0.047]],
  ])('returns confidence after the activation %s', async (activation, expected) => {
    const { confidenceMasks, categoryMask, qualityScores } = (await segmenter(activation)).segment(PIXELS);
    expect(confidenceMasks).toHaveLength(2);
    const [first] = confidenceMasks ?? [];
    expect(first).toMatchObject({ width: 2, height: 1 });
    expect([...(first?.getAsFloat32Array() ?? [])]).toEqual(expected.map((value) => expect.closeTo(value, 3)));
    expect(categoryMask).toBeUndefined();
    expect(qualityScores).toEqual([1, 1]);
  });

  it('calls back, with only the requested masks', async () => {
    const task = await segmenter(null, { outputCategoryMask: true, outputConfidenceMasks: false });
    const callback = vi.fn();
    expect(task.segment(PIXELS, callback)).toBeUndefined();
    expect(task.segment(PIXELS, { rotationDegrees: 0 }, callback)).toBeUndefined();
    const [[result]] = callback.mock.calls as [[ReturnType<typeof task.segment>]];
    expect([...(result.categoryMask?.getAsUint8Array() ?? [])]).toEqual([0, 1]);
    expect(result.confidenceMasks).toBeUndefined();
    expect(callback).toHaveBeenCalledTimes(2);
    expect(task.getLabels()).toEqual(['cat', 'dog', 'cow']);
    result.close();
    expect([...(result.categoryMask?.getAsUint8Array() ?? [])]).toEqual([0, 1]);
  });

  it('reads how good masks are from an output before them', async () => {
    const quality = [tensor('quality', [1, 2]), Float32Array.of(0.5, 0.25)] as const;
    expect((await segmenter(null, {}, [quality, masks])).segment(PIXELS).qualityScores).toEqual([0.5, 0.25]);
  });

  it('rejects a model whose output is no mask', async () => {
    const task = await segmenter(null, {}, [SCORES]);
    expect(() => task.segment(PIXELS)).toThrow(TaskModelError);
  });
});

describe('ObjectDetector', () => {
  const outputs: Fake['outputs'] = [
    [tensor('boxes', [1, 3, 4]), Float32Array.of(0, 0, 1, 0.9, 0, 0.5, 1, 1, 0, 0, 1, 1)],
    [tensor('classes', [1, 3]), Float32Array.of(1, 0, 2)],
    [tensor('scores', [1, 3]), Float32Array.of(0.5, 0.75, 0.125)],
    [tensor('count', [1]), Float32Array.of(3)],
  ];
  const metadata = {
    inputs: METADATA.inputs,
    outputs: [
      { name: 'location' },
      { name: 'category', labels: LABELS },
      { name: 'score', scoreThreshold: 0.2 },
      { name: 'number of detections' },
    ],
  };
  const found = async (options: object) => {
    loading({ input: IMAGE, outputs, metadata });
    const baseOptions = { modelAssetBuffer: BYTES };
    const task = await ObjectDetector.createFromOptions(await FilesetResolver.forVisionTasks(), {
      ...options,
      baseOptions,
    });
    return task.detect(PIXELS).detections;
  };

  it('returns boxes in integer pixels, best first, over the threshold of the metadata', async () => {
    expect(await found({})).toEqual([
      {
        categories: [{ index: 0, score: 0.75, categoryName: 'cat', displayName: 'cat' }],
        boundingBox: { originX: 1, originY: 0, width: 1, height: 1, angle: 0 },
        keypoints: [],
      },
      {
        categories: [{ index: 1, score: 0.5, categoryName: 'dog', displayName: 'dog' }],
        boundingBox: { originX: 0, originY: 0, width: 1, height: 1, angle: 0 },
        keypoints: [],
      },
    ]);
  });

  it.each([
    [{ scoreThreshold: 0.1 }, ['cat', 'dog', 'cow']],
    [{ categoryAllowlist: ['dog', 'cow'] }, ['dog']],
    [{ categoryDenylist: ['dog'], scoreThreshold: 0 }, ['cat', 'cow']],
    [{ maxResults: 1 }, ['cat']],
  ])('with %j', async (options, names) => {
    expect((await found(options)).map(({ categories }) => categories[0]?.categoryName)).toEqual(names);
  });

  it('finds a thing that one of a denied class would suppress, as MediaPipe does', async () => {
    const anchor = { xCenter: 0.5, yCenter: 0.5, width: 1, height: 1 };
    const scales = { xScale: 1, yScale: 1, wScale: 1, hScale: 1 };
    const decoding = { ...scales, numBoxes: 1, numKeypoints: 0, numValuesPerKeypoint: 2, sigmoidScore: false };
    const twoOutputs: Fake['outputs'] = [
      [tensor('boxes', [1, 1, 4]), new Float32Array(4)],
      [tensor('scores', [1, 1, 3]), Float32Array.of(0.9, 0.8, 0)],
    ];
    const detector = { anchors: [anchor], decoding: { ...decoding, applyExponentialOnBoxSize: true } };
    const outputsOfFile = [{ name: 'location' }, { name: 'score', labels: LABELS }];
    loading({ input: IMAGE, outputs: twoOutputs, metadata: { ...METADATA, outputs: outputsOfFile, detector } });
    const task = await ObjectDetector.createFromOptions(await FilesetResolver.forVisionTasks(), {
      baseOptions: { modelAssetBuffer: BYTES },
      scoreThreshold: 0.5,
    });
    const names = () => task.detect(PIXELS).detections.map(({ categories }) => categories[0]?.categoryName);
    expect(names()).toEqual(['cat']);
    await task.setOptions({ categoryDenylist: ['cat'] });
    expect(names()).toEqual(['dog']);
  });

  it('accepts no region', async () => {
    loading({ input: IMAGE, outputs, metadata });
    const task = await ObjectDetector.createFromModelBuffer(await FilesetResolver.forVisionTasks(), BYTES);
    const regionOfInterest = { left: 0, top: 0, right: 1, bottom: 1 };
    expect(() => task.detect(PIXELS, { regionOfInterest })).toThrow(/accepts no regionOfInterest/);
  });
});

it.each([
  [{ maxResult: 1 }, 'there is no option "maxResult": did you mean maxResults?'],
  [{ baseOptions: { modelPath: 'm.tflite' } }, 'there is no option "baseOptions.modelPath"'],
  [{ l2Normalize: true }, 'there is no option "l2Normalize"'],
  [{ baseOptions: { delegate: 'gpu' } }, 'the option "baseOptions.delegate" is one of CPU, GPU; got "gpu"'],
  [{ maxResults: Number.NaN }, 'the option "maxResults" is a number, not NaN'],
  [{ scoreThreshold: Number.NaN }, 'the option "scoreThreshold" is a number, not NaN'],
])('names options that a task does not have, or not so: %j', async (options, message) => {
  const task = await classifier();
  await expect(task.setOptions(options as ImageClassifierOptions)).rejects.toThrow(OptionError);
  await expect(task.setOptions(options as ImageClassifierOptions)).rejects.toThrow(message);
});

it.each([
  [null, 'The model has no metadata, which says what pixels'],
  [{ ...METADATA, inputs: [] }, "The model's metadata has no normalization, which says"],
])('says what a float input without normalization lacks', async (metadata, message) => {
  const task = await classifier({}, { ...CLASSIFIER, metadata });
  expect(() => task.classify(PIXELS)).toThrow(TaskModelError);
  expect(() => task.classify(PIXELS)).toThrow(message);
  expect(() => task.classify(PIXELS)).toThrow(/tasks of tflite-webnn\/tasks, which have the options range/);
});

it('names options that the classifiers of gestures do not have', async () => {
  const options = { cannedGesturesClassifierOptions: { scoreTreshold: 0.5 } } as object;
  await expect(GestureRecognizer.createFromOptions(await FilesetResolver.forVisionTasks(), options)).rejects.toThrow(
    'there is no option "cannedGesturesClassifierOptions.scoreTreshold": did you mean ' +
      'cannedGesturesClassifierOptions.scoreThreshold?',
  );
});
