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
/** @internal */
export {
  type Category,
  CLASS_KINDS,
  type ClassNames,
  type ClassOptions,
  calibrated,
  calibrateScores,
  classFilter,
  classNames,
  TOP_K_KINDS,
  type TopKOptions,
  topK,
} from './classes.js';
/** @internal */
export {
  type Box,
  type Detection,
  type DetectionOptions,
  type DetectorHead,
  decodeDetections,
  HEAD,
  nonMaxSuppression,
  overlapOf,
  type RawDetection,
  SUPPRESSION,
  type SuppressionOptions,
} from './detections.js';
/** @internal */
export {
  calibratedHead,
  type PostProcessOutput,
  postProcessHead,
  postProcessOrder,
  type YoloHeadOptions,
  type YoloPreset,
  yoloHead,
} from './detector_heads.js';
/** @internal */
export { cosineSimilarity, unitVector } from './embeddings.js';
/** @internal */
export {
  boxRegion,
  grownRegion,
  type Landmark,
  type LandmarkOptions,
  type RegionOptions,
  regionAround,
  rotationBetween,
  toLandmarks,
} from './landmarks.js';
/** @internal */
export {
  argmaxMask,
  type ChannelMaskOptions,
  type ClassMask,
  type ClassShare,
  channelOf,
  classesOf,
  classShares,
  type Mask,
  type MaskOptions,
  toMask,
} from './masks.js';
/** @internal */
export { probabilitiesOf, type Result, type ResultQuantization, realValues, sigmoid } from './result.js';
