/** One detection for each thing: detectors find most things several times. */

import { POINT } from '../images/placement.js';
import { checkArguments, FLAG, having, listOf, NUMBER, oneOf, optional, REAL } from './arguments.js';
import { BOX, type Box, intersectionOverUnion, type RawDetection } from './detection.js';

/** What counts as the same thing. */
export interface SuppressionOptions {
  /** Detections whose intersection over union is larger are the same thing. Default: 0.5. */
  readonly overlap?: number;
  /** How many detections are kept at most. Default: 1000. */
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
/** Each detection is compared with all that are kept: without a limit, time grows with the square of the detections. */
const DEFAULT_MAX_RESULTS = 1000;

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
  const { overlap = DEFAULT_OVERLAP, maxResults = DEFAULT_MAX_RESULTS, acrossClasses = false, duplicates } = options;
  const groups: D[][] = [];
  // Only boxes that were kept suppress others, without `acrossClasses` only those of their class, and none by 1 or more.
  const groupsOf = new Map<number, D[][]>();
  for (const detection of [...detections].sort((one, other) => other.score - one.score)) {
    const isFull = groups.length >= maxResults;
    if (isFull && duplicates !== 'merge') break;
    const key = acrossClasses ? 0 : detection.index;
    const rivals = (overlap < 1 && groupsOf.get(key)) || [];
    const same = rivals.find(([best]) => best && intersectionOverUnion(best.box, detection.box) > overlap);
    if (same) {
      if (duplicates === 'merge') same.push(detection);
    } else if (!isFull) {
      const group = [detection];
      groups.push(group);
      rivals.push(group);
      groupsOf.set(key, rivals);
    }
  }
  return groups.map((group) => (duplicates === 'merge' ? meanOf(group) : group[0]) as D);
}

/** The mean place of detections, weighted by score, with all else of the best. */
function meanOf<D extends RawDetection>(same: readonly D[]): D {
  const best = same[0] as D;
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
