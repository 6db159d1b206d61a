/** Draws what tasks return onto a canvas. */

import { type ImageSource, imageSize } from '@tflite-webnn/media/images';
import { messageOf, OptionError } from 'tflite-webnn';
import type { InstanceOf, Kind } from 'tflite-webnn/option_schema';
import type { MPMask } from './mask.js';
import { checkOptions, type OptionSchemas } from './options.js';
import type { BoundingBox, Connection, NormalizedLandmark } from './results.js';

/**
 * Computes a value from an input.
 *
 * @param input - E.g. a landmark.
 */
export type Callback<I, O> = (input: I) => O;

/** What is drawn: a landmark, or a line between two. */
export interface LandmarkData {
  /** Its position in the list. */
  index?: number;
  /** The landmark, or where the line begins. */
  from?: NormalizedLandmark;
  /** Where the line ends. */
  to?: NormalizedLandmark;
}

type Paint = string | InstanceOf<'CanvasGradient'> | InstanceOf<'CanvasPattern'>;

/** How things are drawn. */
export interface DrawingOptions {
  /** Color of lines. Default: white. */
  color?: Paint | Callback<LandmarkData, Paint>;
  /** Color of areas. Default: `color` if it is provided, else the context's, as in MediaPipe. */
  fillColor?: Paint | Callback<LandmarkData, Paint>;
  /** Width of lines in pixels. Default: 4. */
  lineWidth?: number | Callback<LandmarkData, number>;
  /** Radius of landmarks in pixels. Default: 6. */
  radius?: number | Callback<LandmarkData, number>;
}

/** Red, green, blue and alpha, from 0 to 255. */
export type RGBAColor = [number, number, number, number] | number[];

/** A color for each class. */
export type CategoryToColorMap = Map<number, RGBAColor> | RGBAColor[];

type Context = InstanceOf<'CanvasRenderingContext2D'> | InstanceOf<'OffscreenCanvasRenderingContext2D'>;

const DEFAULTS = { color: 'white', lineWidth: 4, radius: 6 };
const BLACK: RGBAColor = [0, 0, 0, 255];
const RGBA = 4;
const TURN = 2 * Math.PI;

const hasNumbers =
  (...names: string[]) =>
  (value: unknown) =>
    typeof value === 'object' && names.every((name) => typeof value?.[name as never] === 'number');
const listOf = (isElement: (value: unknown) => boolean) => (value: unknown) =>
  Array.isArray(value) && value.every(isElement);
const isColor = listOf((value) => typeof value === 'number');
const isColors = listOf((color) => color == null || isColor(color));
const PLAIN: readonly unknown[] = [Object.prototype, Array.prototype, null];
const isOfBrowser = (value: unknown) =>
  typeof value === 'object' && !ArrayBuffer.isView(value) && !PLAIN.includes(Object.getPrototypeOf(value));
const isTexture = (value: unknown) => isColor(value) || isOfBrowser(value);
const isPaint = (value: unknown) => ['string', 'function'].includes(typeof value) || isOfBrowser(value);
const isWidth = (value: unknown) => typeof value === 'number' || typeof value === 'function';

/** Arguments of the methods. A canvas accepts anything, and draws nothing of what it does not understand. */
const ARGUMENTS = {
  landmarks: ['a list of landmarks', listOf((point) => point === undefined || hasNumbers('x', 'y')(point))],
  connections: ['a list of connections', listOf(hasNumbers('start', 'end'))],
  style: {
    color: ['a color', isPaint],
    fillColor: ['a color', isPaint],
    lineWidth: ['a number or a function', isWidth],
    radius: ['a number or a function', isWidth],
  } satisfies Record<keyof Required<DrawingOptions>, Kind>,
  boundingBox: ['a bounding box', hasNumbers('originX', 'originY', 'width', 'height')],
  mask: ['a mask', (value) => typeof (value as Partial<MPMask>).getAsUint8Array === 'function'],
  categoryToColorMap: [
    'a map or a list of colors',
    (value) => isColors(value instanceof Map ? [...value.values()] : value),
  ],
  background: ['a color or an image', isTexture],
  defaultTexture: ['a color or an image', isTexture],
  overlayTexture: ['a color or an image', isTexture],
} as const satisfies OptionSchemas;

