/**
 * From the outputs of a model to what they mean.
 *
 * @module tflite-webnn/results
 */

export {
  type AnchorHeadOptions,
  anchorHead,
  type MediapipeHeadOptions,
  type MediapipePreset,
  mediapipeHead,
  type SsdPreset,
} from './anchor_head.js';
export { type Anchor, type AnchorOptions, ssdAnchors } from './anchors.js';
export { cosineSimilarity } from './cosine_similarity.js';
export { type DetectionOptions, type DetectorHead, decodeDetections } from './decode_detections.js';
export { type Box, type Detection, overlapOf, type RawDetection } from './detection.js';
/** @internal */
export { HEAD, probabilitiesOf, SUPPRESSION, TOP_K_KINDS } from './kinds.js';
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
export { nonMaxSuppression, type SuppressionOptions } from './non_max_suppression.js';
export { type PostProcessOutput, postProcessHead } from './post_process_head.js';
export { type Result, type ResultQuantization, realValues } from './result.js';
export { calibrated, calibrateScores } from './score_calibration.js';
export { type Category, type TopKOptions, topK } from './top_k.js';
export { type YoloHeadOptions, type YoloPreset, yoloHead } from './yolo_head.js';
