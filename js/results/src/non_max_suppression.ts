/** One detection for each thing: detectors find most things several times. */

import { checkArguments } from 'tflite-webnn';
import { POINT } from '../../images/src/placement.js';
import { FLAG, having, listOf, NUMBER, oneOf, optional, REAL } from '../../runtime/src/argument_kinds.js';
import { BOX, type Box, intersectionOverUnion, type RawDetection } from './detection.js';

/** What counts as the same thing. */
export interface SuppressionOptions {
  /** Detections whose intersection over union is larger are the same thing. Default: 0.5. */
  readonly overlap?: number;
  /** How many detections are kept at most. Default: all. */
  readonly maxResults?: number;
  /** Whether things of different classes can be the same. Default: false. */
  readonly acrossClasses?: boolean;
  /**
   * `drop` keeps the best detection of a thing; `merge` keeps the mean of all, weighted by their scores, as MediaPipe does:
   * it trembles less from frame to frame. Default: `drop`.
   */
  readonly duplicates?: 'drop' | 'merge';
}

const DEFAULT_OVERLAP = 0.5;

const DETECTIONS = listOf(having({ box: BOX, score: NUMBER, index: NUMBER, keyPoints: listOf(having(POINT)) }));
/** @internal */
export const SUPPRESSION = {
  overlap: optional(REAL),
  maxResults: optional(REAL),
  acrossClasses: optional(FLAG),
  duplicates: optional(oneOf(['drop', 'merge'])),
};

/**
 * Non-maximum suppression.
 *
 * @param detections - In any order.
 * @param options - What counts as the same thing.
 * @returns Highest score first.
 * @throws OptionError
 */
export function nonMaxSuppression<D extends RawDetection>(
  detections: readonly D[],
  options: SuppressionOptions = {},
): D[] {
  const kinds = { detections: DETECTIONS, options: SUPPRESSION };
  checkArguments('nonMaxSuppression', { detections, options }, kinds);
  const {
    overlap = DEFAULT_OVERLAP,
    maxResults = Number.POSITIVE_INFINITY,
    acrossClasses = false,
    duplicates,
  } = options;
  const kept: D[] = [];
  let rest = [...detections].sort((one, other) => other.score - one.score);
  for (let best = rest[0]; best && kept.length < maxResults; best = rest[0]) {
    const [first, same, others]: [D, D[], D[]] = [best, [], []];
    for (const other of rest) {
      const canBeSame = acrossClasses || other.index === first.index;
      const isSame = other === first || (canBeSame && intersectionOverUnion(first.box, other.box) > overlap);
      (isSame ? same : others).push(other);
    }
    kept.push(duplicates === 'merge' ? meanOf(first, same) : first);
    rest = others;
  }
  return kept;
}

/** The mean place of detections, weighted by score, with all else of the best. */
function meanOf<D extends RawDetection>(best: D, same: readonly D[]): D {
  const total = same.reduce((sum, { score }) => sum + score, 0);
  if (total === 0) return best;
  const mean = (value: (detection: D) => number | undefined) =>
    same.reduce((sum, detection) => sum + detection.score * (value(detection) ?? 0), 0) / total;
  const side = (key: keyof Box) => mean(({ box }) => box[key]);
  return {
    ...best,
    box: { left: side('left'), top: side('top'), width: side('width'), height: side('height') },
    keyPoints: best.keyPoints.map((_, index) => ({
      x: mean(({ keyPoints }) => keyPoints[index]?.x),
      y: mean(({ keyPoints }) => keyPoints[index]?.y),
    })),
  };
}
