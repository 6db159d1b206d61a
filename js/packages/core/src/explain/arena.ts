/** The plan by which TFLite's tensors share one block of memory, the arena, worked out from where they lie. */

import type { TensorInfo } from '../description.js';

/**
 * Where TFLite keeps a tensor's values.
 *
 * @group explain.mjs
 */
export type AllocationType =
  | 'none'
  | 'mmap-ro'
  | 'arena-rw'
  | 'arena-rw-persistent'
  | 'dynamic'
  | 'persistent-ro'
  | 'custom'
  | 'variant-object'
  | 'non-cpu';

/** A tensor as the runner describes it. */
export interface TensorState extends Omit<TensorInfo, 'shape'> {
  /** Null for one that a kernel has added and not sized. */
  readonly shape: readonly number[] | null;
  readonly isVariable: boolean;
  readonly allocationType: AllocationType;
  readonly isAllocated: boolean;
}

/**
 * A node, and the tensors that it reads and writes.
 *
 * @group explain.mjs
 */
export interface GraphNode {
  /** TFLite's index. The nodes of a composite, which loading puts in its place, have the highest ones. */
  readonly index: number;
  /** TFLite's builtin name, or the custom op's name. */
  readonly op: string;
  /** Its tensors; -1 where an optional one is left out. */
  readonly inputs: readonly number[];
  /** Its results. */
  readonly outputs: readonly number[];
  /** Tensors that its kernel has added for itself. */
  readonly temporaries: readonly number[];
}

/**
 * A tensor, and its position in memory.
 *
 * @group explain.mjs
 */
export interface PlannedTensor {
  /** TFLite's tensor index. */
  readonly index: number;
  /** Its name in the file; empty for what a kernel has added. */
  readonly name: string;
  /** Element type. */
  readonly dtype: string;
  /** Its shape; `[]` for what a kernel has added and not sized, too. */
  readonly shape: readonly number[];
  /** Size of its values. */
  readonly sizeBytes: number;
  /** `mmap-ro`: in the file; `arena-rw`: in the arena; `arena-rw-persistent`: in the one that runs do not share;
   * `dynamic`: allocated while the model runs. */
  readonly allocationType: AllocationType;
  /** Bytes from the beginning of its arena; null for what is in none, or is put there while the model runs. */
  readonly offset: number | null;
  /** The node that writes it first, 0 for an input; null for what is in no arena. */
  readonly firstNode: number | null;
  /** The last node that needs it; null where it is kept until the run ends, and for what is in no arena. */
  readonly lastNode: number | null;
}

/**
 * The memory of a subgraph.
 *
 * @group explain.mjs
 */
export interface SubgraphMemory {
  /** Its index in the file; 0 is the main one. */
  readonly index: number;
  /** Its nodes, in the order in which they run. */
  readonly nodes: readonly GraphNode[];
  /** Its tensors, by index. */
  readonly tensors: readonly PlannedTensor[];
  /** Size of the arena. */
  readonly arenaBytes: number;
  /** Size of the arena of what is kept from run to run. */
  readonly persistentBytes: number;
  /** The maximum that is in use at the same time: no plan needs less. */
  readonly peakBytes: number;
  /** The node during which that is; null where there is none. */
  readonly peakNode: number | null;
  /** Bytes of the constants, which stay in the file. */
  readonly constantBytes: number;
}

/** The inputs of a subgraph's plan. */
export interface SubgraphState {
  readonly index: number;
  readonly nodes: readonly GraphNode[];
  readonly tensors: readonly TensorState[];
  /** The tensors that the caller writes, and those that it reads. */
  readonly inputs: readonly number[];
  readonly outputs: readonly number[];
  /** Where a tensor that is allocated lies in the heap. */
  address(tensor: number): number;
}

type Arena = 'arena-rw' | 'arena-rw-persistent';

interface Lifetime {
  firstNode: number | null;
  lastNode: number | null;
}

/** Works out where each tensor lies, from when to when. */
export function subgraphMemory(state: SubgraphState): SubgraphMemory {
  const { index, nodes, tensors } = state;
  const bases = { 'arena-rw': baseOf(state, 'arena-rw'), 'arena-rw-persistent': baseOf(state, 'arena-rw-persistent') };
  const lifetimes = lifetimesOf(state);
  const planned = tensors.map((tensor): PlannedTensor => {
    const { name, dtype, shape, sizeBytes, allocationType } = tensor;
    const hasOffset = isInArena(tensor) && occupies(tensor);
    const offset = hasOffset ? state.address(tensor.index) - bases[allocationType as Arena] : null;
    const lifetime = isInArena(tensor) ? lifetimes.get(tensor.index) : undefined;
    const { firstNode = null, lastNode = null } = lifetime ?? {};
    return {
      index: tensor.index,
      name,
      dtype,
      shape: shape ?? [],
      sizeBytes,
      allocationType,
      offset,
      firstNode,
      lastNode,
    };
  });
  const constants = tensors.filter(({ allocationType }) => allocationType === 'mmap-ro');
  return {
    index,
    nodes,
    tensors: planned,
    arenaBytes: endOf(planned, 'arena-rw'),
    persistentBytes: endOf(planned, 'arena-rw-persistent'),
    ...peakOf(planned, nodes.length),
    constantBytes: constants.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
  };
}

