/**
 * From the outputs of a model to what they mean.
 *
 * @module tflite-webnn/results
 */

export {
  type Anchor,
  type AnchorHeadOptions,
  type AnchorOptions,
  anchorHead,
  type MediapipeHeadOptions,
  type MediapipePreset,
  mediapipeHead,
  type SsdPreset,
  ssdAnchors,
} from './anchor_head.js';
export { calibrated, calibrateScores, topK } from './classes.js';
export {
  type Detection,
  type DetectionOptions,
  type DetectorHead,
  decodeDetections,
  nonMaxSuppression,
  overlapOf,
  type RawDetection,
  type SuppressionOptions,
} from './detections.js';
export { postProcessHead, type YoloHeadOptions, type YoloPreset, yoloHead } from './detector_heads.js';
export { cosineSimilarity } from './embeddings.js';
export {
  type Landmark,
  type LandmarkOptions,
  type RegionOptions,
  regionAround,
  rotationBetween,
  toLandmarks,
} from './landmarks.js';
export {
  argmaxMask,
  type ChannelMaskOptions,
  type ClassMask,
  type ClassShare,
  classShares,
  type Mask,
  type MaskOptions,
  toMask,
} from './masks.js';
export { type Result, type ResultQuantization, realValues } from './result.js';
export type { Box, Category, ClassOptions, PostProcessOutput, TopKOptions } from './unchecked.js';

// Not for users: other entries of the package share it.

/** @internal */
export { CLASS_KINDS, TOP_K_SCHEMA } from './classes.js';
/** @internal */
export { HEAD, SUPPRESSION } from './detections.js';
/** @internal */
export { calibratedHead, ultralyticsHead } from './detector_heads.js';
/** @internal */
export { classNames, postProcessOrder } from './unchecked.js';
