/** Tasks whose call is `detect()`. */

import type { ImageSource } from '@tflite-webnn/media/images';
import type { ImageProcessingOptions, VisionTaskOptions } from './options.js';
import { VisionTask } from './vision_task.js';

/** A task that detects something in images or frames. */
export abstract class DetectingTask<Options extends VisionTaskOptions, Output, Models> extends VisionTask<
  Options,
  Output,
  Models
> {
  /**
   * Works on an image; the models compute on the CPU while the page waits.
   *
   * @param image - The image.
   * @param processing - How it is rotated.
   * @throws OptionError; ImageError and other errors of images; what running a model throws.
   */
  detect(image: ImageSource, processing?: ImageProcessingOptions): Output {
    return this.onImage(image, processing);
  }

  /**
   * As detect(), on WebNN where it is available: see prepareAsync().
   *
   * @param image - The image.
   * @param processing - How it is rotated.
   */
  detectAsync(image: ImageSource, processing?: ImageProcessingOptions): Promise<Output> {
    return this.onImageAsync(image, processing);
  }

  /**
   * Works on a frame of a video. Tasks with landmarks look first where they were in the frame before.
   *
   * @param frame - The frame.
   * @param timestamp - Its time in milliseconds, after that of the frame before.
   * @param processing - How it is rotated.
   * @throws OptionError, and what detect() throws.
   */
  detectForVideo(frame: ImageSource, timestamp: number, processing?: ImageProcessingOptions): Output {
    return this.onFrame(frame, timestamp, processing);
  }

  /**
   * As detectForVideo(), on WebNN where it is available: see prepareAsync().
   *
   * @param frame - The frame.
   * @param timestamp - Its time in milliseconds, after that of the frame before.
   * @param processing - How it is rotated.
   */
  detectForVideoAsync(frame: ImageSource, timestamp: number, processing?: ImageProcessingOptions): Promise<Output> {
    return this.onFrameAsync(frame, timestamp, processing);
  }
}
