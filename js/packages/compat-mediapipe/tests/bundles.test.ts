/** Good and bad `.task` bundles: tasks open them, or reject them and free what they have loaded. */

import {
  FaceLandmarker,
  FilesetResolver,
  GestureRecognizer,
  HandLandmarker,
  ImageClassifier,
  PoseLandmarker,
  type VisionTask,
} from '@tflite-webnn/compat-mediapipe';
import { TaskModelError } from '@tflite-webnn/tasks';
import { zipSync } from 'fflate';
import * as tflite from 'tflite-webnn';
import { ArchiveError, NotATFLiteModelError, type TFLiteModel, type TFLiteModelOptions } from 'tflite-webnn';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { type Fake, type FakeModel, fakeModel, tensor } from './fake_model.js';

interface Loader {
  load(source: Uint8Array, options?: TFLiteModelOptions): Promise<TFLiteModel>;
  preload(): Promise<void>;
}
const { loader } = tflite as unknown as { readonly loader: Loader };

/** Files of a bundle; those of a bundle in it. A model's file has the name of a fake. */
interface Files {
  readonly [name: string]: string | Files;
}

const images = (side: number): Fake => ({ input: tensor('image', [1, side, side, 3]), outputs: [] });
const FAKES: Readonly<Record<string, Fake>> = {
  model: images(32),
  'face detector': images(128),
  'palm detector': images(192),
  'body detector': images(224),
  embedder: { ...images(32), inputCount: 3 },
};

const FACES = {
  'face_detector.tflite': 'face detector',
  'face_landmarks_detector.tflite': 'model',
  'face_blendshapes.tflite': 'model',
};
const HANDS = { 'hand_detector.tflite': 'palm detector', 'hand_landmarks_detector.tflite': 'model' };
const BODIES = { 'pose_detector.tflite': 'body detector', 'pose_landmarks_detector.tflite': 'model' };
const CLASSIFIERS = { 'gesture_embedder.tflite': 'embedder', 'canned_gesture_classifier.tflite': 'model' };
const GESTURES = { 'hand_landmarker.task': HANDS, 'hand_gesture_recognizer.task': CLASSIFIERS };

type Task = { readonly prototype: VisionTask } & Pick<typeof VisionTask, 'createFromOptions'>;
/** With how many of its models each begins. */
const TASKS: readonly (readonly [string, Task, Files, object, number])[] = [
  ['FaceLandmarker', FaceLandmarker, FACES, { outputFaceBlendshapes: true }, 3],
  ['HandLandmarker', HandLandmarker, HANDS, {}, 2],
  ['PoseLandmarker', PoseLandmarker, BODIES, {}, 2],
  ['GestureRecognizer', GestureRecognizer, GESTURES, {}, 4],
];
const STORED = 0;
const DEFLATED = 9;

/** A bundle with its bundles, packed alike. */
function bundleOf(files: Files, level: 0 | 9 = STORED): Uint8Array {
  const bytes = Object.entries(files).map(([name, content]) => {
    return [name, typeof content === 'string' ? new TextEncoder().encode(content) : bundleOf(content, level)] as const;
  });
  return zipSync(Object.fromEntries(bytes), { level });
}

async function create(Task: Task, modelAssetBuffer: Uint8Array, options = {}) {
  return Task.createFromOptions(await FilesetResolver.forVisionTasks(), {
    ...options,
    baseOptions: { modelAssetBuffer },
  });
}

const disposals = () => loaded.map((model) => model.disposals);
const without = (files: Files, name: string) =>
  Object.fromEntries(Object.entries(files).filter(([key]) => key !== name));

let loaded: FakeModel[];

