/** Compares the outputs of two runtimes. */

/** Values of a tensor. */
export type Values = ArrayLike<number | bigint>;

/** Outputs of a runtime, with its own order and names. */
export interface Answer {
  readonly names: readonly string[];
  readonly outputs: readonly Values[];
}

/** The largest difference over all outputs. */
export interface Difference {
  /** In the output's own units. */
  readonly absolute: number;
  /** Divided by the range of its output. */
  readonly relative: number;
}

/**
 * Compares an answer with another.
 *
 * @returns Null if the number or the sizes of the outputs differ.
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

/** Outputs in the reference's order: matched by name, else by unique size, else by position. */
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

/** Highest minus lowest value; their magnitude if all are equal; 1 if all are zero. */
function rangeOf(values: Values): number {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let index = 0; index < values.length; index++) {
    low = Math.min(low, Number(values[index]));
    high = Math.max(high, Number(values[index]));
  }
  return high - low || Math.abs(high) || 1;
}
