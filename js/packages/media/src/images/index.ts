/**
 * Images as inputs of models.
 *
 * @module tflite-webnn/image
 */

export type { ImageInput, ImageModel, Layout } from './image_input.js';
export { type ImageCode, ImageError, type ImageSource, type PixelBytes, type PixelData } from './image_source.js';
export {
  type ImageOptions,
  type ImageTensor,
  imageToTensor,
  imageToTensorSync,
  type Resampling,
  type TensorWriter,
} from './image_to_tensor.js';
export type { InputRange, MeanAndStd, PerChannel } from './normalization.js';
export { imageSize } from './pixels.js';
export { type Fit, type ImagePlacement, type Point, type Region, type Size, toImage, toTensor } from './placement.js';

// Not for users: other entries of the package share it.

/** @internal */
export { IMAGE_SCHEMA } from './image_to_tensor.js';
