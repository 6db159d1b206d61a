/**
 * Right arguments of the drop-ins for LiteRT.js and MediaPipe's vision tasks. That for tfjs-tflite is called by its
 * client.
 */

import * as litert from '@tflite-webnn/compat-litert';
import * as vision from '@tflite-webnn/compat-mediapipe';
import { loadOn, ON_CPU, sinRunner } from 'tflite-webnn/fakes';
import { fakeModel, tensor } from '../../packages/compat-mediapipe/tests/fake_model.js';
import { type Methods, methodsOf } from './methods.js';
import type { Calls } from './wrong_arguments.js';

const INTERNAL = 'not for users of the package';
const ALWAYS = 'always an error of the package: nothing else is done';
const RESULT = 'created by a task';

const environment = new litert.Environment({ webGpuDevice: null });
const values = () => new Float32Array(4);
const litertTensor = () => new litert.Tensor(values(), [4], environment);
const source = () => new Uint8Array(8);
const compileOptions = () => ({
  accelerator: 'webnn',
  environment,
  cpuOptions: { numThreads: 1 },
  gpuOptions: {},
  webNNOptions: { devicePreference: 'cpu', powerPreference: 'default' },
});

export const LITERT_CALLS: Calls = {
  CompiledModel: 'created by loadAndCompile()',
  LiteRt: 'created by loadLiteRt()',
  Environment: 'only remembers a device: nothing is computed by it',
  'Tensor.new': () => ({ data: values(), shape: [4], environment }),
  'Tensor.fromTypedArray': () => ({ data: values(), shape: [4], environment }),
  getDefaultEnvironment: () => ({}),
  getGlobalLiteRt: () => ({}),
  getGlobalLiteRtPromise: () => ({}),
  getWebGpuDevice: () => ({}),
  isWebGPUSupported: () => ({}),
  supportsFeature: () => ({ feature: 'webnn' }),
  loadAndCompile: 'as of the runtime: with its methods',
  loadLiteRt: () => ({ wasmDirectory: 'wasm/', options: { threads: false, jspi: false } }),
  loadModelAndWeights: ALWAYS,
  setWebGpuDevice: ALWAYS,
  unloadLiteRt: () => ({}),
};

async function compiledModel(): Promise<litert.CompiledModel> {
  const model = await loadOn([], sinRunner(ON_CPU), { enableWebnnDelegate: false });
  const filled = compileOptions() as unknown as Parameters<typeof litert.CompiledModel.of>[1];
  return litert.CompiledModel.of(model, filled, () => {});
}

const COMPILED_MODEL_CALLS: Calls = {
  run: () => ({ signature: 'serving_default', input: { angle: litertTensor() } }),
  getInputDetails: () => ({}),
  getOutputDetails: () => ({}),
  delete: () => ({}),
};
const LITERT_TENSOR_CALLS: Calls = {
  copyTo: () => ({ destination: 'wasm' }),
  moveTo: () => ({ destination: 1 }),
  data: () => ({}),
  toTypedArray: () => ({}),
  values: INTERNAL,
  getBufferType: () => ({}),
  toGpuBuffer: ALWAYS,
  delete: () => ({}),
};
const LITERT_RUNTIME_CALLS: Calls = {
  setOptions: INTERNAL,
  setDefaultEnvironment: () => ({ environment }),
  getDefaultEnvironment: () => ({}),
  setWebGpuDevice: () => ({ webGpuDevice: new (class Device {})() }),
  getWebGpuDevice: () => ({}),
  loadAndCompile: () => ({ source: source(), options: compileOptions() }),
  delete: () => ({}),
};

const LABELS = [{ locale: 'en', names: ['cat', 'dog'] }];
const metadataOf = (outputs: readonly unknown[]) => ({
  inputs: [{ normalization: { mean: [127.5], std: [127.5] } }],
  outputs: outputs.map(() => ({ name: 'probability', labels: LABELS })),
});
const IMAGE = tensor('image', [1, 1, 2, 3]);
const SCORES = [tensor('scores', [1, 2]), Float32Array.of(0.25, 0.75)] as const;
const MASK = [tensor('mask', [1, 1, 2, 2]), new Float32Array(4)] as const;
const BOXES = [
  [tensor('boxes', [1, 1, 4]), new Float32Array(4)],
  [tensor('classes', [1, 1]), new Float32Array(1)],
  [tensor('scores', [1, 1]), new Float32Array(1)],
  [tensor('count', [1]), new Float32Array(1)],
] as const;

