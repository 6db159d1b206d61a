/** How a model is run on a visitor's file: what goes in, and how its outputs are read. Guessed first, then chosen. */

import type { TensorInfo } from 'tflite-webnn';
import type { ModelMetadata } from 'tflite-webnn/metadata';
import type { MediapipePreset } from 'tflite-webnn/results';

/** What the model gets. */
export type InputKind = 'image' | 'sound' | 'text' | 'zeros';

/** What its outputs stand for. */
export type OutputKind = 'classes' | 'boxes' | 'mask' | 'points' | 'tensors';

/** Which values a float model expects of pixels; `file` is what its metadata says. */
export type RangeName = 'file' | 'zeroToOne' | 'minusOneToOne' | 'bytes' | 'imagenet';

/** How a detector writes its boxes; `file` is TFLite_Detection_PostProcess, or what the metadata says. */
export type HeadName = 'file' | 'yolo11' | 'yolov5' | 'ssd_mobilenet' | MediapipePreset;

/** How the image fits into the input. */
export type Fit = 'stretch' | 'letterbox' | 'crop';

/** All choices of the panel. */
export interface Recipe {
  readonly input: InputKind;
  readonly output: OutputKind;
  readonly range: RangeName;
  readonly fit: Fit;
  readonly head: HeadName;
  /** Samples of a second, for sounds. */
  readonly sampleRate: number;
  /** Numbers of a point. */
  readonly pointNumbers: number;
}

/** The inputs of the guess. */
export interface ModelInfo {
  readonly inputs: readonly TensorInfo[];
  readonly outputs: readonly TensorInfo[];
  readonly metadata: ModelMetadata | null;
}

const COLOR_CHANNELS = [1, 3, 4];
const MIN_IMAGE_SIDE = 16;
const MIN_SOUND_SAMPLES = 1000;
const DEFAULT_SAMPLE_RATE = 16_000;
/** By the samples of a window: basic_pitch, and Teachable Machine's models of sounds. */
const SAMPLE_RATES: ReadonlyMap<number, number> = new Map([
  [43_844, 22_050],
  [44_032, 44_100],
]);
const SSD_OUTPUTS = 4;
const BOX_NUMBERS = 4;
// A row of a YOLO export: a box and its classes, for each of many cells.
const [MIN_YOLO_CELLS, MAX_YOLO_NUMBERS] = [400, 400];
const MIN_MASK_SIDE = 16;
/** Outputs of MediaPipe's landmark models: faces (two versions), hands, bodies (two versions), irises. */
const POINT_NUMBERS: ReadonlyMap<number, number> = new Map([
  [1404, 3],
  [1434, 3],
  [63, 3],
  [195, 5],
  [165, 5],
  [213, 3],
]);

/** Boxes of MediaPipe's detectors, and numbers of each. */
const MEDIAPIPE_BOXES: ReadonlyMap<string, MediapipePreset> = new Map([
  ['896,16', 'face_short_range'],
  ['2304,16', 'face_full_range'],
  ['2016,18', 'palm'],
  ['2254,12', 'pose'],
]);

/** Height and width of an image input; null if the input is not an image. -1 where the model leaves it open. */
export function imageInput(input: TensorInfo | undefined): { height: number; width: number; isNchw: boolean } | null {
  const shape = input?.shapeSignature.length ? input.shapeSignature : (input?.shape ?? []);
  if (shape.length !== 4 || Math.abs(shape[0] as number) !== 1) return null;
  const [, a, b, c] = shape as [number, number, number, number];
  const isSide = (side: number) => side === -1 || side >= MIN_IMAGE_SIDE;
  if (COLOR_CHANNELS.includes(c) && isSide(a) && isSide(b)) return { height: a, width: b, isNchw: false };
  if (COLOR_CHANNELS.includes(a) && isSide(b) && isSide(c)) return { height: b, width: c, isNchw: true };
  return null;
}

/** Options of `imageToTensor()` for each range. */
const RANGES: Readonly<Record<RangeName, object>> = {
  file: {},
  zeroToOne: { range: [0, 1] },
  minusOneToOne: { range: [-1, 1] },
  bytes: { range: [0, 255] },
  imagenet: { normalization: { mean: [123.675, 116.28, 103.53], std: [58.395, 57.12, 57.375] } },
};

/** Number of elements of a shape. */
export function elementsOf(shape: readonly number[]): number {
  return shape.reduce((product, size) => product * size, 1);
}

/** The most plausible recipe. */
export function guessRecipe(info: ModelInfo): Recipe {
  const image = imageInput(info.inputs[0]);
  const input = guessInput(info);
  const output = guessOutput(info, input);
  return {
    input,
    output,
    range: guessRange(info, output),
    fit: output === 'boxes' && !isPostProcessed(info) ? 'letterbox' : 'stretch',
    head: isPostProcessed(info) || info.metadata?.ultralytics ? 'file' : (mediapipeDetector(info) ?? guessYolo(info)),
    sampleRate: guessSampleRate(info),
    pointNumbers: POINT_NUMBERS.get(elementsOf(info.outputs[0]?.shape ?? [])) ?? 3,
    ...(image?.isNchw && !info.metadata && output !== 'boxes' ? { range: 'imagenet' as const } : {}),
  };
}

