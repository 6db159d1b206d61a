/** The image of one call, and which part of it is looked at. */

import {
  ImageError,
  type ImageSource,
  imageSize,
  imageToTensorSync,
  type Region,
  type Size,
} from '@tflite-webnn/media/images';
import { OptionError } from 'tflite-webnn';
import { checkOptions, type ImageProcessingOptions, PROCESSING_OPTIONS } from './options.js';

/** One image or frame. */
export interface InputImage {
  /** The image. */
  readonly source: ImageSource;
  /** Its size in pixels. */
  readonly size: Size;
  /** The part to look at, in its pixels, rotated as the call says. */
  readonly region: Region;
  /** The time of a frame in milliseconds; null for an image. */
  readonly timestamp: number | null;
}

const QUARTER = 90;
const HALF = 180;

/**
 * The image of a call.
 *
 * @param acceptsRegion - Whether the task looks at parts of images.
 * @throws OptionError; ImageError
 */
export function inputImageOf(
  source: ImageSource,
  timestamp: number | null,
  processing: ImageProcessingOptions | null | undefined,
  acceptsRegion: boolean,
): InputImage {
  checkOptions(processing ?? {}, PROCESSING_OPTIONS);
  const size = imageSize(source);
  return { source, size, region: regionOf(size, processing ?? {}, acceptsRegion), timestamp };
}

function regionOf(
  { width, height }: Size,
  { regionOfInterest, rotationDegrees: degrees }: ImageProcessingOptions,
  acceptsRegion: boolean,
): Region {
  const rotationDegrees = degrees || 0; // NaN, too, is none in MediaPipe
  if (regionOfInterest && !acceptsRegion) throw new OptionError('This task accepts no regionOfInterest.');
  const { left, top, right, bottom } = regionOfInterest ?? { left: 0, top: 0, right: 1, bottom: 1 };
  if (!(left < right && top < bottom && Math.min(left, top) >= 0 && Math.max(right, bottom) <= 1)) {
    throw new OptionError(
      `regionOfInterest has ${[left, top, right, bottom]}: left must be under right, top under bottom, all from 0 to 1.`,
    );
  }
  if (rotationDegrees % QUARTER !== 0) {
    throw new OptionError(`rotationDegrees is ${rotationDegrees}: it must be a multiple of 90.`);
  }
  const [across, down] = [(right - left) * width, (bottom - top) * height];
  const isUpright = rotationDegrees % HALF === 0;
  return {
    center: { x: ((left + right) / 2) * width, y: ((top + bottom) / 2) * height },
    width: isUpright ? across : down,
    height: isUpright ? down : across,
    // The image is turned clockwise, so what the model sees is turned back.
    rotation: (-rotationDegrees * Math.PI) / HALF,
  };
}

/**
 * Reads an empty image while files are downloaded, so that the engine has compiled this code when the first one
 * comes.
 */
export function warmUp(): void {
  try {
    const center = { x: 0, y: 0 };
    const region = { center, width: 1, height: 1, rotation: 1 };
    const options = { resampling: 'opencv', background: 'edge', range: [0, 1], region } as const;
    imageToTensorSync(new OffscreenCanvas(1, 1), { dtype: 'float32', shape: WARM_SHAPE }, options);
  } catch {} // no canvas here: images are pixels
}

const WARM_SHAPE = [1, 64, 64, 3];

/**
 * An image that does not change while models run: a copy of a video's frame or of a canvas, a decoded Blob.
 *
 * @throws ImageError
 */
export async function still(source: ImageSource): Promise<{ source: ImageSource; close(): void }> {
  const kind = Object.prototype.toString.call(source).slice('[object '.length, -1);
  try {
    if (kind === 'HTMLImageElement') await (source as HTMLImageElement).decode();
    if (!CHANGING.includes(kind)) return { source, close: () => {} };
    const bitmap = await createImageBitmap(source as ImageBitmapSource);
    return { source: bitmap, close: () => bitmap.close() };
  } catch (cause) {
    const isFile = kind === 'HTMLImageElement' || kind === 'Blob' || kind === 'File';
    if (isFile) throw new ImageError('IMAGE_DECODE_FAILED', `The browser cannot decode the ${kind}.`, { cause });
    throw new ImageError('IMAGE_DETACHED', `The browser cannot copy the ${kind}: it is empty, or moved away.`, {
      cause,
    });
  }
}

const CHANGING = ['HTMLVideoElement', 'HTMLCanvasElement', 'OffscreenCanvas', 'Blob', 'File'];