function isInArena({ allocationType }: TensorState): boolean {
  return allocationType === 'arena-rw' || allocationType === 'arena-rw-persistent';
}

function occupies({ isAllocated, sizeBytes }: TensorState): boolean {
  return isAllocated && sizeBytes > 0;
}

/** The planner puts its first tensor at the very beginning. */
function baseOf({ tensors, address }: SubgraphState, arena: Arena): number {
  const inside = tensors.filter((tensor) => tensor.allocationType === arena && occupies(tensor));
  return inside.reduce((min, { index }) => Math.min(min, address(index)), Number.POSITIVE_INFINITY);
}

/** As TFLite's ArenaPlanner has them: the caller's tensors, variables, and what nobody reads are never released. */
function lifetimesOf({ nodes, tensors, inputs, outputs }: SubgraphState): Map<number, Lifetime> {
  const lifetimes = new Map<number, Lifetime>();
  const begin = (tensor: number, node: number) => {
    if (tensor >= 0 && !lifetimes.has(tensor)) lifetimes.set(tensor, { firstNode: node, lastNode: null });
  };
  const variables = tensors.filter(({ isVariable }) => isVariable).map(({ index }) => index);
  const persistent = tensors.filter(({ allocationType }) => allocationType === 'arena-rw-persistent');
  for (const tensor of [...inputs, ...variables]) begin(tensor, 0);
  const isKept = new Set([...inputs, ...outputs, ...variables, ...persistent.map(({ index }) => index)]);
  nodes.forEach((node, position) => {
    for (const tensor of [...node.outputs, ...node.temporaries]) begin(tensor, position);
    for (const tensor of [...node.inputs, ...node.temporaries]) {
      const lifetime = lifetimes.get(tensor);
      if (lifetime !== undefined && !isKept.has(tensor)) lifetime.lastNode = position;
    }
  });
  return lifetimes;
}

function endOf(tensors: readonly PlannedTensor[], arena: Arena): number {
  return tensors.reduce(
    (end, { allocationType, offset, sizeBytes }) =>
      allocationType === arena && offset !== null ? Math.max(end, offset + sizeBytes) : end,
    0,
  );
}

/** The node during which most bytes of the arena are in use; those that tensors share are counted once. */
function peakOf(tensors: readonly PlannedTensor[], nodeCount: number) {
  const changes = Array.from({ length: nodeCount + 1 }, () => ({
    begin: [] as PlannedTensor[],
    end: [] as PlannedTensor[],
  }));
  const withOffset = tensors.filter(({ allocationType, offset }) => allocationType === 'arena-rw' && offset !== null);
  for (const tensor of withOffset) {
    if (tensor.firstNode === null) continue;
    changes[tensor.firstNode]?.begin.push(tensor);
    changes[Math.max(tensor.firstNode, tensor.lastNode ?? nodeCount - 1) + 1]?.end.push(tensor);
  }
  const used = new UsedBytes(withOffset);
  let peak: { peakBytes: number; peakNode: number | null } = { peakBytes: 0, peakNode: null };
  changes.slice(0, nodeCount).forEach(({ begin, end }, node) => {
    for (const tensor of end) used.change(tensor, -1);
    for (const tensor of begin) used.change(tensor, 1);
    if (used.bytes > peak.peakBytes) peak = { peakBytes: used.bytes, peakNode: node };
  });
  return peak;
}

/** The bytes that some tensor uses: a segment tree over the ends of all, so that a change takes logarithmic time. */
class UsedBytes {
  readonly #ends: readonly number[];
  readonly #positions: ReadonlyMap<number, number>;
  /** Of each part of the tree: tensors that cover all of it, and bytes that any tensor uses. */
  readonly #covers: Int32Array;
  readonly #used: Float64Array;

  constructor(tensors: readonly PlannedTensor[]) {
    const ends = new Set(tensors.flatMap(({ offset, sizeBytes }) => [Number(offset), Number(offset) + sizeBytes]));
    this.#ends = [...ends].sort((a, b) => a - b);
    this.#positions = new Map(this.#ends.map((end, position) => [end, position]));
    this.#covers = new Int32Array(4 * this.#ends.length);
    this.#used = new Float64Array(4 * this.#ends.length);
  }

  get bytes(): number {
    return this.#used[1] ?? 0;
  }

  change({ offset, sizeBytes }: PlannedTensor, by: number): void {
    const [from, to] = [Number(offset), Number(offset) + sizeBytes].map((end) => this.#positions.get(end) as number);
    this.#update(1, 0, this.#ends.length - 1, from as number, to as number, by);
  }

  #update(part: number, first: number, last: number, from: number, to: number, by: number): void {
    if (from >= last || to <= first) return;
    const [covers, used] = [this.#covers, this.#used];
    if (from <= first && last <= to) covers[part] = (covers[part] as number) + by;
    else {
      const middle = (first + last) >>> 1;
      this.#update(2 * part, first, middle, from, to, by);
      this.#update(2 * part + 1, middle, last, from, to, by);
    }
    const inner = last - first > 1 ? (used[2 * part] as number) + (used[2 * part + 1] as number) : 0;
    used[part] = covers[part] === 0 ? inner : (this.#ends[last] as number) - (this.#ends[first] as number);
  }
}
