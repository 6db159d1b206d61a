/** Valid arguments of tasks and of their parts. */

import * as tasks from '@tflite-webnn/tasks';
import * as language from '@tflite-webnn/tasks/language';
import type { TensorInfo } from 'tflite-webnn';
import { fakeModel, languageModel, tensor } from '../../packages/tasks/tests/fake_model.js';
import type { Calls } from './wrong_arguments.js';

const tokenizer = { tokenize: (text: string) => text.split(' '), idOf: () => 1, unknownId: 0 };
const labels = () => [{ locale: null, names: ['cat', 'dog'] }];
const metadata = () => ({ inputs: [{ name: 'image' }], outputs: [{ name: 'scores', labels: labels() }] });
const shortOf = ({ name, dtype, shape }: TensorInfo) => ({ name, dtype, shape });
const image = () => tensor('image', 'uint8', [1, 2, 2, 3]);
const scores = () => tensor('scores', 'float32', [1, 2]);
const taskOptions = () => ({ labels: ['cat', 'dog'], locale: 'en', metadata: metadata() });
const topK = () => ({ k: 1, threshold: 0, allow: ['cat'], deny: ['dog'] });
const imageOptions = () => ({
  fit: 'crop',
  background: 'edge',
  resampling: 'tflite',
  antialias: true,
  normalization: { mean: 1, std: 2 },
  channelOrder: 'bgr',
  layout: 'nhwc',
  input: 0,
});
const textOptions = () => ({ tokenizer: { ...tokenizer }, truncate: true });

export const imageModel = () => fakeModel(image(), [[scores(), Float32Array.of(0.2, 0.8)]]);
const maskModel = () => fakeModel(image(), [[tensor('mask', 'float32', [1, 2, 2, 1]), new Float32Array(4)]]);
const wordModel = () => fakeModel(tensor('words', 'int32', [1, 4]), [[scores(), Float32Array.of(0.2, 0.8)]]);
const bertModel = (outputs = [scores()], values = [0.2, 0.8]) => {
  const model = fakeModel(
    image(),
    outputs.map((info) => [info, Float32Array.from(values)] as const),
  );
  const inputs = ['ids', 'mask', 'segment_ids'].map((name) => tensor(name, 'int32', [1, 8]));
  return { ...model, inputs, run: async () => outputs.map(({ name, shape }) => ({ name, shape, data: values })) };
};
const questionAnswererModel = () => {
  const logits = ['end_logits', 'start_logits'].map((name) => tensor(name, 'float32', [1, 8]));
  return bertModel(logits, [1, 2, 3, 4, 5, 6, 7, 8]);
};

/** A model is an instance of a class here: its members are not replaced, tests of models do that. */
class Loaded {}

export function loaded(model: object): object {
  return Object.assign(new Loaded(), model);
}

export const TASKS_CALLS: Calls = {
  'BertNLClassifier.create': () => ({
    model: loaded(bertModel()),
    options: { ...taskOptions(), ...topK(), ...textOptions(), lowercase: true },
  }),
  'BertQuestionAnswerer.create': () => ({
    model: loaded(questionAnswererModel()),
    options: { metadata: metadata(), ...textOptions(), lowercase: true },
  }),
  'ImageClassifier.create': () => ({
    model: loaded(imageModel()),
    options: { ...taskOptions(), ...topK(), ...imageOptions(), output: 0 },
  }),
  'ImageSegmenter.create': () => ({
    model: loaded(maskModel()),
    options: { ...taskOptions(), ...imageOptions(), output: 0, activation: 'none', outputLayout: 'nhwc' },
  }),
  'NLClassifier.create': () => ({
    model: loaded(wordModel()),
    options: { ...taskOptions(), ...topK(), ...textOptions(), output: 0 },
  }),
  'ObjectDetector.create': () => ({
    model: loaded(imageModel()),
    options: {
      ...taskOptions(),
      ...imageOptions(),
      head: { isSuppressed: true, read: () => ({ detections: [], classes: null }) },
      threshold: 0.5,
      overlap: 0.5,
      maxResults: 1,
      allow: ['cat'],
      deny: ['dog'],
      duplicates: 'merge',
      acrossClasses: true,
    },
  }),
  checkText: 'not for users of the package',
  described: 'not for users of the package',
  openTask: 'not for users of the package',
  openTextTokenizer: 'not for users of the package',
  scoresOf: 'not for users of the package',
  ImageTask: 'created by the tasks above',
  Task: 'created by the tasks above',
  bestCategories: () => ({
    result: { data: [0.2, 0.8], shape: [1, 2] },
    output: 0,
    metadata: metadata(),
    options: { ...topK(), labels: ['cat', 'dog'], locale: 'en' },
  }),
  headOf: () => ({
    opened: {
      model: { outputs: [tensor('boxes', 'float32', [1, 2, 4]), scores(), scores(), scores()].map(shortOf) },
      metadata: null,
    },
  }),
  imageOptionsOf: () => ({ opened: { model: { inputs: [shortOf(image())] }, metadata: metadata() }, options: {} }),
  labelsOf: () => ({ metadata: metadata(), output: 0, locale: 'en' }),
  outputOrder: () => ({ metadata: metadata() }),
};

