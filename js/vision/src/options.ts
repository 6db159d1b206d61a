/** Options of tasks and of their calls. */

import { type Model, unknownOption } from 'tflite-webnn';
import { VisionOptionError } from './errors.js';

/** What computes: `GPU` is WebNN on a GPU where it is available. */
export type Delegate = 'CPU' | 'GPU';

/** Single pictures, or the frames of a video with their times. */
export type RunningMode = 'IMAGE' | 'VIDEO';

/** The model of a task, and what computes it. */
export interface BaseOptions {
  /** Address of the `.task` bundle or `.tflite` file. */
  modelAssetPath?: string | undefined;
  /** The bytes of the file, which are copied, or a reader of them. Only one of both is given. */
  modelAssetBuffer?: Uint8Array | ReadableStreamDefaultReader | undefined;
  /** What computes. Default: `CPU`. */
  delegate?: Delegate | undefined;
  /**
   * Loads each model in place of the task, e.g. in a worker or with other options; the task frees it. `delegate` is then
   * without effect. A model in a worker runs only in calls with a promise. MediaPipe has no such option.
   *
   * @example
   * const worker = new TFLiteWorker();
   * const loadModel = (bytes) => worker.loadTFLiteModel(bytes, { enableWebnnDelegate: true });
   */
  loadModel?: ModelLoader | undefined;
}

/** Loads a model from the bytes of its file. */
export type ModelLoader = (bytes: Uint8Array<ArrayBuffer>) => Promise<Model>;

/** Options of all tasks. An option that is set to undefined gets its default. */
export interface VisionTaskOptions {
  /** The model. */
  baseOptions?: BaseOptions;
  /** Without effect: nothing is drawn with WebGL here. */
  canvas?: HTMLCanvasElement | OffscreenCanvas;
  /** Pictures or frames. Default: `IMAGE`. */
  runningMode?: RunningMode;
}

/** The names of a task's own options; of options with members, the members' names. */
export type OwnOptions<Options> = Readonly<Record<Exclude<keyof Options, keyof VisionTaskOptions>, true | OptionNames>>;

type OptionNames = Readonly<Record<string, true>>;

const OF_BASE: Readonly<Record<keyof Required<BaseOptions>, true>> = {
  modelAssetPath: true,
  modelAssetBuffer: true,
  delegate: true,
  loadModel: true,
};
const OF_ALL: Readonly<Record<keyof Required<VisionTaskOptions>, true>> = {
  baseOptions: true,
  canvas: true,
  runningMode: true,
};

/**
 * Checks the names of options.
 *
 * @internal
 * @throws VisionOptionError
 */
export function checkNames(options: VisionTaskOptions, own: Readonly<Record<string, true | OptionNames>>): void {
  let unknown = unknownOption(options, { ...OF_ALL, ...own });
  const all: Readonly<Record<string, true | OptionNames>> = { baseOptions: OF_BASE, ...own };
  for (const [name, known] of Object.entries(all)) {
    const members = (options as Readonly<Record<string, object | null | undefined>>)[name];
    if (known !== true) unknown ??= unknownOption(members ?? {}, known, `${name}.`);
  }
  if (unknown !== null) throw new VisionOptionError(unknown);
}

/** Which classes a classifier returns. */
export interface ClassifierOptions {
  /** Language of display names in the metadata. Default: `en`. */
  displayNamesLocale?: string | undefined;
  /** How many at most; all where it is negative. Default: -1. */
  maxResults?: number | undefined;
  /** The least score. Default: what the metadata says. */
  scoreThreshold?: number | undefined;
  /** Only classes with these names. */
  categoryAllowlist?: string[] | undefined;
  /** No classes with these names. Only one of both lists is given. */
  categoryDenylist?: string[] | undefined;
}

/** @internal */
export const CLASSIFIER_OPTIONS = {
  displayNamesLocale: true,
  maxResults: true,
  scoreThreshold: true,
  categoryAllowlist: true,
  categoryDenylist: true,
} as const satisfies Record<keyof Required<ClassifierOptions>, true>;

/** A rectangle relative to the picture: 0 is the left or upper edge, 1 the opposite one. */
export interface RectF {
  /** Left side. */
  left: number;
  /** Upper side. */
  top: number;
  /** Right side. */
  right: number;
  /** Lower side. */
  bottom: number;
}

/** Which part of a picture one call looks at. */
export interface ImageProcessingOptions {
  /** The part, for tasks that take one. Default: all of the picture. */
  regionOfInterest?: RectF;
  /** Rotation before anything else, clockwise: a multiple of 90. Default: 0. */
  rotationDegrees?: number;
}

/**
 * Adds new options to those that hold; those of the model, too. In JavaScript, null is as good as undefined.
 *
 * @throws VisionOptionError where the model is given twice.
 */
export function merged<Options extends VisionTaskOptions>(held: Options, given: Options): Options {
  const { modelAssetPath, modelAssetBuffer } = given.baseOptions ?? {};
  if (modelAssetPath !== undefined && modelAssetBuffer !== undefined) {
    throw new VisionOptionError('Both modelAssetPath and modelAssetBuffer are given: give one of them.');
  }
  const baseOptions = { ...held.baseOptions, ...given.baseOptions };
  if (modelAssetPath !== undefined) delete baseOptions.modelAssetBuffer;
  if (modelAssetBuffer !== undefined) delete baseOptions.modelAssetPath;
  const wanted = Object.fromEntries(Object.entries(given).map(([name, value]) => [name, value ?? undefined]));
  return { ...held, ...wanted, baseOptions };
}

/** The arguments of a call that takes a callback after its options, or in their place. */
export function optionsAndCallback<Callback extends (result: never) => void>(
  processing?: ImageProcessingOptions | Callback,
  callback?: Callback,
): [ImageProcessingOptions | undefined, Callback | undefined] {
  return typeof processing === 'function' ? [undefined, processing] : [processing, callback];
}

/** A result, unless a callback takes it. */
export function handed<Output>(output: Output, callback?: (output: Output) => void): Output | undefined {
  if (!callback) return output;
  callback(output);
  return undefined;
}