type Provided = Readonly<Partial<Record<keyof typeof ARGUMENTS, unknown>>>;

/** Draws landmarks, boxes and masks. */
export class DrawingUtils {
  readonly #context: Context;

  /**
   * Draws on a canvas.
   *
   * @param context - Of the canvas.
   * @param _gpuContext - Without effect: masks are in memory here.
   */
  constructor(context: Context, _gpuContext?: InstanceOf<'WebGL2RenderingContext'>) {
    this.#context = context;
  }

  /**
   * Limits a number.
   *
   * @param x - The number.
   * @param x0 - One limit.
   * @param x1 - The other one.
   */
  static clamp(x: number, x0: number, x1: number): number {
    checkNumbers({ x, x0, x1 });
    return Math.max(Math.min(x0, x1), Math.min(Math.max(x0, x1), x));
  }

  /**
   * Maps a number from one range to another, and limits it there.
   *
   * @param x - The number.
   * @param x0 - What becomes y0.
   * @param x1 - What becomes y1.
   * @param y0 - One limit.
   * @param y1 - The other one.
   */
  static lerp(x: number, x0: number, x1: number, y0: number, y1: number): number {
    checkNumbers({ x, x0, x1, y0, y1 });
    return DrawingUtils.clamp(y0 + ((x - x0) / (x1 - x0)) * (y1 - y0), y0, y1);
  }

  /**
   * Draws a circle at each landmark.
   *
   * @param landmarks - In parts of the canvas.
   * @param style - How.
   * @throws OptionError for what cannot be drawn, as all methods do.
   */
  drawLandmarks(landmarks?: NormalizedLandmark[], style?: DrawingOptions): void {
    this.#draw({ landmarks, style }, (context, { width, height }) => {
      landmarks?.forEach((from, index) => {
        const { lineWidth, radius, ...paints } = chosen(style, { index, from });
        Object.assign(context, paints, { lineWidth });
        context.beginPath();
        context.arc(from.x * width, from.y * height, radius, 0, TURN);
        context.fill();
        context.stroke();
      });
    });
  }

  /**
   * Draws lines between landmarks.
   *
   * @param landmarks - In parts of the canvas.
   * @param connections - Which of them are connected; those that are not in the list are left out.
   * @param style - How.
   */
  drawConnectors(landmarks?: NormalizedLandmark[], connections?: Connection[], style?: DrawingOptions): void {
    this.#draw({ landmarks, connections, style }, (context, { width, height }) => {
      connections?.forEach(({ start, end }, index) => {
        const [from, to] = [landmarks?.[start], landmarks?.[end]];
        if (!from || !to) return;
        const { lineWidth, strokeStyle } = chosen(style, { index, from, to });
        Object.assign(context, { lineWidth, strokeStyle });
        context.beginPath();
        context.moveTo(from.x * width, from.y * height);
        context.lineTo(to.x * width, to.y * height);
        context.stroke();
      });
    });
  }

  /**
   * Draws a box, filled.
   *
   * @param boundingBox - In pixels of the canvas.
   * @param style - How.
   */
  drawBoundingBox(boundingBox: BoundingBox, style?: DrawingOptions): void {
    this.#draw({ boundingBox, style }, (context) => {
      const { originX, originY, width, height } = boundingBox;
      const { radius: _, ...paints } = chosen(style, {});
      Object.assign(context, paints);
      context.beginPath();
      // Not rect(), which closes the path: MediaPipe leaves the first corner open.
      context.moveTo(originX, originY);
      context.lineTo(originX + width, originY);
      context.lineTo(originX + width, originY + height);
      context.lineTo(originX, originY + height);
      context.lineTo(originX, originY);
      context.stroke();
      context.fill();
    });
  }

  /**
   * Draws a mask of classes over the entire canvas.
   *
   * @param mask - Of a segmenter.
   * @param categoryToColorMap - A color for each class.
   * @param background - Color or image of the classes without one. Default: black.
   */
  drawCategoryMask(
    mask: MPMask,
    categoryToColorMap: CategoryToColorMap,
    background: RGBAColor | ImageSource = BLACK,
  ): void {
    this.#draw({ mask, categoryToColorMap, background }, (context, canvas) => {
      const colorOf = (index: number) =>
        categoryToColorMap instanceof Map ? categoryToColorMap.get(index) : categoryToColorMap[index];
      const behind = pixelsOf(background, mask);
      mask.getAsUint8Array().forEach((index, pixel) => {
        const color = colorOf(index);
        if (color) behind.data.set(color, pixel * RGBA);
      });
      put(behind, context, canvas);
    });
  }

  /**
   * Blends two colors or images by a mask of confidence, over the entire canvas.
   *
   * @param mask - Of a segmenter.
   * @param defaultTexture - What is seen where the mask is 0.
   * @param overlayTexture - What is seen where the mask is 1.
   */
  drawConfidenceMask(
    mask: MPMask,
    defaultTexture: RGBAColor | ImageSource,
    overlayTexture: RGBAColor | ImageSource,
  ): void {
    this.#draw({ mask, defaultTexture, overlayTexture }, (context, canvas) => {
      const shares = mask.getAsFloat32Array();
      const [under, over] = [pixelsOf(defaultTexture, mask), pixelsOf(overlayTexture, mask)];
      over.data.forEach((value, index) => {
        const below = under.data[index] as number;
        under.data[index] = below + (value - below) * (shares[Math.floor(index / RGBA)] as number);
      });
      put(under, context, canvas);
    });
  }

  /** Nothing is held here that had to be freed. */
  close(): void {}

  #draw(provided: Provided, work: (context: Context, canvas: Context['canvas']) => void): void {
    checkOptions(provided, ARGUMENTS);
    const context = this.#context;
    try {
      context.save();
      work(context, context.canvas);
      context.restore();
    } catch (cause) {
      throw new OptionError(`Cannot draw this: ${messageOf(cause)}`, { cause });
    }
  }
}

