/** Options of tasks and of their calls. */

import { type Model, OptionError, unknownOption } from 'tflite-webnn';

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
   * const loadModel = (bytes) => worker.loadTFLiteModel(bytes);
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

/** What an option has to be: of the type of this sample, what a function takes, anything for undefined, or its members. */
export type OptionType = number | boolean | string | undefined | ((value: unknown) => boolean) | OptionTypes;

/** By names. */
export interface OptionTypes {
  readonly [name: string]: OptionType;
}

/** What a task's own options have to be. */
export type OwnOptions<Options> = Readonly<Record<Exclude<keyof Options, keyof VisionTaskOptions>, OptionType>>;

/** @internal */
export const OF_ALL: OptionTypes = {
  baseOptions: {
    modelAssetPath: '',
    modelAssetBuffer: undefined,
    delegate: '',
    loadModel: (value) => typeof value === 'function',
  } satisfies Record<keyof Required<BaseOptions>, OptionType>,
  canvas: undefined,
  runningMode: '',
} satisfies Record<keyof Required<VisionTaskOptions>, OptionType>;

/**
 * Checks options. One that is null or undefined is not given.
 *
 * @internal
 * @throws OptionError for an unknown name, with the nearest one there is, or a value of another type.
 */
export function checkOptions(options: object, types: OptionTypes, prefix = ''): void {
  const unknown = unknownOption(options, types, prefix);
  if (unknown !== null) throw new OptionError(unknown.text, { details: { option: unknown.option } });
  for (const [name, value] of Object.entries(options)) {
    const sample = types[name];
    if (value == null || sample === undefined) continue;
    if (typeof sample === 'object') checkOptions(value, sample, `${prefix}${name}.`);
    else if (typeof sample === 'function' ? !sample(value) : typeof value !== typeof sample) {
      const option = prefix + name;
      throw new OptionError(`${option} is of another type than ${typeof value}`, { details: { option } });
    }
  }
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

const isStrings = (value: unknown) => Array.isArray(value) && value.every((one) => typeof one === 'string');

/** @internal */
export const CLASSIFIER_OPTIONS = {
  displayNamesLocale: '',
  maxResults: 0,
  scoreThreshold: 0,
  categoryAllowlist: isStrings,
  categoryDenylist: isStrings,
} as const satisfies Record<keyof Required<ClassifierOptions>, OptionType>;

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

/** @internal */
export const PROCESSING_OPTIONS: OptionTypes = {
  regionOfInterest: { left: 0, top: 0, right: 0, bottom: 0 },
  rotationDegrees: 0,
};

/**
 * Adds new options to those that hold; those of the model, too. In JavaScript, null is as good as undefined.
 *
 * @throws OptionError where the model is given twice.
 */
export function merged<Options extends VisionTaskOptions>(held: Options, given: Options): Options {
  const { modelAssetPath, modelAssetBuffer } = given.baseOptions ?? {};
  if (modelAssetPath != null && modelAssetBuffer != null) {
    throw new OptionError('Both modelAssetPath and modelAssetBuffer are given: give one of them.');
  }
  const baseOptions = { ...held.baseOptions, ...given.baseOptions };
  if (modelAssetPath != null) delete baseOptions.modelAssetBuffer;
  if (modelAssetBuffer != null) delete baseOptions.modelAssetPath;
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
