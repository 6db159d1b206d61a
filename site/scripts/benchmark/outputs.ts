/** Compares the outputs of two runtimes. */

/** Values of a tensor. */
export type Values = ArrayLike<number | bigint>;

/** Outputs of a runtime, with its own order and names. */
export interface RuntimeOutputs {
  readonly names: readonly string[];
  readonly values: readonly Values[];
}

/** The largest difference over all outputs. */
export interface Difference {
  /** In the output's own units. */
  readonly absolute: number;
  /** Divided by the range of its output. */
  readonly relative: number;
}

/**
 * Compares the outputs of a runtime with the reference.
 *
 * @returns Null if the number or the sizes of the outputs differ.
 */
export function compare(found: RuntimeOutputs, reference: RuntimeOutputs): Difference | null {
  const outputs = inOrder(found, reference);
  if (outputs === null) return null;
  let difference: Difference = { absolute: 0, relative: 0 };
  reference.values.forEach((expected, index) => {
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
function inOrder(found: RuntimeOutputs, reference: RuntimeOutputs): readonly Values[] | null {
  const byName = reference.names.map((name) => found.values[found.names.indexOf(name)]);
  const bySize = reference.values.map(({ length }) => found.values.filter((output) => output.length === length));
  const candidates = [byName, bySize.map((same) => (same.length === 1 ? same[0] : undefined)), found.values];
  const fitting = candidates.find(
    (outputs) =>
      outputs.length === reference.values.length &&
      outputs.every((output, index) => output?.length === reference.values[index]?.length),
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