function checkNumbers(provided: Readonly<Record<string, unknown>>): void {
  const [wrong] = Object.keys(provided).filter((name) => typeof provided[name] !== 'number');
  if (wrong !== undefined) throw new OptionError(`${wrong} is not a number.`, { details: { option: wrong } });
}

function put(pixels: ImageData, context: Context, { width, height }: Context['canvas']): void {
  context.drawImage(canvasOf(pixels), 0, 0, width, height);
}

/** The options for one thing that is drawn. JavaScript programs pass null for none. */
function chosen(style: DrawingOptions | null | undefined, data: LandmarkData) {
  const { color = DEFAULTS.color, lineWidth = DEFAULTS.lineWidth, radius = DEFAULTS.radius } = style ?? {};
  const { fillColor = style?.color } = style ?? {};
  return {
    strokeStyle: resolved(color, data),
    ...(fillColor !== undefined && { fillStyle: resolved(fillColor, data) }),
    lineWidth: resolved(lineWidth, data),
    radius: resolved(radius, data),
  };
}

function resolved<Value extends Paint | number>(
  value: Value | Callback<LandmarkData, Value>,
  data: LandmarkData,
): Value {
  return typeof value === 'function' ? value(data) : value;
}

/** A color or an image in the size of a mask. */
function pixelsOf(texture: RGBAColor | ImageSource, { width, height }: MPMask): ImageData {
  if (Array.isArray(texture)) {
    const pixels = new ImageData(width, height);
    for (let start = 0; start < pixels.data.length; start += RGBA) pixels.data.set(texture, start);
    return pixels;
  }
  if (texture instanceof ImageData && texture.width === width && texture.height === height) {
    return new ImageData(texture.data.slice(), width, height);
  }
  const context = contextOf(width, height, { willReadFrequently: true });
  const size = imageSize(texture);
  context.drawImage(drawable(texture), 0, 0, size.width, size.height, 0, 0, width, height);
  return context.getImageData(0, 0, width, height);
}

function drawable(source: ImageSource): CanvasImageSource {
  return source instanceof ImageData ? canvasOf(source) : (source as CanvasImageSource);
}

function canvasOf(pixels: ImageData): OffscreenCanvas {
  const context = contextOf(pixels.width, pixels.height);
  context.putImageData(pixels, 0, 0);
  return context.canvas;
}

function contextOf(
  width: number,
  height: number,
  settings?: CanvasRenderingContext2DSettings,
): OffscreenCanvasRenderingContext2D {
  return new OffscreenCanvas(width, height).getContext('2d', settings) as OffscreenCanvasRenderingContext2D;
}
