/** Images as lists of numbers. */

import type { ImageSource } from '@tflite-webnn/media/images';
import { cosineSimilarity, realValues } from '@tflite-webnn/media/results';
import { unitVector } from '@tflite-webnn/media/results/unchecked';
import { OptionError } from 'tflite-webnn';
import { FLAG } from 'tflite-webnn/option_schema';
import type { InputImage } from './input_image.js';
import type { ImageProcessingOptions, OwnOptions, VisionTaskOptions } from './options.js';
import type { Embedding } from './results.js';
import { onlyModel, type TaskFile } from './task_file.js';
import type { Steps, VisionModel } from './vision_model.js';
import { type LoadModel, VisionTask } from './vision_task.js';

/** How embeddings are returned. */
export interface EmbedderOptions {
  /** Divide the numbers by their length, if the model does not do it. Default: false. */
  l2Normalize?: boolean | undefined;
  /** Return bytes instead of floats. Default: false. */
  quantize?: boolean | undefined;
}

/** Options of {@link ImageEmbedder}. */
export interface ImageEmbedderOptions extends VisionTaskOptions, EmbedderOptions {}

/** What an embedder returns. */
export interface ImageEmbedderResult {
  /** One for each output of the model. */
  embeddings: Embedding[];
  /** The time of a frame in integer milliseconds. */
  timestampMs?: number;
}

const STEPS_OF_ONE = 128;
const [MIN, MAX] = [-128, 127];

/**
 * Computes the embedding of an image, a list of numbers: similar images have similar ones.
 *
 * @example
 * const vision = await FilesetResolver.forVisionTasks();
 * const embedder = await ImageEmbedder.createFromModelPath(vision, 'mobilenet_v3_embedder.tflite');
 * const [one, other] = [image, canvas].map((image) => embedder.embed(image).embeddings[0]);
 * console.log(ImageEmbedder.cosineSimilarity(one, other));
 */
export class ImageEmbedder extends VisionTask<ImageEmbedderOptions, ImageEmbedderResult, VisionModel> {
  #options: EmbedderOptions = {};

  /**
   * How similar two images are.
   *
   * @param u - Of one.
   * @param v - Of the other, by the same model and options.
   * @returns The cosine of the angle between them: 1 for equal directions, -1 for opposite ones.
   * @throws OptionError where one is quantized and the other is not, their lengths differ, or one is all zeros.
   */
  static cosineSimilarity(u: Embedding, v: Embedding): number {
    if (u?.floatEmbedding && v?.floatEmbedding) return cosineSimilarity(u.floatEmbedding, v.floatEmbedding);
    if (u?.quantizedEmbedding && v?.quantizedEmbedding) {
      return cosineSimilarity(signed(u.quantizedEmbedding), signed(v.quantizedEmbedding));
    }
    throw new OptionError('One embedding is quantized and the other is not: compute both with the same options.');
  }

  /** @internal */
  protected override get acceptsRegion(): boolean {
    return true;
  }

  /**
   * Computes the embedding of an image before it returns.
   *
   * @param image - The image.
   * @param processing - Which part of it.
   * @throws OptionError, ModelDisposedError; what imageToTensorSync() and runSync() throw.
   */
  embed(image: ImageSource, processing?: ImageProcessingOptions): ImageEmbedderResult {
    return this.onImage(image, processing);
  }

  /**
   * Computes the embedding of a frame before it returns.
   *
   * @param frame - The frame, e.g. a video that shows it.
   * @param timestamp - Its time in milliseconds, after that of the frame before.
   * @param processing - Which part of it.
   * @throws OptionError; what embed() throws.
   */
  embedForVideo(frame: ImageSource, timestamp: number, processing?: ImageProcessingOptions): ImageEmbedderResult {
    return this.onFrame(frame, timestamp, processing);
  }

  /**
   * Computes the embedding of an image as embed() does, on WebNN.
   *
   * @param image - The image.
   * @param processing - Which part of it. Default: all of it, upright.
   */
  embedAsync(image: ImageSource, processing?: ImageProcessingOptions): Promise<ImageEmbedderResult> {
    return this.onImageAsync(image, processing);
  }

  /**
   * Computes the embedding of a frame as embedForVideo() does, on WebNN.
   *
   * @param frame - The frame, e.g. a video that shows it.
   * @param timestamp - Its time in milliseconds, after that of the frame before.
   * @param processing - Which part of it. Default: all of it, upright.
   */
  embedForVideoAsync(
    frame: ImageSource,
    timestamp: number,
    processing?: ImageProcessingOptions,
  ): Promise<ImageEmbedderResult> {
    return this.onFrameAsync(frame, timestamp, processing);
  }

  /** @internal */
  protected override open(file: TaskFile, load: LoadModel): Promise<VisionModel> {
    return load(onlyModel(file));
  }

  /** @internal */
  protected override get ownOptions(): OwnOptions<Required<ImageEmbedderOptions>> {
    return { l2Normalize: FLAG, quantize: FLAG };
  }

  /** @internal */
  protected override configure(options: ImageEmbedderOptions): void {
    this.#options = options;
  }

  /** @internal */
  protected override *steps({ source, region, timestamp }: InputImage, model: VisionModel): Steps<ImageEmbedderResult> {
    const results = yield { model, inputs: [model.tensorOf(source, region)] };
    const embeddings = results.map((result, headIndex) => ({
      ...embeddingOf(realValues(result), this.#options),
      headIndex,
      headName: model.metadata?.outputs[headIndex]?.name ?? '',
    }));
    return { embeddings, ...(timestamp !== null && { timestampMs: Math.floor(timestamp) }) };
  }
}

function embeddingOf(
  provided: ArrayLike<number>,
  { l2Normalize = false, quantize = false }: EmbedderOptions,
): Pick<Embedding, 'floatEmbedding' | 'quantizedEmbedding'> {
  const values = l2Normalize ? unitVector(provided) : Array.from(provided);
  return quantize ? { quantizedEmbedding: quantized(values) } : { floatEmbedding: values };
}

/** Signed bytes, as MediaPipe has them, in an array of unsigned ones. */
function quantized(values: readonly number[]): Uint8Array {
  return Uint8Array.from(values, (value) => {
    const rounded = Math.sign(value) * Math.round(Math.abs(value) * STEPS_OF_ONE); // halves away from zero, as in C++
    return Math.max(MIN, Math.min(MAX, rounded));
  });
}

function signed({ buffer, byteOffset, byteLength }: Uint8Array): Int8Array {
  return new Int8Array(buffer, byteOffset, byteLength);
}
