/** Narrows what opSupportLimits() promises to what the browser keeps, so that the delegate never offers it the rest. */

import { BROKEN_PROMISES, type BrokenPromise } from '../generated/broken_promises.js';
import type { MLOpSupportLimits, MLTensorLimits } from '../webnn_types.js';

/**
 * The limits without the known faults of the browser's version.
 *
 * @param userAgent - Of the browser; of another one than those in the list, the limits stay as they are.
 */
export function keptPromises(
  limits: MLOpSupportLimits,
  userAgent: string,
  broken: readonly BrokenPromise[] = BROKEN_PROMISES,
): MLOpSupportLimits {
  const major = Number(/Chrome\/(\d+)/.exec(userAgent)?.[1] ?? Number.NaN);
  const kept: Record<string, Record<string, MLTensorLimits> | undefined> = { ...limits } as never;
  for (const { browser, fixed, operands, maxRank, without } of broken) {
    if (browser !== 'Chromium' || Number.isNaN(major) || (fixed !== null && major >= fixed)) continue;
    for (const name of operands.split(' ')) {
      const [op, operand] = name.split('.') as [string, string];
      const promised = kept[op]?.[operand];
      if (promised) kept[op] = { ...kept[op], [operand]: narrowed(promised, maxRank, without) };
    }
  }
  return kept as never;
}

function narrowed(promised: MLTensorLimits, maxRank = Number.POSITIVE_INFINITY, without: readonly string[] = []) {
  const { dataTypes, rankRange } = promised;
  return {
    ...promised,
    dataTypes: dataTypes.filter((dataType) => !without.includes(dataType)),
    ...(rankRange && { rankRange: { ...rankRange, max: Math.min(rankRange.max, maxRank) } }),
  };
}
