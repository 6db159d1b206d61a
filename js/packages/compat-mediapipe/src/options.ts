/** Options of tasks and of their calls. */

import { type Model, OptionError, validateOptions } from 'tflite-webnn';
import {
  FUNCTION,
  type InstanceOf,
  isKind,
  type Kind,
  listOf,
  NUMBER,
  OBJECT,
  type OptionSchema,
  oneOf,
  REAL,
  TEXT,
} from 'tflite-webnn/option_schema';

/** What computes: `GPU` is WebNN on a GPU where it is available. */
export type Delegate = 'CPU' | 'GPU';

/** Single images, or the frames of a video with their times. */
export type RunningMode = 'IMAGE' | 'VIDEO';

/** The model of a task, and what computes it. */
export interface BaseOptions {
  /** Address of the `.task` bundle or `.tflite` file. */
  modelAssetPath?: string | undefined;
  /** The bytes of the file, which are copied, or a reader of them. Only one of both is provided. */
  modelAssetBuffer?: Uint8Array | ReadableStreamDefaultReader | undefined;
  /** What computes. Default: `CPU`. */
  delegate?: Delegate | undefined;
  /**
   * Loads each model in place of the task, e.g. in a worker or with other options; the task frees it. `delegate` is
   * then without effect. A model in a worker runs only in calls with a promise. MediaPipe has no such option.
   *
   * @example
   * const worker = new TFLiteWorker();
   * const loadModel = (bytes) => worker.loadTFLiteModel(bytes);
   */
  loadModel?: ModelLoader | undefined;
}

/**
 * Loads a model from the bytes of its file.
 *
 * @param bytes - The task's own copy.
 */
export type ModelLoader = (bytes: Uint8Array<ArrayBuffer>) => Promise<Model>;

/** Options of all tasks. An option that is set to undefined gets its default. */
export interface VisionTaskOptions {
  /** The model. */
  baseOptions?: BaseOptions;
  /** Without effect: nothing is drawn with WebGL here. */
  canvas?: InstanceOf<'HTMLCanvasElement'> | InstanceOf<'OffscreenCanvas'>;
  /** Images or frames. Default: `IMAGE`. */
  runningMode?: RunningMode;
}

/** What options have to be, and the members of those that are objects. */
export interface OptionSchemas {
  readonly [name: string]: Kind | OptionSchemas;
}

/** What a task's own options have to be. */
export type OwnOptions<Options> = Readonly<
  Record<Exclude<keyof Options, keyof VisionTaskOptions>, Kind | OptionSchemas>
>;

/** @internal How sure a model must be. */
export const CONFIDENCE: Kind = [
  'a number from 0 to 1',
  (value) => typeof value === 'number' && value >= 0 && value <= 1,
];
/** @internal */
export const CONFIDENCE_DEFAULT = 0.5;
/** @internal How many things are looked for. */
export const COUNT_OF_THINGS: Kind = ['an integer over 0', (value) => Number.isInteger(value) && Number(value) > 0];

const ANYTHING: Kind = ['anything', () => true];

/** @internal */
export const ALL_SCHEMA: OptionSchemas = {
  baseOptions: {
    modelAssetPath: TEXT,
    modelAssetBuffer: ANYTHING,
    delegate: oneOf(['CPU', 'GPU']),
    loadModel: FUNCTION,
  } satisfies OptionSchema<Required<BaseOptions>>,
  canvas: ANYTHING,
  runningMode: TEXT,
} satisfies Record<keyof Required<VisionTaskOptions>, Kind | OptionSchemas>;

/**
 * Checks options. One that is null or undefined is not provided.
 *
 * @internal
 * @throws OptionError for an unknown name, with the nearest one there is, or a value of another kind.
 */
export function checkOptions(options: object, kinds: OptionSchemas, prefix = ''): void {
  const own = Object.fromEntries(Object.entries(kinds).map(([name, kind]) => [name, isKind(kind) ? kind : OBJECT]));
  validateOptions<object>(prefix, OBJECT[1](options) ? withoutNull(options) : options, own as never);
  for (const [name, value] of Object.entries(options)) {
    const members = kinds[name] as Kind | OptionSchemas;
    if (value != null && !isKind(members)) checkOptions(value, members, `${prefix}${name}.`);
  }
}

/** Which classes a classifier returns. */
export interface ClassifierOptions {
  /** Language of display names in the metadata. Default: `en`. */
  displayNamesLocale?: string | undefined;
  /** How many at most; all where it is negative. Default: -1. */
  maxResults?: number | undefined;
  /** Minimum score. Default: what the metadata says. */
  scoreThreshold?: number | undefined;
  /** Only classes with these names. */
  categoryAllowlist?: string[] | undefined;
  /** No classes with these names. Only one of both lists is provided. */
  categoryDenylist?: string[] | undefined;
}

/** @internal */
export const CLASSIFIER_OPTIONS = {
  displayNamesLocale: TEXT,
  maxResults: REAL,
  scoreThreshold: REAL,
  categoryAllowlist: listOf(TEXT),
  categoryDenylist: listOf(TEXT),
} satisfies OptionSchema<Required<ClassifierOptions>>;

/** A rectangle relative to the image: 0 is the left or upper edge, 1 the opposite one. */
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

/** Which part of an image one call looks at. */
export interface ImageProcessingOptions {
  /** The part, for tasks that accept one. Default: all of the image. */
  regionOfInterest?: RectF;
  /** Rotation before anything else, clockwise: a multiple of 90. Default: 0. */
  rotationDegrees?: number;
}

/** @internal */
export const PROCESSING_OPTIONS: OptionSchemas = {
  regionOfInterest: { left: NUMBER, top: NUMBER, right: NUMBER, bottom: NUMBER },
  rotationDegrees: NUMBER,
};

/**
 * Adds new options to those that hold; those of the model, too. In JavaScript, null is as good as undefined.
 *
 * @throws OptionError where the model is provided twice.
 */
export function merged<Options extends VisionTaskOptions>(held: Options, provided: Options): Options {
  const { modelAssetPath, modelAssetBuffer } = provided.baseOptions ?? {};
  if (modelAssetPath != null && modelAssetBuffer != null) {
    throw new OptionError('Both modelAssetPath and modelAssetBuffer are provided: pass one of them.');
  }
  const baseOptions = { ...held.baseOptions, ...provided.baseOptions };
  if (modelAssetPath != null) delete baseOptions.modelAssetBuffer;
  if (modelAssetBuffer != null) delete baseOptions.modelAssetPath;
  return { ...held, ...withoutNull(provided), baseOptions };
}

function withoutNull<Options extends object>(options: Options): Options {
  return Object.fromEntries(Object.entries(options).map(([name, value]) => [name, value ?? undefined])) as Options;
}

/** The arguments of a call that accepts a callback after its options, or instead of them. */
export function optionsAndCallback<Callback extends (result: never) => void>(
  processing?: ImageProcessingOptions | Callback,
  callback?: Callback,
): [ImageProcessingOptions | undefined, Callback | undefined] {
  return typeof processing === 'function' ? [undefined, processing] : [processing, callback];
}

/** A result, unless a callback receives it. */
export function handed<Output>(output: Output, callback?: (output: Output) => void): Output | undefined {
  if (!callback) return output;
  callback(output);
  return undefined;
}
