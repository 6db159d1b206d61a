/**
 * Images as inputs of models.
 *
 * @module tflite-webnn/image
 */

export * from './errors.js';
export type { ImageInput, ImageModel, Layout } from './image_input.js';
export {
  type ImageOptions,
  type ImageTensor,
  imageToTensor,
  imageToTensorSync,
  type Resampling,
  type TensorWriter,
} from './image_to_tensor.js';
/** @internal */
export { IMAGE_KINDS } from './kinds.js';
export type { InputRange, MeanAndStd, PerChannel } from './normalization.js';
export type { ImageSource, PixelBytes, PixelData } from './open_image.js';
export { imageSize } from './pixels.js';
export { type Fit, type ImagePlacement, type Point, type Region, type Size, toImage, toTensor } from './placement.js';
