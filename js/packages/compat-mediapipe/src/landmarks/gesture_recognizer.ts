/** The gestures of hands. */

import type { ImageSource } from '@tflite-webnn/media/images';
import type { Result } from '@tflite-webnn/media/results';
import { TaskModelError } from '@tflite-webnn/tasks';
import type { TaskBundle } from 'tflite-webnn/metadata';
import { checkClassifierOptions, classificationsOf, namesOfOutput } from '../categories.js';
import type { InputImage } from '../input_image.js';
import {
  CLASSIFIER_OPTIONS,
  type ClassifierOptions,
  type ImageProcessingOptions,
  type OwnOptions,
} from '../options.js';
import type { Category, Connection, Landmark, NormalizedLandmark } from '../results.js';
import { bundleOf, type TaskFile } from '../task_file.js';
import type { Steps, VisionModel } from '../vision_model.js';
import { type LoadModel, VisionTask } from '../vision_task.js';
import {
  HAND_CONNECTIONS,
  HAND_OPTIONS,
  type Hand,
  HandFinder,
  type HandModels,
  type HandOptions,
  handResults,
  openHandModels,
} from './hand_landmarker.js';
import type { Point3 } from './landmark_models.js';

// The name of no gesture.
const NONE = 'None';
// Prevents a division by zero if all points have the same position.
const MIN_EXTENT = 1e-5;

/**
 * The embedder's input of a hand's points: upright, from the wrist, and in sides of the hand.
 *
 * @param points - x, y and z in one measure: pixels, or meters.
 * @param rotation - Of the image, in radians clockwise.
 */
export function handFeatures(points: readonly Point3[], rotation: number): Float32Array {
  const [cos, sin] = [Math.cos(rotation), Math.sin(-rotation)];
  const [wrist] = points as [Point3];
  const values = points.map(({ x, y, z }) => {
    const [right, down] = [x - wrist.x, y - wrist.y];
    return [right * cos - down * sin, down * cos + right * sin, z - wrist.z] as const;
  });
  const extent = (axis: 0 | 1) => {
    const coordinates = values.map((value) => value[axis]);
    return Math.max(...coordinates) - Math.min(...coordinates);
  };
  const size = Math.max(extent(0), extent(1)) + MIN_EXTENT;
  return Float32Array.from(values.flat(), (value) => value / size);
}

/**
 * The gesture of a hand: the best of the first classifier that sees one, else that the first sees none.
 *
 * @param results - Categories of each classifier, in the order of their rank; empty where no class passed its options.
 */
export function winningGesture(results: readonly (readonly Category[])[]): Category | null {
  const winners = results.flatMap((categories) => bestOf(categories) ?? []);
  const winner = winners.find(({ categoryName }) => categoryName !== NONE) ?? winners[0];
  if (winner === undefined) return null;
  // Indices of two classifiers overlap.
  return { score: winner.score, index: -1, categoryName: winner.categoryName, displayName: '' };
}

function bestOf(categories: readonly Category[]): Category | undefined {
  return categories.reduce<Category | undefined>(
    (best, category) => (best === undefined || category.score > best.score ? category : best),
    undefined,
  );
}

/** Which hands and gestures a {@link GestureRecognizer} returns. */
export interface GestureRecognizerOptions extends HandOptions {
  /** Which gestures of MediaPipe's own count. */
  cannedGesturesClassifierOptions?: ClassifierOptions | undefined;
  /** Which gestures of the bundle's further classifier count. */
  customGesturesClassifierOptions?: ClassifierOptions | undefined;
}

/** What a {@link GestureRecognizer} has found. */
export interface GestureRecognizerResult {
  /** Of each hand 21 points, from the wrist to the fingertips. */
  landmarks: NormalizedLandmark[][];
  /** The same points in meters. */
  worldLandmarks: Landmark[][];
  /** The same as `handednesses`. */
  handedness: Category[][];
  /** Of each hand `Left` or `Right`, as if the image were mirrored, like a camera's of oneself. */
  handednesses: Category[][];
  /** Of each hand its gesture; `None` is one. */
  gestures: Category[][];
}

/** A classifier, and which of its results count. */
interface Classifier {
  readonly model: VisionModel;
  readonly options: ClassifierOptions;
}

interface Models {
  readonly hands: HandModels;
  readonly embedder: VisionModel;
  readonly canned: VisionModel;
  readonly custom: VisionModel | null;
}

interface Settings {
  readonly finder: HandFinder;
  /** Those of higher rank first. */
  readonly classifiers: readonly Classifier[];
}

const [HANDS, GESTURES] = ['hand_landmarker.task', 'hand_gesture_recognizer.task'] as const;
const [EMBEDDER, CANNED, CUSTOM] = [
  'gesture_embedder.tflite',
  'canned_gesture_classifier.tflite',
  'custom_gesture_classifier.tflite',
] as const;
const EMBEDDER_INPUTS = 3;
const RIGHT = 'Right';

/** Recognizes gestures of hands. It accepts a bundle, `gesture_recognizer.task`. */
export class GestureRecognizer extends VisionTask<GestureRecognizerOptions, GestureRecognizerResult, Models> {
  /** Lines of a hand. */
  static readonly HAND_CONNECTIONS: Connection[] = HAND_CONNECTIONS;

  #settings: Settings | null = null;

