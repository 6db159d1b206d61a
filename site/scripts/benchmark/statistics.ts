/** Statistics over rounds, as in tools/measuring/statistics.py. */

/** Median, quartiles and extremes over the rounds. */
export interface Spread {
  readonly median: number;
  readonly low: number;
  readonly high: number;
  readonly min: number;
  readonly max: number;
}

/** Statistics of one or more values. */
export function spread(values: readonly number[]): Spread {
  const sorted = [...values].sort((a, b) => a - b);
  const [low, median, high] = [0.25, 0.5, 0.75].map((fraction) => quantile(sorted, fraction)) as [
    number,
    number,
    number,
  ];
  return { median, low, high, min: sorted[0] ?? Number.NaN, max: sorted.at(-1) ?? Number.NaN };
}

/** Ratios `other / measure` by round: a busy moment slows both. */
export function ratios(others: readonly number[], measure: readonly number[]): Spread {
  return spread(others.map((other, round) => other / (measure[round] ?? Number.NaN)));
}

/** Interpolates linearly between neighbouring values. */
function quantile(sorted: readonly number[], fraction: number): number {
  const position = (sorted.length - 1) * fraction;
  const below = sorted[Math.floor(position)] ?? Number.NaN;
  const above = sorted[Math.ceil(position)] ?? Number.NaN;
  return below + (above - below) * (position - Math.floor(position));
}
