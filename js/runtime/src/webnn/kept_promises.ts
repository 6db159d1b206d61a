/** Narrows what opSupportLimits() promises to what the browser keeps, so that the delegate never offers it the rest. */

import type { BrokenPromise } from '../generated/broken_promises.js';
import type { MLOpSupportLimits, MLTensorLimits } from '../webnn_types.js';

/**
 * The limits without the known faults of the browser's version.
 *
 * @param userAgent - Of the browser; the limits of others than Chromium stay as they are.
 * @param broken - The faults of Chromium, BROKEN_PROMISES.
 */
export function keptPromises(
  limits: MLOpSupportLimits,
  userAgent: string,
  broken: readonly BrokenPromise[],
): MLOpSupportLimits {
  const major = Number(/Chrome\/(\d+)/.exec(userAgent)?.[1]); // not a number in other browsers
  const kept = { ...limits } as Record<string, Record<string, MLTensorLimits> | undefined>;
  for (const { ops, operand, maxRank, fixed = Number.POSITIVE_INFINITY } of broken) {
    for (const op of major < fixed ? ops.split(' ') : []) {
      const promised = kept[op]?.[operand];
      if (promised?.rankRange === undefined) continue;
      const { min, max } = promised.rankRange;
      kept[op] = { ...kept[op], [operand]: { ...promised, rankRange: { min, max: Math.min(max, maxRank) } } };
    }
  }
  return kept;
}