const base = (outputs: Parameters<typeof fakeModel>[0]['outputs']) => ({
  modelAssetBuffer: source(),
  delegate: 'CPU',
  loadModel: async () => fakeModel({ input: IMAGE, outputs, metadata: metadataOf(outputs) })[0],
});
const classifierOptions = () => ({
  displayNamesLocale: 'en',
  maxResults: 1,
  scoreThreshold: 0.5,
  categoryAllowlist: ['cat'],
});
const FILESET = new (class Fileset {})();

/** The parts of each task; its own options, and its outputs. */
const TASKS = {
  ImageClassifier: [vision.ImageClassifier, [SCORES], classifierOptions],
  ImageEmbedder: [vision.ImageEmbedder, [SCORES], () => ({ l2Normalize: true, quantize: false })],
  ImageSegmenter: [
    vision.ImageSegmenter,
    [MASK],
    () => ({ displayNamesLocale: 'en', outputConfidenceMasks: true, outputCategoryMask: true }),
  ],
  ObjectDetector: [vision.ObjectDetector, BOXES, classifierOptions],
} as const;

/** Tasks that open bundles: their options are checked before. */
const BUNDLES = {
  FaceDetector: () => ({ minDetectionConfidence: 0.5, minSuppressionThreshold: 0.5 }),
  FaceLandmarker: () => ({
    numFaces: 1,
    minFaceDetectionConfidence: 0.5,
    minFacePresenceConfidence: 0.5,
    minTrackingConfidence: 0.5,
    outputFaceBlendshapes: true,
    outputFacialTransformationMatrixes: true,
  }),
  HandLandmarker: () => ({
    numHands: 1,
    minHandDetectionConfidence: 0.5,
    minHandPresenceConfidence: 0.5,
    minTrackingConfidence: 0.5,
  }),
  GestureRecognizer: () => ({
    numHands: 1,
    cannedGesturesClassifierOptions: classifierOptions(),
    customGesturesClassifierOptions: classifierOptions(),
  }),
  PoseLandmarker: () => ({
    numPoses: 1,
    minPoseDetectionConfidence: 0.5,
    minPosePresenceConfidence: 0.5,
    minTrackingConfidence: 0.5,
    outputSegmentationMasks: true,
  }),
};

function ofTask(name: string, options: () => object, outputs: Parameters<typeof base>[0]): Calls {
  return {
    [`${name}.createFromOptions`]: () => ({
      fileset: FILESET,
      options: { baseOptions: base(outputs), runningMode: 'IMAGE', canvas: new (class Canvas {})(), ...options() },
    }),
    [`${name}.createFromModelPath`]: () => ({ fileset: FILESET, modelAssetPath: 'http://127.0.0.1:1/' }),
    [`${name}.createFromModelBuffer`]: () => ({ fileset: FILESET, modelAssetBuffer: source() }),
  };
}

export const VISION_CALLS: Calls = {
  DrawingUtils: 'its methods have rows of their own',
  'DrawingUtils.clamp': () => ({ x: 1, x0: 0, x1: 2 }),
  'DrawingUtils.lerp': () => ({ x: 1, x0: 0, x1: 2, y0: 0, y1: 4 }),
  'FilesetResolver.isSimdSupported': 'looks at no argument',
  ImageSegmenterResult: RESULT,
  PoseLandmarkerResult: RESULT,
  MPMask: RESULT,
  ...Object.assign(
    {},
    ...Object.entries(TASKS).map(([name, [, outputs, options]]) => ofTask(name, options, outputs)),
    ...Object.entries(BUNDLES).map(([name, options]) => ofTask(name, options, [])),
  ),
  'ImageEmbedder.cosineSimilarity': () => ({
    u: { floatEmbedding: Float32Array.of(1, 2) },
    v: { floatEmbedding: Float32Array.of(2, 1) },
  }),
};

const landmarks = () => [
  { x: 0, y: 0 },
  { x: 0.5, y: 1 },
];
const style = () => ({ color: 'red', fillColor: 'blue', lineWidth: 2, radius: 1 });
const mask = () => vision.MPMask.of(new Uint8Array(2), 2, 1);
const color = () => [255, 0, 0, 255];