  /**
   * Recognizes gestures in an image; the models compute on the CPU while the page waits.
   *
   * @param image - The image.
   * @param processing - How it is rotated.
   * @throws OptionError; ImageError and other errors of images; what running a model throws.
   */
  recognize(image: ImageSource, processing?: ImageProcessingOptions): GestureRecognizerResult {
    return this.onImage(image, processing);
  }

  /**
   * As recognize(), on WebNN where it is available: see prepareAsync().
   *
   * @param image - The image.
   * @param processing - How it is rotated.
   */
  recognizeAsync(image: ImageSource, processing?: ImageProcessingOptions): Promise<GestureRecognizerResult> {
    return this.onImageAsync(image, processing);
  }

  /**
   * Recognizes gestures in a frame of a video; hands are looked for first where they were in the frame before.
   *
   * @param frame - The frame.
   * @param timestamp - Its time in milliseconds, after that of the frame before.
   * @param processing - How it is rotated.
   * @throws OptionError, and what recognize() throws.
   */
  recognizeForVideo(
    frame: ImageSource,
    timestamp: number,
    processing?: ImageProcessingOptions,
  ): GestureRecognizerResult {
    return this.onFrame(frame, timestamp, processing);
  }

  /**
   * As recognizeForVideo(), on WebNN where it is available: see prepareAsync().
   *
   * @param frame - The frame.
   * @param timestamp - Its time in milliseconds, after that of the frame before.
   * @param processing - How it is rotated.
   */
  recognizeForVideoAsync(
    frame: ImageSource,
    timestamp: number,
    processing?: ImageProcessingOptions,
  ): Promise<GestureRecognizerResult> {
    return this.onFrameAsync(frame, timestamp, processing);
  }

  /** @internal */
  protected override async open(file: TaskFile, load: LoadModel): Promise<Models> {
    const bundle = bundleOf(file, 'GestureRecognizer');
    const handBundle = await bundle.open(HANDS);
    const gestureBundle = await bundle.open(GESTURES);
    const [hands, { embedder, canned, custom }] = await Promise.all([
      openHandModels(handBundle, load),
      openGestureModels(gestureBundle, load),
    ]);
    if (embedder.inputs.length !== EMBEDDER_INPUTS) {
      throw new TaskModelError(`${EMBEDDER} has ${embedder.inputs.length} inputs: it must have ${EMBEDDER_INPUTS}.`);
    }
    return { hands, embedder, canned, custom };
  }

  /** @internal */
  protected override get ownOptions(): OwnOptions<Required<GestureRecognizerOptions>> {
    return {
      ...HAND_OPTIONS,
      cannedGesturesClassifierOptions: CLASSIFIER_OPTIONS,
      customGesturesClassifierOptions: CLASSIFIER_OPTIONS,
    };
  }

  /** @internal */
  protected override configure(options: GestureRecognizerOptions, { canned, custom }: Models): void {
    const { cannedGesturesClassifierOptions, customGesturesClassifierOptions } = options;
    const classifiers = [
      ...(custom ? [classifierOf(custom, customGesturesClassifierOptions)] : []),
      classifierOf(canned, cannedGesturesClassifierOptions),
    ];
    this.#settings = { finder: new HandFinder(options), classifiers };
  }

  /** @internal */
  protected override *steps(image: InputImage, models: Models): Steps<GestureRecognizerResult> {
    const { finder, classifiers } = this.#settings as Settings;
    const hands = yield* finder.find(image, models.hands);
    const gestures: Category[][] = [];
    for (const hand of hands) gestures.push(yield* gestureOf(hand, image, models.embedder, classifiers));
    return { ...handResults(hands, image), gestures };
  }
}

async function openGestureModels(bundle: TaskBundle, load: LoadModel): Promise<Omit<Models, 'hands'>> {
  const [embedder, canned, custom] = await Promise.all([
    load(bundle.bytes(EMBEDDER)),
    load(bundle.bytes(CANNED)),
    bundle.models.includes(CUSTOM) ? load(bundle.bytes(CUSTOM)) : null,
  ]);
  return { embedder, canned, custom };
}

/** @throws OptionError */
function classifierOf(model: VisionModel, options: ClassifierOptions = {}): Classifier {
  checkClassifierOptions(options, namesOfOutput(model.metadata, 0, options).names !== undefined);
  return { model, options };
}

function* gestureOf(
  { points, world, handedness }: Hand,
  { size, region }: InputImage,
  model: VisionModel,
  classifiers: readonly Classifier[],
): Steps<Category[]> {
  // MediaPipe's depths are relative to the width, x and y to the longer side.
  const depth = Math.max(size.width, size.height) / size.width;
  const seen = points.map(({ x, y, z }) => ({ x, y, z: z * depth }));
  const { score, categoryName } = handedness;
  const values = [
    handFeatures(seen, region.rotation),
    Float32Array.of(categoryName === RIGHT ? score : 1 - score),
    handFeatures(world, region.rotation),
  ];
  const shapes = model.inputs.map(({ shape }) => shape);
  const [embedding] = yield { model, inputs: values.map((data, index) => ({ data, shape: shapes[index] ?? [] })) };
  const results: Category[][] = [];
  for (const classifier of classifiers) {
    const input = { data: (embedding as Result).data as Float32Array, shape: classifier.model.inputs[0]?.shape ?? [] };
    const [scores] = yield { model: classifier.model, inputs: [input] };
    results.push(classificationsOf(scores as Result, 0, classifier.model.metadata, classifier.options).categories);
  }
  const winner = winningGesture(results);
  return winner ? [winner] : [];
}