beforeEach(() => {
  loaded = [];
  vi.spyOn(loader, 'preload').mockResolvedValue();
  vi.spyOn(loader, 'load').mockImplementation(async (source, options) => {
    const fake = FAKES[new TextDecoder().decode(source)];
    if (fake === undefined) throw new NotATFLiteModelError('no model');
    const [model, record] = fakeModel(fake, options);
    loaded.push(record);
    return model;
  });
});
describe.each(TASKS)('%s', (_, Task, files, options, count) => {
  it.each([STORED, DEFLATED] as const)('opens a bundle that is packed at level %i', async (level) => {
    const task = await create(Task, bundleOf(files, level), options);
    const names = vi.mocked(loader.load).mock.calls.map(([source]) => new TextDecoder().decode(source));
    expect(names).toEqual(Object.values(files).flatMap((one) => (typeof one === 'string' ? one : Object.values(one))));
    task.close();
    expect(disposals()).toEqual(names.map(() => 1));
  });

  it('loads its models in parallel', async () => {
    const load = vi.mocked(loader.load).getMockImplementation() as Loader['load'];
    let begin = () => {};
    const begun = new Promise<void>((resolve) => (begin = resolve));
    vi.mocked(loader.load).mockImplementation((source) => begun.then(() => load(source)));
    const creating = create(Task, bundleOf(files), options);
    await vi.waitFor(() => expect(loader.load).toHaveBeenCalledTimes(count));
    begin();
    (await creating).close();
  });

  it('rejects a bundle that is cut, before it loads anything', async () => {
    const bundle = bundleOf(files);
    for (const length of [bundle.length - 1, bundle.length - 30, bundle.length >> 1, 4]) {
      await expect(create(Task, bundle.subarray(0, length))).rejects.toThrow(ArchiveError);
    }
    expect(loaded).toEqual([]);
  });

  it('rejects a model in place of a bundle', async () => {
    await expect(create(Task, new TextEncoder().encode('model'))).rejects.toThrow(/needs a .task bundle/);
  });

  it('rejects a bundle of other files, which it names', async () => {
    await expect(create(Task, bundleOf({ 'other.tflite': 'model' }))).rejects.toThrow(
      expect.objectContaining({ name: 'ArchiveError', code: 'TASK_BUNDLE' }),
    );
    await expect(create(Task, bundleOf({ 'other.tflite': 'model' }))).rejects.toThrow(/it has other.tflite/);
  });
});

describe.each([
  ['FaceLandmarker', FaceLandmarker, FACES, 'face_landmarks_detector.tflite'],
  ['HandLandmarker', HandLandmarker, HANDS, 'hand_landmarks_detector.tflite'],
  ['PoseLandmarker', PoseLandmarker, BODIES, 'pose_landmarks_detector.tflite'],
] as const)('%s frees its other models', (_, Task: Task, files: Files, name) => {
  it('if one is not there', async () => {
    await expect(create(Task, bundleOf(without(files, name)))).rejects.toThrow(`has no file ${name}`);
    expect(new Set(disposals())).toEqual(new Set([1]));
  });

  it('if a file is not a model', async () => {
    await expect(create(Task, bundleOf({ ...files, [name]: 'text' }))).rejects.toThrow(NotATFLiteModelError);
    expect(new Set(disposals())).toEqual(new Set([1]));
  });

  it('if the detector is another model', async () => {
    const [detector = ''] = Object.keys(files);
    await expect(create(Task, bundleOf({ ...files, [detector]: 'model' }))).rejects.toThrow(TaskModelError);
    expect(new Set(disposals())).toEqual(new Set([1]));
  });

  it('if a compressed file is damaged', async () => {
    const bundle = bundleOf(files, DEFLATED);
    const at = Buffer.from(bundle).indexOf(name) + name.length;
    bundle[at] = (bundle[at] ?? 0) ^ 0xff;
    await expect(create(Task, bundle)).rejects.toThrow(/zip archive is damaged: .*landmarks_detector/);
    expect(new Set(disposals())).toEqual(new Set([1]));
  });
});

