/** How far the answers of two engines are apart. */

/** Values of a tensor. */
export type Values = ArrayLike<number | bigint>;

/** What an engine gave, in its own order and under its own names. */
export interface Answer {
  readonly names: readonly string[];
  readonly outputs: readonly Values[];
}

/** The largest difference over all outputs. */
export interface Difference {
  /** As it is. */
  readonly absolute: number;
  /** Over the range of the output that it is in. */
  readonly relative: number;
}

/**
 * Compares an answer with another.
 *
 * @returns Null where the answers cannot be compared: they have other outputs, or outputs of other sizes.
 */
export function compare(found: Answer, reference: Answer): Difference | null {
  const outputs = inOrder(found, reference);
  if (outputs === null) return null;
  let difference: Difference = { absolute: 0, relative: 0 };
  reference.outputs.forEach((expected, index) => {
    const absolute = largestDifference(outputs[index] as Values, expected);
    const relative = absolute / rangeOf(expected);
    difference = {
      absolute: Math.max(difference.absolute, absolute),
      relative: Math.max(difference.relative, relative),
    };
  });
  return difference;
}

/** Outputs in the order of the reference's: by name, else by size where no two have the same, else as they are. */
function inOrder(found: Answer, reference: Answer): readonly Values[] | null {
  const byName = reference.names.map((name) => found.outputs[found.names.indexOf(name)]);
  const bySize = reference.outputs.map(({ length }) => found.outputs.filter((output) => output.length === length));
  const candidates = [byName, bySize.map((same) => (same.length === 1 ? same[0] : undefined)), found.outputs];
  const fitting = candidates.find(
    (outputs) =>
      outputs.length === reference.outputs.length &&
      outputs.every((output, index) => output?.length === reference.outputs[index]?.length),
  );
  return (fitting as readonly Values[] | undefined) ?? null;
}

function largestDifference(found: Values, expected: Values): number {
  let largest = 0;
  for (let index = 0; index < expected.length; index++) {
    const [one, other] = [Number(found[index]), Number(expected[index])];
    if (Object.is(one, other) || one === other) continue;
    const difference = Math.abs(one - other);
    largest = Math.max(largest, Number.isNaN(difference) ? Number.POSITIVE_INFINITY : difference);
  }
  return largest;
}

/** Highest minus lowest value; the magnitude where all are equal; 1 where all are zero. */
function rangeOf(values: Values): number {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let index = 0; index < values.length; index++) {
    low = Math.min(low, Number(values[index]));
    high = Math.max(high, Number(values[index]));
  }
  return high - low || Math.abs(high) || 1;
}
