/** From an image to the input of a model. */

import { checkArguments, type MLTensor, OptionError, orAbort, type TypedArray } from 'tflite-webnn';
import { FLAG, having, type Kind, type Members, OBJECT, oneOf, optional, SIGNAL } from 'tflite-webnn/option_schema';
import { boxOf, type Gridded, gridOf, shrink } from './grid.js';
import {
  arrayFor,
  convertInto,
  type Dimensions,
  dimensionsOf,
  type ImageInput,
  type ImageModel,
  imageInputOf,
  type Layout,
} from './image_input.js';
import type { ImageSource, OpenImage } from './image_source.js';
import { type InputRange, type MeanAndStd, NORMALIZATION, RANGE, stepsOf } from './normalization.js';
import { sampleAsOpencv } from './opencv_sampling.js';
import { toGrey } from './pillow.js';
import { openImage, openImageSync } from './pixels.js';
import { type Fit, fitRegion, fullRegion, type ImagePlacement, REGION, type Region } from './placement.js';
import { type Coloring, sample } from './sampling.js';
import { Scratch } from './scratch.js';

/** How pixels in between are computed. */
export type Resampling = 'tflite' | 'opencv';

/** How an image becomes a tensor. */
export interface ImageOptions {
  /** The part of the image to show, in its pixels. Default: all of it. */
  readonly region?: Region;
  /** How that part fills a tensor of another aspect ratio. Default: `stretch`. */
  readonly fit?: Fit;
  /**
   * Pixel value from 0 to 255 beyond the image's edges, e.g. in the bars of a letterbox; `edge` repeats the pixels at
   * the edges. Default: 0.
   */
  readonly background?: number | 'edge';
  /**
   * How pixels in between are computed: as TFLite resizes images; or as OpenCV's `warpPerspective()` does for
   * MediaPipe's tasks, without half-pixel centers, in 32nds of a pixel and with integer results. Default: `tflite`.
   */
  readonly resampling?: Resampling;
  /**
   * Filters an image that shrinks, as Pillow and `tf.image.resize(antialias=True)` do. Default: false, plain bilinear
   * interpolation, as TFLite's and MediaPipe's own image tasks.
   */
  readonly antialias?: boolean;
  /**
   * What is subtracted from pixels, which are 0 to 255, and what the difference is divided by. Without it and `range`
   * an integer input accepts the pixels themselves (int8: less 128), and a float input is rejected.
   */
  readonly normalization?: MeanAndStd;
  /** The real values of black and white, instead of `normalization`. */
  readonly range?: InputRange;
  /** Order of the colors in the tensor. Default: `rgb`. */
  readonly channelOrder?: 'rgb' | 'bgr';
  /** Order of the tensor's dimensions. Default: found by the dimension of 1, 3 or 4. */
  readonly layout?: Layout;
  /** Name or position of the model's input. Default: the only one that can be an image. */
  readonly input?: string | number;
  /** The array to fill: frame after frame, none is allocated. Default: a new one, which the result has. */
  readonly data?: TypedArray;
  /** The MLTensor that the values are copied to, by the model; `data` is free again when the promise is fulfilled. */
  readonly tensor?: MLTensor;
  /** Ends the call while the image is decoded: it rejects immediately with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** An image as the input of a model: `run()` accepts it as it is. */
export interface ImageTensor<Data = TypedArray> {
  /** The values in row-major order, or the MLTensor that they were written to. */
  readonly data: Data;
  /** Shape of the input. */
  readonly shape: readonly number[];
  /** Element type of the input. */
  readonly dtype: string;
  /** Where the tensor lies in the image, for `toImage()` and the functions that read results. */
  readonly placement: ImagePlacement;
}

/** A model that writes MLTensors, such as a TFLiteModel. */
export interface TensorWriter extends ImageModel {
  /**
   * Copies values into an MLTensor.
   *
   * @param tensor - On the model's context, of the type and shape of its input.
   * @param data - The values, in row-major order.
   */
  writeTensor(tensor: MLTensor, data: TypedArray): void;
}

const GREY = 1;

const ARRAY: Kind = ['a typed array', (value) => ArrayBuffer.isView(value)];
/** @internal */
export const IMAGE_SCHEMA = {
  region: optional(having(REGION)),
  fit: optional(oneOf(['stretch', 'crop', 'letterbox'])),
  background: optional(['a number or edge', (value) => value === 'edge' || Number.isFinite(value)]),
  resampling: optional(oneOf(['tflite', 'opencv'])),
  antialias: optional(FLAG),
  normalization: optional(NORMALIZATION),
  range: optional(RANGE),
  channelOrder: optional(oneOf(['rgb', 'bgr'])),
  layout: optional(oneOf(['nhwc', 'nchw'])),
  input: optional(['a name or a position', (value) => typeof value === 'string' || typeof value === 'number']),
  data: optional(ARRAY),
  tensor: optional(OBJECT),
  signal: optional(SIGNAL),
};

const { tensor: _, signal: __, ...SYNC_KINDS } = IMAGE_SCHEMA;

const floats = new Scratch(Float32Array);

/**
 * Converts an image to the input of a model: cuts out, resizes, normalizes, quantizes.
 *
 * It interpolates bilinearly with half-pixel centers, in floating point: integers are rounded once. Alpha is ignored,
 * unless the model accepts four channels. In Node decode the file first, e.g. with sharp, and pass its raw pixels.
 *
 * @param source - An image, canvas, video, frame, bitmap, encoded Blob, or pixels in memory.
 * @param model - A model, or the row of its `inputs`.
 * @param options - Which part of the image, and which values.
 * @throws ImageError: by the image or the model. OptionError: by the options.
 *
 * @example
 * const input = await imageToTensor(video, model, { fit: 'letterbox', range: [0, 1] });
 * const results = await model.run(input);
 */
export function imageToTensor(
  source: ImageSource,
  model: ImageModel | ImageInput,
  options?: ImageOptions & { readonly tensor?: never },
): Promise<ImageTensor>;
/**
 * Converts an image to the input of a model, and copies it to an MLTensor.
 *
 * @param source - An image, canvas, video, frame, bitmap, encoded Blob, or pixels in memory.
 * @param model - The model, which writes the MLTensor.
 * @param options - The MLTensor, which part of the image, and which values.
 * @throws ImageError: by the image or the model. OptionError: by the options.
 */
export function imageToTensor(
  source: ImageSource,
  model: TensorWriter,
  options: ImageOptions & { readonly tensor: MLTensor },
): Promise<ImageTensor<MLTensor>>;
export async function imageToTensor(
  source: ImageSource,
  model: ImageModel | ImageInput,
  options: ImageOptions = {},
): Promise<ImageTensor<TypedArray | MLTensor>> {
  const plan = planOf(model, options);
  const image = await orAbort(openImage(source), options.signal, (late) => late.close?.());
  try {
    const converted = convert(image, plan, options);
    return { ...converted, data: written(converted.data, model, options.tensor) };
  } finally {
    image.close?.();
  }
}

/**
 * Converts an image that can be read synchronously, as {@link imageToTensor} does, before it returns.
 *
 * @param source - An image that has loaded, a canvas, video, frame, bitmap, or pixels in memory.
 * @param model - A model, or the row of its `inputs`.
 * @param options - Which part of the image, and which values.
 * @throws ImageError: by the image, also for a Blob and one that has not loaded, or by the model. OptionError: by the
 *   options.
 */
export function imageToTensorSync(
  source: ImageSource,
  model: ImageModel | ImageInput,
  options: Omit<ImageOptions, 'tensor' | 'signal'> = {},
): ImageTensor {
  return convert(openImageSync(source), planOf(model, options, SYNC_KINDS), options);
}

/** What is known before the image is. */
interface Plan {
  readonly input: ImageInput;
  readonly tensor: Dimensions;
  readonly coloring: Coloring;
}

function planOf(model: ImageModel | ImageInput, options: ImageOptions, kinds: Members = IMAGE_SCHEMA): Plan {
  checkArguments('imageToTensor', { options }, { options: kinds });
  const input = imageInputOf(model, options.input);
  const tensor = dimensionsOf(input, options.layout);
  return { input, tensor, coloring: coloringOf(input, tensor, options) };
}

/** Nothing waits here: all conversions share their scratch arrays. */
function convert(image: OpenImage, { input, tensor, coloring }: Plan, options: ImageOptions): ImageTensor {
  const placement = placementOf(image, tensor, options);
  const values = arrayFor(input, tensor.width * tensor.height * tensor.channels, options.data);
  const { pixels, grid } = read(image, placement, tensor, options);
  if (options.resampling === 'opencv') {
    sampleAsOpencv(pixels, grid, coloring, tensor, input, values as Float32Array); // or any other array of numbers
  } else {
    const work = values instanceof Float32Array ? values : floats.reserve(values.length);
    sample(pixels, grid, coloring, tensor, work);
    if (work !== values) convertInto(work, values, input);
  }
  return { data: values, shape: input.shape, dtype: input.dtype, placement };
}

function coloringOf(input: ImageInput, { channels }: Dimensions, options: ImageOptions): Coloring {
  const { background = 0, channelOrder, normalization, range } = options;
  return {
    steps: stepsOf(input, channels, normalization, range),
    isBgr: channelOrder === 'bgr',
    background,
  };
}

function placementOf(image: OpenImage, tensor: Dimensions, { region, fit = 'stretch' }: ImageOptions): ImagePlacement {
  const size = { width: image.width, height: image.height };
  const requested = region ?? fullRegion(size);
  const { center, width, height, rotation } = requested;
  if (![center.x, center.y, width, height, rotation].every(Number.isFinite) || Math.min(width, height) <= 0) {
    throw new OptionError(`The region must be finite and not empty: ${JSON.stringify(requested)}.`);
  }
  const tensorSize = { width: tensor.width, height: tensor.height };
  return { image: size, region: fitRegion(requested, fit, tensor), tensor: tensorSize };
}

function written(
  values: TypedArray,
  model: ImageModel | ImageInput | TensorWriter,
  tensor: MLTensor | undefined,
): TypedArray | MLTensor {
  if (!tensor) return values;
  if (!('writeTensor' in model)) {
    throw new OptionError('Only a model writes MLTensors: pass the model, not its input.');
  }
  model.writeTensor(tensor, values);
  return tensor;
}

/** The pixels that are needed, and where those of the tensor lie in them. */
function read(
  image: OpenImage,
  placement: ImagePlacement,
  tensor: Dimensions,
  { antialias = false, resampling }: ImageOptions,
): Gridded {
  const part = image.read(boxOf(placement, tensor));
  const pixels = tensor.channels === GREY ? toGrey(part.pixels) : part.pixels;
  const grid = gridOf(placement, tensor, part, resampling !== 'opencv');
  return antialias ? shrink(pixels, grid, tensor) : { pixels, grid };
}
