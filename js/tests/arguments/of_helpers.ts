/** Right arguments of the functions on images, results, sound and text. */

import type { Calls } from './wrong_arguments.js';

const size = () => ({ width: 8, height: 6 });
const placement = () => ({
  image: size(),
  region: { center: { x: 4, y: 3 }, width: 8, height: 6, rotation: 0 },
});
const box = (left = 0) => ({ left, top: 0, width: 2, height: 2 });
const detection = (left = 0) => ({ box: box(left), score: 0.5, index: 0, keyPoints: [{ x: 0.5, y: 0.5 }] });
const quantization = () => ({ scales: [0.5], zeroPoints: [0], quantizedDimension: 0 });
const scores = () => ({ name: 'scores', data: [0.25, 0.75], shape: [1, 2], dtype: 'float32', quantization: null });
const quantized = () => ({ data: Uint8Array.of(1, 3), shape: [1, 2], dtype: 'uint8', quantization: quantization() });
const image = () => ({ data: new Uint8Array(4 * 48), ...size() });
const input = () => ({ name: 'image', shape: [1, 2, 2, 3], shapeSignature: [1, 2, 2, 3], dtype: 'float32' });
const imageOptions = () => ({
  region: placement().region,
  fit: 'stretch',
  background: 0,
  resampling: 'tflite',
  antialias: false,
  range: [0, 1],
  channelOrder: 'rgb',
  layout: 'nhwc',
  data: new Float32Array(12),
});
const grid = () => ({ data: new Float32Array(12), shape: [1, 2, 3, 2] });
const anchor = () => ({ xCenter: 0.5, yCenter: 0.5, width: 1, height: 1 });
const head = () => ({ isSuppressed: true, read: () => ({ detections: [detection()], classes: 1 }) });
const suppression = () => ({ overlap: 0.5, maxResults: 3, acrossClasses: false, duplicates: 'drop' });
const sigmoid = () => ({ scale: 1, slope: 1, offset: 0, minScore: 0.1 });
const calibration = () => ({ scoreTransformation: 'LOG', defaultScore: 0, sigmoids: [sigmoid(), sigmoid()] });
const tokenizer = () => ({ tokenize: (text: string) => text.split(' '), idOf: () => 1, unknownId: 0 });
const textOptions = () => ({ length: 16, truncate: true, lowercase: true });

export const IMAGE_CALLS: Calls = {
  imageToTensor: () => ({ source: image(), model: input(), options: imageOptions() }),
  imageToTensorSync: () => ({ source: image(), model: { inputs: [input()] }, options: imageOptions() }),
  imageSize: () => ({ source: image() }),
  toImage: () => ({ placement: placement(), point: { x: 0.5, y: 0.5 } }),
  toTensor: () => ({ placement: placement(), point: { x: 4, y: 3 } }),
};

export const RESULTS_CALLS: Calls = {
  calibratedHead: 'not for users of the package',
  ultralyticsHead: 'not for users of the package',
  classNames: 'not for users of the package',
  postProcessOrder: 'not for users of the package',
  anchorHead: () => ({
    options: {
      anchors: [anchor()],
      scales: [10, 10, 5, 5],
      xFirst: false,
      exponentialSize: true,
      keyPoints: 0,
      activation: 'sigmoid',
      background: false,
    },
  }),
  cosineSimilarity: () => ({ embedding: [0.5, 1], otherEmbedding: [1, 0.5] }),
  mediapipeHead: () => ({ options: { inputSize: 128, strides: [8, 16], keyPoints: 6 } }),
  ssdAnchors: () => ({
    options: {
      inputSize: 128,
      strides: [8, 16],
      minScale: 0.2,
      maxScale: 0.95,
      aspectRatios: [1, 2],
      interpolatedScaleAspectRatio: 1,
      reduceBoxesInLowestLayer: true,
      fixedAnchorSize: false,
    },
  }),
  decodeDetections: () => ({
    results: [scores()],
    options: {
      ...suppression(),
      head: head(),
      labels: ['cat'],
      allow: ['cat'],
      deny: [],
      threshold: 0.1,
      placement: placement(),
    },
  }),
  overlapOf: () => ({ one: box(), other: box(1) }),
  regionAround: () => ({ box: box(), options: { rotation: 0.5, scale: 1.5, shiftY: 0.1 } }),
  rotationBetween: () => ({ from: { x: 0, y: 0 }, to: { x: 1, y: 1 }, targetDegrees: 90 }),
  toLandmarks: () => ({
    result: { data: new Float32Array(6), shape: [1, 6] },
    options: { inputSize: size(), numbers: 3, count: 2, heatmap: grid(), placement: placement() },
  }),
  argmaxMask: () => ({ result: grid(), options: { layout: 'nhwc', placement: placement() } }),
  classShares: () => ({ mask: { classes: Uint8Array.of(0, 1) } }),
  toMask: () => ({
    result: grid(),
    options: { layout: 'nhwc', placement: placement(), channel: 1, activation: 'sigmoid', resampling: 'opencv' },
  }),
  nonMaxSuppression: () => ({ detections: [detection(), detection(1)], options: suppression() }),
  postProcessHead: () => ({ order: ['boxes', 'classes', 'scores', 'count'], corners: [1, 0, 3, 2] }),
  realValues: () => ({ result: quantized() }),
  calibrated: () => ({ calibration: calibration(), index: 1, score: 0.5 }),
  calibrateScores: () => ({ result: scores(), calibration: calibration() }),
  topK: () => ({ result: scores(), options: { labels: ['a', 'b'], k: 1, threshold: 0, allow: ['b'], deny: ['a'] } }),
  yoloHead: () => ({ options: { objectness: true, classes: 80, inputSize: 640 } }),
};

export const SOUND_CALLS: Calls = {
  readSound: 'needs a page, as its tests do',
  resampleSound: 'needs a page, as its tests do',
  soundWindows: () => ({ samples: new Float32Array(8), options: { length: 4, hop: 2, lead: 1 } }),
};

export const TEXT_CALLS: Calls = {
  bertInputs: () => ({ tokenizer: tokenizer(), text: 'a b', options: textOptions() }),
  bertQuestionInputs: () => ({ tokenizer: tokenizer(), question: 'a', context: 'b c', options: textOptions() }),
  bertOrder: 'not for users of the package',
  startsOutput: 'not for users of the package',
  byteLetters: 'not for users of the package',
  bestAnswers: () => ({ startLogits: [1, 2], endLogits: [2, 1], wordOf: [0, 1] }),
  openTokenizer: () => ({ source: { kind: 'bert', vocabulary: '[UNK]\n[CLS]\n[SEP]\na' } }),
  tokenizerOf: () => ({
    metadata: {
      inputs: [],
      inputProcessing: { tokenizer: { kind: 'bert', vocabularies: ['vocab.txt'], models: [], delimiter: null } },
      files: [{ name: 'vocab.txt', bytes: () => new Uint8Array(1), text: () => '[UNK]\n[CLS]\n[SEP]' }],
    },
  }),
  checkTokenizer: () => ({ provided: tokenizer() }),
  wordInputs: () => ({ tokenizer: tokenizer(), text: 'a b', options: { length: 8, truncate: false } }),
};
