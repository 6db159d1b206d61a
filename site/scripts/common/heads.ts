/** The heads of detectors by the names of a recipe. */

import { anchorHead, type DetectorHead, mediapipeHead, yoloHead } from 'tflite-webnn/results';
import type { HeadName } from './recipe.js';

const HEADS: Readonly<Record<Exclude<HeadName, 'file'>, () => DetectorHead>> = {
  yolo11: () => yoloHead('yolo11'),
  yolov5: () => yoloHead('yolov5'),
  ssd_mobilenet: () => anchorHead('ssd_mobilenet'),
  face_short_range: () => mediapipeHead('face_short_range'),
  face_full_range: () => mediapipeHead('face_full_range'),
  palm: () => mediapipeHead('palm'),
  pose: () => mediapipeHead('pose'),
};

/** What detectors of one thing find: their files have no labels. */
export const HEAD_LABELS: Partial<Record<HeadName, readonly string[]>> = {
  face_short_range: ['face'],
  face_full_range: ['face'],
  palm: ['palm'],
  pose: ['body'],
};

/** The options of `ObjectDetector`; empty where the file says how its boxes are read. */
export function detectorHead(name: HeadName): { head?: DetectorHead; labels?: readonly string[] } {
  const labels = HEAD_LABELS[name];
  return name === 'file' ? {} : { head: HEADS[name](), ...(labels && { labels }) };
}
