/** Finds the blocks of a graph: layers or steps that repeat the same ops, one after the other. */

/** Shorter repetitions are patterns of a few ops, not blocks. */
const MIN_NODES = 6;
/** Of ops with others; each size of a block takes one for each node. Without more, the other ops have no blocks. */
const MAX_COMPARISONS = 50_000_000;

/** Nodes of consecutive positions: `count` blocks of `size` nodes. */
interface Repetition {
  readonly first: number;
  readonly size: number;
  readonly count: number;
}

/**
 * Finds blocks.
 *
 * @param ops - The nodes' ops, in their order.
 * @param maxComparisons - After which the other nodes get no blocks.
 * @returns The block of each node; null outside of blocks.
 */
export function findBlocks(ops: readonly string[], maxComparisons = MAX_COMPARISONS): (number | null)[] {
  const blocks: (number | null)[] = ops.map(() => null);
  let next = 0;
  let comparisons = 0;
  const search = (from: number, to: number): void => {
    comparisons += (to - from) ** 2 / 2;
    if (comparisons > maxComparisons) return;
    const found = longestRepetition(ops, from, to);
    if (found === null) return;
    const { first, size, count } = found;
    search(from, first);
    for (let position = 0; position < size * count; position++) {
      blocks[first + position] = next + Math.floor(position / size);
    }
    next += count;
    search(first + size * count, to);
  };
  search(0, ops.length);
  return blocks;
}

/** The repetition that covers the most nodes from `from` to `to`; of equal ones that with the smallest blocks. */
function longestRepetition(ops: readonly string[], from: number, to: number): Repetition | null {
  let best: Repetition | null = null;
  for (let size = MIN_NODES; 2 * size <= to - from; size++) {
    let same = 0; // nodes before `position` whose op comes again after `size` nodes
    for (let position = from; position <= to - size; position++) {
      if (position < to - size && ops[position] === ops[position + size]) {
        same += 1;
        continue;
      }
      const count = Math.floor(same / size) + 1;
      if (count > 1 && size * count > (best === null ? 0 : best.size * best.count)) {
        best = { first: position - same, size, count };
      }
      same = 0;
    }
  }
  return best;
}