describe('GestureRecognizer', () => {
  it.each(Object.keys(GESTURES))('rejects a bundle with a text as %s', async (name) => {
    const creating = create(GestureRecognizer, bundleOf({ ...GESTURES, [name]: 'text' }));
    await expect(creating).rejects.toThrow(ArchiveError);
    await expect(creating).rejects.toThrow(`${name} cannot be read`);
    expect(loaded).toEqual([]);
  });

  it('rejects an embedder of other inputs, and frees all', async () => {
    const classifiers = { ...CLASSIFIERS, 'gesture_embedder.tflite': 'model' };
    const bundle = bundleOf({ ...GESTURES, 'hand_gesture_recognizer.task': classifiers });
    await expect(create(GestureRecognizer, bundle)).rejects.toThrow('gesture_embedder.tflite has 1 inputs');
    expect(disposals()).toEqual([1, 1, 1, 1]);
  });

  it('loads the tiny models like the hand models, so that they share a wasm instance', async () => {
    await create(GestureRecognizer, bundleOf(GESTURES));
    expect(loaded.map(({ options }) => options)).toEqual(Array(4).fill({ device: 'cpu' }));
  });

  it('leaves the order to a loader of the caller', async () => {
    const modelAssetBuffer = bundleOf(GESTURES);
    const begun: Promise<TFLiteModel>[] = [];
    const loadModel = (bytes: Uint8Array) => {
      const loading = vi.waitUntil(() => begun.length === 4).then(() => loader.load(bytes));
      begun.push(loading);
      return loading;
    };
    await GestureRecognizer.createFromOptions(await FilesetResolver.forVisionTasks(), {
      baseOptions: { modelAssetBuffer, loadModel },
    });
    expect(loaded.map(({ options }) => options)).toEqual([{}, {}, {}, {}]);
  });

  it('accepts a further classifier', async () => {
    const classifiers = { ...CLASSIFIERS, 'custom_gesture_classifier.tflite': 'model' };
    await create(GestureRecognizer, bundleOf({ ...GESTURES, 'hand_gesture_recognizer.task': classifiers }));
    expect(loaded).toHaveLength(5);
  });
});

it('FaceLandmarker names the file that an option needs', async () => {
  const bundle = bundleOf(without(FACES, 'face_blendshapes.tflite'));
  await (await create(FaceLandmarker, bundle)).close();
  const creating = create(FaceLandmarker, bundle, { outputFaceBlendshapes: true });
  await expect(creating).rejects.toThrow('outputFaceBlendshapes needs face_blendshapes.tflite');
  await expect(create(FaceLandmarker, bundle, { outputFacialTransformationMatrixes: true })).rejects.toThrow(
    'geometry_pipeline_metadata_landmarks.binarypb',
  );
});

it('FaceLandmarker loads the model of expressions when expressions are first requested', async () => {
  const task = (await create(FaceLandmarker, bundleOf(FACES))) as FaceLandmarker;
  expect(loaded).toHaveLength(2);
  await task.setOptions({ outputFaceBlendshapes: true });
  expect(disposals()).toEqual([1, 1, 0, 0, 0]);
  await task.setOptions({ outputFaceBlendshapes: false });
  await task.setOptions({ outputFaceBlendshapes: true });
  expect(loaded).toHaveLength(5);
});

describe('a task of one model', () => {
  it.each([STORED, DEFLATED] as const)('accepts a bundle of one, packed at level %i', async (level) => {
    const bundle = bundleOf({ 'classifier.tflite': 'model', 'labels.txt': 'cat' }, level);
    await create(ImageClassifier, bundle);
    expect(loaded).toHaveLength(1);
  });

  it.each([
    ['several', { 'a.tflite': 'model', 'b.tflite': 'model' }, 2],
    ['none', { 'labels.txt': 'cat' }, 0],
  ])('rejects a bundle of %s', async (_, files, count) => {
    await expect(create(ImageClassifier, bundleOf(files))).rejects.toThrow(TaskModelError);
    await expect(create(ImageClassifier, bundleOf(files))).rejects.toThrow(`has ${count} models; the task runs one`);
    expect(loaded).toEqual([]);
  });
});
