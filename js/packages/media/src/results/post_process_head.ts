/** Detectors that end with TFLite_Detection_PostProcess: the model itself decodes and suppresses. */

import { checkArguments, listOf, OptionError, TEXT } from './arguments.js';
import type { DetectorHead } from './decode_detections.js';
import { boxAround, type RawDetection } from './detection.js';
import { type Result, realValues, sizesOf, wrongShape } from './result.js';

/** The four outputs. */
export type PostProcessOutput = 'boxes' | 'classes' | 'scores' | 'count';

const OPERATOR_ORDER: readonly PostProcessOutput[] = ['boxes', 'classes', 'scores', 'count'];
const SIDES = 4;

/**
 * The head of a detector with TFLite_Detection_PostProcess.
 *
 * @param order - Order of the outputs. Default: the operator's, which converters of TensorFlow 2 change.
 */
export function postProcessHead(order: readonly PostProcessOutput[] = OPERATOR_ORDER): DetectorHead {
  checkArguments('postProcessHead', { order }, { order: listOf(TEXT) });
  const missing = OPERATOR_ORDER.filter((name) => !order.includes(name));
  if (missing.length > 0) throw new OptionError(`The order of the outputs lacks ${missing.join(', ')}.`);
  return { isSuppressed: true, read: (results, threshold) => read(results, threshold, order) };
}

function read(results: readonly Result[], threshold: number, order: readonly PostProcessOutput[]) {
  const output = (name: PostProcessOutput) => {
    const result = results[order.indexOf(name)];
    if (result) return result;
    throw wrongShape({ name, data: [], shape: [] }, `the output ${order.indexOf(name) + 1} of ${order.length}`);
  };
  const boxes = output('boxes');
  if (sizesOf(boxes).at(-1) !== SIDES) throw wrongShape(boxes, '[1, boxes, 4]: give the order of the outputs');
  const [sides, classes, scores] = [realValues(boxes), realValues(output('classes')), realValues(output('scores'))];
  const count = Math.min(realValues(output('count'))[0] as number, scores.length);
  const detections: RawDetection[] = [];
  for (let row = 0; row < count; row++) {
    const score = scores[row] as number;
    if (!(score >= threshold)) continue;
    const [top = 0, left = 0, bottom = 0, right = 0] = Array.from(
      { length: SIDES },
      (_, side) => sides[row * SIDES + side],
    );
    const box = boxAround((left + right) / 2, (top + bottom) / 2, right - left, bottom - top);
    detections.push({ box, score, index: Math.round(classes[row] as number), keyPoints: [] });
  }
  return { detections, classes: null };
}
