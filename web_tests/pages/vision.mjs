// A program for MediaPipe's vision tasks. It does not know whose `@mediapipe/tasks-vision` it gets:
// web_tests/tests/browser/test_vision.py compares what it returns.

import * as vision from '@mediapipe/tasks-vision';
import { outcome, putArrays } from './called.mjs';

const { DrawingUtils, FilesetResolver, ImageEmbedder } = vision;
const WASM = '/programs/tasks_vision/wasm';

const tasks = new Map();

async function imageAt(url) {
  const image = new Image();
  image.src = url;
  await image.decode();
  return image;
}

/** The task of a class with these options: one for all calls, since the unmodified package's takes seconds to start. */
async function taskOf(name, modelAssetPath, options) {
  const key = JSON.stringify([name, modelAssetPath]);
  let task = tasks.get(key);
  if (task === undefined) {
    task = await vision[name].createFromModelPath(await FilesetResolver.forVisionTasks(WASM), modelAssetPath);
    tasks.set(key, task);
  }
  await task.setOptions({ runningMode: 'IMAGE', ...options });
  return task;
}

const maskRow = ({ width, height, interpolateValues }) => ({ width, height, interpolateValues });

const programs = {
  names: async () => Object.keys(vision),

  /** The lines between landmarks that the classes name. */
  lines: async () =>
    Object.entries(vision).flatMap(([name, task]) =>
      Object.entries(task).flatMap(([list, lines]) => (Array.isArray(lines) ? [[`${name}.${list}`, lines]] : [])),
    ),

  /** Frees the tasks of all calls. */
  async closeAll() {
    for (const task of tasks.values()) task.close();
    tasks.clear();
  },

  /** One call of a task's method on an image; `timestamps` are those of a video of this image or these in turn. */
  async call({ task: name, model, options, method, image: url, processing, timestamps }) {
    const task = await taskOf(name, model, options);
    const images = await Promise.all([url].flat().map(imageAt));
    if (method.endsWith('Async')) await task.prepareAsync(); // else the CPU would compute
    if (timestamps === undefined) return task[method](images[0], processing);
    const results = [];
    for (const [index, timestamp] of timestamps.entries()) {
      results.push(await task[method](images[index % images.length], timestamp, processing));
    }
    return results;
  },

  /** A segmentation: masks are PUT to /exchange/KEY/INDEX, confidence first. */
  async segment({ model, options, image: url, processing, key, way }) {
    const segmenter = await taskOf('ImageSegmenter', model, options);
    const image = await imageAt(url);
    let row;
    let arrays;
    const collect = ({ confidenceMasks = [], categoryMask, qualityScores }) => {
      row = {
        confidenceMasks: confidenceMasks.map(maskRow),
        categoryMask: categoryMask === undefined ? null : maskRow(categoryMask),
        qualityScores,
        labels: segmenter.getLabels(),
      };
      arrays = confidenceMasks.map((mask) => mask.getAsFloat32Array().slice());
      if (categoryMask) arrays.push(categoryMask.getAsUint8Array().slice());
    };
    if (way === 'callback') {
      if (processing) segmenter.segment(image, processing, collect);
      else segmenter.segment(image, collect);
    } else {
      if (way === 'async') await segmenter.prepareAsync();
      const result = way === 'async' ? await segmenter.segmentAsync(image, processing) : segmenter.segment(image, processing);
      collect(result);
      result.close();
    }
    await putArrays(arrays, key);
    return row;
  },

  /** The masks of the bodies in an image, or in the last frame of a video of it: PUT to /exchange/KEY/INDEX. */
  async masksOfBodies({ model, options, image: url, processing, timestamps, key }) {
    const landmarker = await taskOf('PoseLandmarker', model, { ...options, outputSegmentationMasks: true });
    const image = await imageAt(url);
    let rows;
    let arrays;
    const collect = ({ segmentationMasks }) => {
      rows = segmentationMasks.map(({ width, height }) => ({ width, height }));
      arrays = segmentationMasks.map((mask) => mask.getAsFloat32Array().slice());
    };
    if (timestamps === undefined) landmarker.detect(image, processing ?? {}, collect);
    for (const timestamp of timestamps ?? []) landmarker.detectForVideo(image, timestamp, collect);
    await putArrays(arrays, key);
    return rows;
  },

  /** How similar each image is to the first one. */
  async similarities({ model, options, images: urls }) {
    const embedder = await taskOf('ImageEmbedder', model, options);
    const embeddings = [];
    for (const url of urls) embeddings.push(embedder.embed(await imageAt(url)).embeddings[0]);
    return embeddings.map((embedding) => ImageEmbedder.cosineSimilarity(embeddings[0], embedding));
  },

  /** Landmarks, lines and a box: the pixels are PUT to /exchange/KEY/0. */
  async draw({ key }) {
    const canvas = new OffscreenCanvas(64, 48);
    const utils = new DrawingUtils(canvas.getContext('2d'));
    const landmarks = [
      { x: 0.2, y: 0.3, z: -0.1, visibility: 0 },
      { x: 0.8, y: 0.6, z: 0.1, visibility: 0 },
      { x: 0.5, y: 0.9, z: 0, visibility: 0 },
    ];
    const connections = [
      { start: 0, end: 1 },
      { start: 1, end: 2 },
      { start: 2, end: 9 },
    ];
    const lineWidth = ({ from }) => DrawingUtils.lerp(from.z, -0.1, 0.1, 5, 1);
    utils.drawBoundingBox({ originX: 8, originY: 6, width: 40, height: 30, angle: 0 }, { fillColor: '#00f4' });
    utils.drawConnectors(landmarks, connections, { color: '#0f0', lineWidth });
    utils.drawLandmarks(landmarks.slice(0, 1));
    utils.drawLandmarks(null, null);
    utils.drawLandmarks(landmarks.slice(2), null);
    utils.drawConnectors(null, connections);
    utils.drawConnectors(landmarks, null);
    utils.drawConnectors(landmarks, connections.slice(1), null);
    utils.drawBoundingBox({ originX: 50, originY: 40, width: 9, height: 5, angle: 0 }, null);
    utils.drawLandmarks(landmarks, { color: ({ index }) => ['red', 'yellow', 'blue'][index], radius: 3, lineWidth: 2 });
    utils.close();
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    await putArrays([data], key);
    return [DrawingUtils.clamp(3, 2, 1), DrawingUtils.clamp(-3, 1, 2), DrawingUtils.lerp(0.25, 0, 1, 8, 4)];
  },

  /** What is rejected, and what is not, alternating: the task remains usable. */
  async rejections({ model, image: url }) {
    const fileset = await FilesetResolver.forVisionTasks(WASM);
    const create = (options) => vision.ImageClassifier.createFromOptions(fileset, options);
    const image = await imageAt(url);
    const baseOptions = { modelAssetPath: model };
    const classifier = await taskOf('ImageClassifier', model, {});
    const classify = (processing) => outcome(() => classifier.classify(image, processing).classifications.length);
    const found = {
      noModel: await outcome(() => create({})),
      both: await outcome(() => create({ baseOptions: { ...baseOptions, modelAssetBuffer: new Uint8Array(8) } })),
      noFile: await outcome(() => create({ baseOptions: { modelAssetPath: '/nothing.tflite' } })),
      allowAndDeny: await outcome(() => create({ baseOptions, categoryAllowlist: ['a'], categoryDenylist: ['b'] })),
      videoOfImages: await outcome(() => classifier.classifyForVideo(image, 1)),
      region: await classify({ regionOfInterest: { left: 0.5, top: 0, right: 0.5, bottom: 1 } }),
      largeRegion: await classify({ regionOfInterest: { left: 0, top: 0, right: 1.5, bottom: 1 } }),
      rotation: await classify({ rotationDegrees: 45 }),
      rotationOfNothing: await classify({ rotationDegrees: Number.NaN }),
      works: await classify({ rotationDegrees: -90, regionOfInterest: { left: 0.25, top: 0, right: 0.75, bottom: 1 } }),
    };
    await classifier.setOptions({ runningMode: 'VIDEO' });
    found.imageOfVideo = await outcome(() => classifier.classify(image));
    found.frame = await outcome(() => classifier.classifyForVideo(image, 20).classifications.length);
    return found;
  },

  /** The effect of options that few programs set: the number of results, or 'rejected'. */
  async unusualOptions({ task: name, model, method, image: url, names }) {
    const image = await imageAt(url);
    const found = {};
    const lists = {
      negative: { maxResults: -3 },
      more: { maxResults: 100_000 },
      emptyLists: { categoryAllowlist: [], categoryDenylist: [] },
      emptyAllowlist: { categoryAllowlist: [], categoryDenylist: names.slice(0, 3) },
      twice: { categoryAllowlist: [...names.slice(0, 2), ...names.slice(0, 2)] },
      someUnknown: { categoryAllowlist: ['nothing', names[0]] },
      unknownDenied: { categoryDenylist: ['nothing'] },
      highThreshold: { scoreThreshold: 2 },
      negativeThreshold: { scoreThreshold: -1 },
      unknownLocale: { displayNamesLocale: 'xx', maxResults: 1 },
      nulls: { maxResults: null, scoreThreshold: null, categoryAllowlist: null, categoryDenylist: null },
      noResults: { maxResults: 0 }, // the last: MediaPipe then has each result twice
    };
    for (const [row, options] of Object.entries(lists)) {
      const unset = Object.fromEntries(Object.values(lists).flatMap(Object.keys).map((key) => [key, undefined]));
      found[row] = await outcome(async () => {
        const task = await taskOf(name, model, { ...unset, ...options });
        const { classifications, detections } = task[method](image);
        return (detections ?? classifications[0].categories).length;
      });
    }
    return found;
  },

  /**
   * Which times of frames are rejected: of each video the times of the results. Options that are set begin a new one.
   */
  async times({ model, image: url, videos }) {
    const image = await imageAt(url);
    const found = [];
    for (const { timestamps, runningMode } of videos) {
      const open = () => taskOf('ImageClassifier', model, { runningMode, maxResults: 1 });
      const classifier = await open().catch(() => {
        tasks.clear(); // MediaPipe's is of no use after an error
        return open();
      });
      for (const timestamp of timestamps) {
        found.push(await outcome(() => classifier.classifyForVideo(image, timestamp).timestampMs));
      }
    }
    return found;
  },

  /** What programs find that do not wait for `setOptions()`, and in masks that they read after `close()`. */
  async careless({ model, segmenter: segmenterModel, image: url }) {
    const image = await imageAt(url);
    const classifier = await taskOf('ImageClassifier', model, {});
    const classes = ({ classifications }) => classifications[0].categories.length;
    classifier.setOptions({ maxResults: 7 });
    const found = { classes: classes(classifier.classify(image)) };
    classifier.setOptions({ runningMode: 'VIDEO', maxResults: 4 });
    found.frame = classes(classifier.classifyForVideo(image, 1));
    const segmenter = await taskOf('ImageSegmenter', segmenterModel, { outputCategoryMask: true });
    const result = segmenter.segment(image);
    const kept = [...result.confidenceMasks, result.categoryMask];
    for (const mask of kept) mask.close();
    result.close();
    segmenter.segment(new ImageData(8, 8));
    found.foreground = kept.map((mask) => Math.round(mask.getAsUint8Array().reduce((sum, value) => sum + value) / 2e6));
    return found;
  },

  /** What a task does after close(), and whether detectors accept a region. */
  async ends({ model, detector, image: url }) {
    const image = await imageAt(url);
    const regionOfInterest = { left: 0, top: 0, right: 0.5, bottom: 0.5 };
    const things = await taskOf('ObjectDetector', detector, {});
    const classifier = await vision.ImageClassifier.createFromModelPath(await FilesetResolver.forVisionTasks(WASM), model);
    classifier.close();
    return {
      region: await outcome(() => things.detect(image, { regionOfInterest }).detections.length),
      again: await outcome(() => classifier.close()),
      classify: await outcome(() => classifier.classify(image).classifications.length),
    };
  },

  /** The three ways to create a task, with a stream, too. */
  async ways({ model, image: url }) {
    const fileset = await FilesetResolver.forVisionTasks(WASM);
    const { ImageClassifier } = vision;
    const bytes = new Uint8Array(await (await fetch(model)).arrayBuffer());
    const classifiers = [
      await ImageClassifier.createFromModelPath(fileset, model),
      await ImageClassifier.createFromModelBuffer(fileset, bytes),
      await ImageClassifier.createFromModelBuffer(fileset, (await fetch(model)).body.getReader()),
      await ImageClassifier.createFromOptions(fileset, { baseOptions: { modelAssetBuffer: bytes, delegate: 'CPU' }, maxResults: 1 }),
    ];
    const image = await imageAt(url);
    return classifiers.map((classifier) => {
      const [{ categories }] = classifier.classify(image).classifications;
      classifier.close();
      return [categories.length, categories[0].categoryName];
    });
  },
};

globalThis.run = (name, args) => programs[name](args);