export const LANGUAGE_CALLS: Calls = {
  'TextEmbedder.create': () => ({
    model: loaded(wordModel()),
    options: {
      metadata: metadata(),
      ...textOptions(),
      pooling: 'mean',
      l2Normalize: true,
      output: 'scores',
      lowercase: true,
      before: ['a'],
      after: ['b'],
      length: 8,
    },
  }),
  'TextGenerator.create': () => ({
    model: loaded(languageModel([2]).model),
    options: {
      metadata: metadata(),
      tokenizer: { ...tokenizer, pieceOf: () => 'a' },
      contextLength: 16,
      before: ['a'],
      eos: ['b'],
    },
  }),
  cosineSimilarity: () => ({ embedding: [0.5, 1], otherEmbedding: [1, 0.5] }),
};

const pixels = () => ({ data: new Uint8Array(12), width: 2, height: 2 });
const region = () => ({ center: { x: 1, y: 1 }, width: 2, height: 2, rotation: 0 });

const signal = () => new AbortController().signal;

export const TASK_METHODS_CALLS: Calls = {
  classifyImage: () => ({ image: pixels(), options: { region: region(), signal: signal() } }),
  segment: () => ({ image: pixels(), options: { region: region(), signal: signal() } }),
  detect: () => ({ image: pixels(), options: { region: region(), signal: signal() } }),
  classifyText: () => ({ text: 'a b', options: { signal: signal() } }),
  classifyByBert: () => ({ text: 'a b', options: { signal: signal() } }),
  embed: () => ({ text: 'a b', options: { signal: signal() } }),
  generate: () => ({
    prompt: 'a b',
    options: {
      signal: signal(),
      maxTokens: 4,
      temperature: 1,
      topK: 4,
      topP: 0.5,
      seed: 1,
      stop: ['a'],
      append: false,
    },
  }),
  answer: () => ({ question: 'a', text: 'b c', options: { signal: signal() } }),
};

const WORD_OPTIONS = { tokenizer };
const HEAD = { isSuppressed: true, read: () => ({ detections: [], classes: null }) };

/** The calls of tasks, each with its own task. */
export const TASK_METHODS = {
  classifyImage: async (...provided: Parameters<tasks.ImageClassifier['classify']>) =>
    (await tasks.ImageClassifier.create(imageModel())).classify(...provided),
  segment: async (...provided: Parameters<tasks.ImageSegmenter['segment']>) =>
    (await tasks.ImageSegmenter.create(maskModel())).segment(...provided),
  detect: async (...provided: Parameters<tasks.ObjectDetector['detect']>) =>
    (await tasks.ObjectDetector.create(imageModel(), { head: HEAD })).detect(...provided),
  classifyText: async (...provided: Parameters<tasks.NLClassifier['classify']>) =>
    (await tasks.NLClassifier.create(wordModel(), WORD_OPTIONS)).classify(...provided),
  classifyByBert: async (...provided: Parameters<tasks.BertNLClassifier['classify']>) =>
    (await tasks.BertNLClassifier.create(bertModel(), WORD_OPTIONS)).classify(...provided),
  embed: async (...provided: Parameters<language.TextEmbedder['embed']>) =>
    (await language.TextEmbedder.create(bertModel(), WORD_OPTIONS)).embed(...provided),
  generate: async (...provided: Parameters<language.TextGenerator['generate']>) => {
    const { model } = languageModel([2]);
    const generator = await language.TextGenerator.create(model, { tokenizer: { ...tokenizer, pieceOf: () => 'a' } });
    return generator.generate(...provided).next();
  },
  answer: async (...provided: Parameters<tasks.BertQuestionAnswerer['answer']>) =>
    (await tasks.BertQuestionAnswerer.create(questionAnswererModel(), WORD_OPTIONS)).answer(...provided),
};