function guessInput({ inputs, metadata }: ModelInfo): InputKind {
  if (metadata?.inputs.some(({ tokenizer }) => tokenizer !== null)) return 'text';
  if (inputs.length !== 1) return 'zeros';
  if (imageInput(inputs[0])) return 'image';
  const length = soundLength(inputs[0]);
  const isSound = length === -1 || length >= MIN_SOUND_SAMPLES;
  return inputs[0]?.dtype === 'float32' && isSound ? 'sound' : 'zeros';
}

/** Samples of an input of sound, -1 where the model leaves them open; 0 where the input is something else. */
function soundLength(input: TensorInfo | undefined): number {
  const signature = input?.shapeSignature.length ? input.shapeSignature : (input?.shape ?? []);
  const [batch = 0, ...others] = signature;
  const sizes = (batch === -1 && others.length > 0 ? others : signature).filter((size) => size !== 1);
  return sizes.length === 1 ? (sizes[0] as number) : 0;
}

/** As the file says, or as models with windows of this length expect it. */
function guessSampleRate({ inputs, metadata }: ModelInfo): number {
  const content = metadata?.inputs[0]?.content;
  if (content?.kind === 'AudioProperties' && content.sampleRate > 0) return content.sampleRate;
  return SAMPLE_RATES.get(soundLength(inputs[0])) ?? DEFAULT_SAMPLE_RATE;
}

function guessOutput(info: ModelInfo, input: InputKind): OutputKind {
  const { outputs } = info;
  const [first] = outputs;
  if (first === undefined) return 'tensors';
  const sizes = first.shape.filter((size) => size !== 1);
  if (input === 'image') {
    if (isPostProcessed(info) || info.metadata?.ultralytics?.task === 'detect' || yoloShape(info)) return 'boxes';
    if (mediapipeDetector(info)) return 'boxes';
    if (POINT_NUMBERS.has(elementsOf(first.shape))) return 'points';
    if (isMask(info)) return 'mask';
  }
  const isVector = sizes.length <= 1 && elementsOf(first.shape) > 1;
  return input !== 'zeros' && isVector ? 'classes' : 'tensors';
}

function guessRange({ inputs, outputs, metadata }: ModelInfo, output: OutputKind): RangeName {
  const isFloat = inputs[0]?.dtype.startsWith('float') ?? false;
  const isKnown = metadata?.inputs[0]?.normalization || metadata?.ultralytics;
  if (!isFloat || isKnown) return 'file';
  const preset = output === 'boxes' ? mediapipeDetector({ inputs, outputs, metadata }) : null;
  if (preset !== null) return preset === 'palm' ? 'zeroToOne' : 'minusOneToOne';
  if (isPostProcessed({ inputs, outputs, metadata })) return 'minusOneToOne';
  return output === 'boxes' || output === 'points' || output === 'mask' ? 'zeroToOne' : 'minusOneToOne';
}

function isPostProcessed({ outputs, metadata }: ModelInfo): boolean {
  if (metadata?.detector) return true;
  return outputs.length === SSD_OUTPUTS && outputs.some(({ shape }) => shape.at(-1) === BOX_NUMBERS);
}

/** Cells and numbers of a YOLO export's only output: [1, 84, 8400], or the other way round. */
function yoloShape({ outputs }: ModelInfo): { cells: number; numbers: number; areCellsFirst: boolean } | null {
  const [, a = 0, b = 0] = outputs.length === 1 ? (outputs[0]?.shape ?? []) : [];
  if (outputs[0]?.shape.length !== 3) return null;
  const [cells, numbers] = [Math.max(a, b), Math.min(a, b)];
  const isYolo = cells >= MIN_YOLO_CELLS && numbers > BOX_NUMBERS && numbers <= MAX_YOLO_NUMBERS;
  return isYolo ? { cells, numbers, areCellsFirst: a > b } : null;
}

/** The preset of a detector with two outputs: boxes, and a score for each. */
function mediapipeDetector({ outputs }: ModelInfo): MediapipePreset | null {
  if (outputs.length !== 2) return null;
  const found = outputs.map(({ shape }) => MEDIAPIPE_BOXES.get(shape.slice(1).join()));
  return found.find((preset) => preset !== undefined) ?? null;
}

/** YOLO v5 writes [1, cells, numbers], later versions [1, numbers, cells]. */
function guessYolo(info: ModelInfo): HeadName {
  const shape = yoloShape(info);
  if (shape === null) return 'file';
  return shape.areCellsFirst ? 'yolov5' : 'yolo11';
}

/** Whether the first output has a value for each pixel, or for each of a grid of the input's proportions. */
function isMask({ inputs, outputs }: ModelInfo): boolean {
  const { height = 0, width = 0 } = imageInput(inputs[0]) ?? {};
  const shape = outputs[0]?.shape ?? [];
  if (shape.length < 3 || shape.length > 4) return false;
  const [, a = 0, b = 0, c = 0] = shape;
  const fits = (rows: number, columns: number) =>
    Math.min(rows, columns) >= MIN_MASK_SIDE && (height < 0 || rows * width === columns * height);
  return fits(a, b) || (shape.length === 4 && fits(b, c));
}

/** How an image becomes the model's input. */
export function imageOptions({ range, fit }: Recipe): Record<string, unknown> {
  return { ...(fit === 'stretch' ? {} : { fit }), ...RANGES[range] };
}
