/** Options of tasks and of their calls. */

import { checkArguments, type Model, unknownOption } from 'tflite-webnn';
import {
  ADDRESS,
  FUNCTION,
  isKind,
  type Kind,
  type Kinds,
  listOf,
  type Members,
  NUMBER,
  OBJECT,
  oneOf,
  optional,
  REAL,
  TEXT,
} from '../../runtime/src/argument_kinds.js';
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

/** What a task's own options have to be; of options with members, what these have to be. */
export type OwnOptions<Options> = Readonly<Record<Exclude<keyof Options, keyof VisionTaskOptions>, Kind | Members>>;

const MODEL_BYTES: Kind = [
  'a Uint8Array or a reader',
  (value) => value instanceof Uint8Array || FUNCTION[1]((value as Partial<ReadableStreamDefaultReader>).read),
];
const OF_BASE: Kinds<Required<BaseOptions>> = {
  modelAssetPath: ADDRESS,
  modelAssetBuffer: MODEL_BYTES,
  delegate: oneOf(['CPU', 'GPU']),
  loadModel: FUNCTION,
};
const OF_ALL: Readonly<Record<keyof Required<VisionTaskOptions>, Kind | Members>> = {
  baseOptions: { ...OF_BASE },
  canvas: OBJECT,
  runningMode: TEXT,
};

/**
 * Checks the options of a task. One that is null or undefined is not given.
 *
 * @internal
 * @throws VisionOptionError for an unknown name, with the nearest one there is, or a value of another kind.
 */
export function checkTaskOptions(options: VisionTaskOptions, own: Members): void {
  checkMembers(options, { ...OF_ALL, ...own });
}

/**
 * Checks an object whose members may be null or undefined.
 *
 * @internal
 * @throws VisionOptionError
 */
export function checkMembers(given: object, known: Members, prefix = ''): void {
  const unknown = unknownOption(given, known, prefix);
  if (unknown !== null) throw new VisionOptionError(unknown);
  for (const [name, value] of Object.entries(given)) {
    const kind = known[name] as Kind | Members;
    const path = prefix + name;
    if (value === null || value === undefined) continue;
    if (isKind(kind)) checkArguments('options', { [path]: value }, { [path]: kind }, VisionOptionError);
    else checkMembers(value, kind, `${path}.`);
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

/** @internal */
export const CLASSIFIER_OPTIONS: Kinds<Required<ClassifierOptions>> = {
  displayNamesLocale: TEXT,
  maxResults: REAL,
  scoreThreshold: REAL,
  categoryAllowlist: listOf(TEXT),
  categoryDenylist: listOf(TEXT),
};

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

/** @internal MediaPipe takes NaN for no rotation. */
export const PROCESSING_OPTIONS: Members = {
  regionOfInterest: { left: REAL, top: REAL, right: REAL, bottom: REAL },
  rotationDegrees: NUMBER,
};

/**
 * Adds new options to those that hold; those of the model, too. In JavaScript, null is as good as undefined.
 *
 * @throws VisionOptionError where the model is given twice.
 */
export function merged<Options extends VisionTaskOptions>(held: Options, given: Options): Options {
  const { modelAssetPath, modelAssetBuffer } = given.baseOptions ?? {};
  if (modelAssetPath != null && modelAssetBuffer != null) {
    throw new VisionOptionError('Both modelAssetPath and modelAssetBuffer are given: give one of them.');
  }
  const baseOptions = { ...held.baseOptions, ...withoutNull(given.baseOptions ?? {}) };
  if (modelAssetPath != null) delete baseOptions.modelAssetBuffer;
  if (modelAssetBuffer != null) delete baseOptions.modelAssetPath;
  return { ...held, ...withoutNull(given), baseOptions };
}

function withoutNull<Options extends object>(given: Options): Options {
  return Object.fromEntries(Object.entries(given).map(([name, value]) => [name, value ?? undefined])) as Options;
}

/** The arguments of a call that takes a callback after its options, or in their place. */
export function optionsAndCallback<Callback extends (result: never) => void>(
  processing?: ImageProcessingOptions | Callback,
  callback?: Callback,
): [ImageProcessingOptions | undefined, Callback | undefined] {
  if (typeof processing === 'function') return [undefined, processing];
  checkArguments('segment', { callback: callback ?? undefined }, { callback: optional(FUNCTION) }, VisionOptionError);
  return [processing, callback];
}

/** A result, unless a callback takes it. */
export function handed<Output>(output: Output, callback?: (output: Output) => void): Output | undefined {
  if (!callback) return output;
  callback(output);
  return undefined;
}
