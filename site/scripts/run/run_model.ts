/** Runs a model by a recipe, with the package's own functions: what the lines of `code_text.ts` do. */

import type { TensorResult, TypedArray } from 'tflite-webnn';
import { imageToTensor } from 'tflite-webnn/image';
import { toLandmarks, topK } from 'tflite-webnn/results';
import { readSound, soundWindows } from 'tflite-webnn/sound';
import {
  BertNLClassifier,
  ImageClassifier,
  ImageSegmenter,
  imageOptionsOf,
  NLClassifier,
  ObjectDetector,
} from 'tflite-webnn/tasks';
import type { WorkerModel } from 'tflite-webnn/worker';
import { detectorHead } from '../common/heads.js';
import { elementsOf, imageInput, imageOptions, type Recipe } from '../common/recipe.js';
import { boxesOutcome, classesOutcome, maskOutcome, type Outcome, pointsOutcome, tensorsOutcome } from './outcome.js';

/** The visitor's input. */
export type ProvidedInput = ImageData | Blob | string | null;

/** A model's outcome, and its run once more, for the time. */
export interface Ran {
  readonly outcome: Outcome;
  /** Runs the model on the same values. */
  again(): Promise<unknown>;
}

const MAX_WINDOWS = 100;

/**
 * Runs a model once.
 *
 * @param provided - The pixels, the sound file or the text that the recipe needs; null for zeros.
 * @param labels - Of a file of the visitor's; undefined for those of the metadata.
 * @throws What the model and the package's functions throw; its messages can be shown to visitors.
 */
export async function runModel(
  model: WorkerModel,
  recipe: Recipe,
  provided: ProvidedInput,
  labels: readonly string[] | undefined,
): Promise<Ran> {
  if (recipe.input === 'image' && provided instanceof ImageData) return onImage(model, recipe, provided, labels);
  if (recipe.input === 'sound' && provided instanceof Blob) return onSound(model, recipe, provided, labels);
  if (recipe.input === 'text' && typeof provided === 'string') return onText(model, provided);
  const inputs = zerosOf(model);
  const again = () => model.run(inputs);
  return { outcome: tensorsOutcome(await again()), again };
}

async function onImage(
  model: WorkerModel,
  recipe: Recipe,
  image: ImageData,
  labels: readonly string[] | undefined,
): Promise<Ran> {
  const ofImage = imageOptions(recipe);
  const outcome = await imageOutcome(model, recipe, image, { ...ofImage, ...(labels && { labels }) });
  const metadata = (await model.metadata) ?? null;
  const { tensor: _, ...options } = imageOptionsOf({ model, metadata }, ofImage);
  const input = await imageToTensor(image, model, options);
  return { outcome, again: () => model.run(input) };
}

async function imageOutcome(model: WorkerModel, recipe: Recipe, image: ImageData, options: object): Promise<Outcome> {
  switch (recipe.output) {
    case 'classes':
      return classesOutcome(await (await ImageClassifier.create(model, options)).classify(image));
    case 'boxes': {
      const detector = await ObjectDetector.create(model, { ...detectorHead(recipe.head), ...options });
      return boxesOutcome(await detector.detect(image));
    }
    case 'mask': {
      const segmentation = await (await ImageSegmenter.create(model, options)).segment(image);
      return maskOutcome(segmentation.classMask(), segmentation.labels);
    }
    case 'points': {
      const input = await imageToTensor(image, model, imageOptions(recipe));
      const [points] = await model.run(input);
      const { height, width } = sizeOf(model);
      const numbers = recipe.pointNumbers;
      return pointsOutcome(toLandmarks(points, { inputSize: { width, height }, numbers, placement: input.placement }));
    }
    default:
      return tensorsOutcome(await model.run(await imageToTensor(image, model, imageOptions(recipe))));
  }
}

/** Height and width of the model's input now. */
export function sizeOf(model: Pick<WorkerModel, 'inputs'>): { width: number; height: number } {
  const [, a = 0, b = 0, c = 0] = model.inputs[0]?.shape ?? [];
  return imageInput(model.inputs[0])?.isNchw ? { height: b, width: c } : { height: a, width: b };
}

async function onSound(
  model: WorkerModel,
  recipe: Recipe,
  sound: Blob,
  labels: readonly string[] | undefined,
): Promise<Ran> {
  const length = elementsOf(model.inputs[0]?.shape ?? []);
  const samples = await readSound(sound, { sampleRate: recipe.sampleRate });
  const windows = soundWindows(samples, { length, hop: Math.max(1, length >> 1) }).slice(0, MAX_WINDOWS);
  const [first] = windows;
  if (first === undefined) throw new Error('The sound is empty.');
  const again = () => model.run(first);
  if (recipe.output !== 'classes') return { outcome: tensorsOutcome(await again()), again };
  const known = labels ?? (await model.metadata)?.outputs[0]?.labels[0]?.names;
  const scores: TensorResult[] = [];
  for (const window of windows) scores.push((await model.run(window))[0]);
  // Some models return NaN for silence.
  const valid = scores.filter(({ data }) => !Array.from(data as Float32Array).some(Number.isNaN));
  const mean = { shape: scores[0]?.shape ?? [], data: meanOf(valid.length > 0 ? valid : scores) };
  return { outcome: classesOutcome(topK(mean, known ? { labels: known } : {})), again };
}

function meanOf(scores: readonly TensorResult[]): Float32Array {
  const mean = new Float32Array(scores[0]?.data.length ?? 0);
  for (const score of scores) {
    const values = score.dequantized();
    for (let index = 0; index < mean.length; index++) {
      mean[index] = (mean[index] as number) + (values[index] as number) / scores.length;
    }
  }
  return mean;
}

async function onText(model: WorkerModel, text: string): Promise<Ran> {
  const Task = model.inputs.length > 1 ? BertNLClassifier : NLClassifier;
  const classifier = await Task.create(model, { truncate: true });
  const outcome = classesOutcome(await classifier.classify(text));
  return { outcome, again: () => classifier.classify(text) };
}

function zerosOf(model: Pick<WorkerModel, 'inputs'>): TypedArray[] {
  return model.inputs.map((input) => input.quantize(new Float32Array(elementsOf(input.shape))));
}