/** Node has no canvas: what is right ends in an error of the package. */
const DRAWING_CALLS: Calls = {
  drawLandmarks: () => ({ landmarks: landmarks(), style: style() }),
  drawConnectors: () => ({ landmarks: landmarks(), connections: [{ start: 0, end: 1 }], style: style() }),
  drawBoundingBox: () => ({ boundingBox: { originX: 0, originY: 0, width: 1, height: 1 }, style: style() }),
  drawCategoryMask: () => ({ mask: mask(), categoryToColorMap: [color()], background: color() }),
  drawConfidenceMask: () => ({ mask: mask(), defaultTexture: color(), overlayTexture: color() }),
  close: () => ({}),
};

type TaskName = keyof typeof TASKS;

async function task(name: TaskName, runningMode: 'IMAGE' | 'VIDEO'): Promise<vision.VisionTask> {
  const [Task, outputs, options] = TASKS[name];
  const provided = { baseOptions: base(outputs), runningMode, ...options() };
  return (Task as typeof vision.ImageClassifier).createFromOptions(FILESET as never, provided as never);
}

const image = () => ({ data: new Uint8Array(12), width: 2, height: 2 });
const turned = () => ({ rotationDegrees: 90 });
const inRegion = () => ({ ...turned(), regionOfInterest: { left: 0, top: 0, right: 1, bottom: 0.5 } });
const ALL_TASKS_CALLS: Calls = {
  prepareAsync: () => ({}),
  close: () => ({}),
  enableLogging: 'without effect',
  ...Object.fromEntries(
    ['onImage', 'onFrame', 'onImageAsync', 'onFrameAsync', 'hasModelsFor', 'open', 'configure', 'steps'].map((name) => [
      name,
      INTERNAL,
    ]),
  ),
};
const LATER = 'in another running mode: in another row';

function ofMethods(name: string, processing: () => object, [, , options]: (typeof TASKS)[TaskName]): [Calls, Calls] {
  const shared = {
    ...ALL_TASKS_CALLS,
    setOptions: () => ({ options: options() }),
    ...(name === 'segment' && { getLabels: () => ({}) }),
  };
  const onImage = () => ({ image: image(), processing: processing() });
  const onFrame = () => ({ image: image(), timestamp: 1, processing: processing() });
  const names = [name, `${name}Async`, `${name}ForVideo`, `${name}ForVideoAsync`] as const;
  const calls = [onImage, onImage, onFrame, onFrame];
  const rows = (isVideo: boolean) =>
    Object.fromEntries(names.map((one, i) => [one, i > 1 === isVideo ? (calls[i] as () => object) : LATER]));
  return [{ ...shared, ...rows(false) } as Calls, { ...shared, ...rows(true) } as Calls];
}

function ofTaskMethods(): Record<string, readonly [Methods, Calls]> {
  const verbs = {
    ImageClassifier: 'classify',
    ImageEmbedder: 'embed',
    ImageSegmenter: 'segment',
    ObjectDetector: 'detect',
  };
  const entries = Object.entries(verbs).flatMap(([name, verb]) => {
    const row = TASKS[name as TaskName];
    const processing = name === 'ObjectDetector' || name === 'ImageSegmenter' ? turned : inRegion;
    const [ofImages, ofFrames] = ofMethods(verb, processing, row);
    const methods = (mode: 'IMAGE' | 'VIDEO') => methodsOf(row[0] as never, () => task(name as TaskName, mode));
    return [
      [`${name} of vision`, [methods('IMAGE'), ofImages]],
      [`${name} of vision on frames`, [methods('VIDEO'), ofFrames]],
    ] as const;
  });
  return Object.fromEntries(entries);
}

/** The methods of objects that the drop-ins create, and their rows. */
export const DROP_IN_METHODS: Readonly<Record<string, readonly [methods: Methods, calls: Calls]>> = {
  'a model of litert': [methodsOf(litert.CompiledModel, compiledModel), COMPILED_MODEL_CALLS],
  'a tensor of litert': [methodsOf(litert.Tensor, litertTensor), LITERT_TENSOR_CALLS],
  'the runtime of litert': [methodsOf(litert.LiteRt as never, () => litert.LiteRt.of({})), LITERT_RUNTIME_CALLS],
  'drawing utilities': [methodsOf(vision.DrawingUtils, () => new vision.DrawingUtils({} as never)), DRAWING_CALLS],
  ...ofTaskMethods(),
};
