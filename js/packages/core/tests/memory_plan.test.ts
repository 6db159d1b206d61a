import { planMemory, renderMemoryPlan } from 'tflite-webnn/explain';
import { describe, expect, it } from 'vitest';
import { describeOnModule, WASM } from '../../../built_module.js';
import { type SubgraphState, subgraphMemory, type TensorState } from '../src/explain/arena.js';
import { SIN_MODEL, writeModel } from './fakes/tiny_model.js';

function tensor(index: number, sizeBytes: number, more: Partial<TensorState> = {}): TensorState {
  return {
    index,
    name: `t${index}`,
    dtype: 'int8',
    shape: [sizeBytes],
    shapeSignature: [sizeBytes],
    sizeBytes,
    quantization: null,
    isVariable: false,
    allocationType: 'arena-rw',
    isAllocated: true,
    ...more,
  };
}

/** x -> A -> B -> y: t0 is x, t3 is y; A has the scratch memory t4, and t5 is a variable. */
const ADDRESSES = [1000, 1064, 1064, 1128, 1192, 5000, 9000];
const STATE: SubgraphState = {
  index: 0,
  nodes: [
    { index: 0, op: 'A', inputs: [0, 6, -1], outputs: [1], temporaries: [4] },
    { index: 1, op: 'B', inputs: [1, 5], outputs: [2], temporaries: [] },
    { index: 2, op: 'C', inputs: [2], outputs: [3, 7], temporaries: [] },
  ],
  tensors: [
    tensor(0, 10),
    tensor(1, 20),
    tensor(2, 20), // B works in place
    tensor(3, 30),
    tensor(4, 40),
    tensor(5, 8, { isVariable: true, allocationType: 'arena-rw-persistent' }),
    tensor(6, 100, { allocationType: 'mmap-ro' }),
    tensor(7, 0, { allocationType: 'dynamic', isAllocated: false, shape: null }),
  ],
  inputs: [0],
  outputs: [3, 7],
  address: (index) => ADDRESSES[index] as number,
};

/** `count` nodes, each of which writes a tensor; of some, nobody reads it. */
function chain(
  count: number,
  rangeOf: (index: number) => readonly [address: number, sizeBytes: number],
): SubgraphState {
  const inputs = (index: number) => (index % 3 === 0 ? [] : [index]);
  const nodes = Array.from({ length: count }, (_, index) => {
    return { index, op: 'A', inputs: inputs(index), outputs: [index + 1], temporaries: [] };
  });
  const tensors = Array.from({ length: count + 1 }, (_, index) => tensor(index, rangeOf(index)[1]));
  return { index: 0, nodes, tensors, inputs: [0], outputs: [], address: (index) => rangeOf(index)[0] };
}

describe('subgraphMemory', () => {
  const memory = subgraphMemory(STATE);

  it('has the peak of tensors that share bytes', () => {
    for (let seed = 1; seed < 40; seed++) {
      const { nodes, tensors, peakBytes, peakNode } = subgraphMemory(
        chain(30, (index) => [(index * index * seed) % 97, 1 + ((index * seed) % 23)]),
      );
      const used = nodes.map((_, node) => {
        const alive = tensors.filter(
          ({ firstNode, lastNode }) => Number(firstNode) <= node && node <= (lastNode ?? nodes.length),
        );
        const bytes = alive.flatMap(({ offset, sizeBytes }) =>
          Array.from({ length: sizeBytes }, (_, byte) => Number(offset) + byte),
        );
        return new Set(bytes).size;
      });
      expect([peakBytes, peakNode]).toEqual([Math.max(...used), used.indexOf(Math.max(...used))]);
    }
  });

  it('looks at each tensor once: the nodes times the tensors of a file would take minutes', () => {
    const state = chain(131_000, (index) => [64 * index, 64]); // more than a call has arguments, too
    expect(subgraphMemory(state)).toMatchObject({ arenaBytes: 64 * 131_001, peakNode: 130_999 });
  });

  it('has offsets in each arena, and lifetimes', () => {
    const positions = memory.tensors.map(({ offset, firstNode, lastNode }) => [offset, firstNode, lastNode]);
    expect(positions).toEqual([
      [0, 0, null],
      [64, 0, 1],
      [64, 1, 2],
      [128, 2, null],
      [192, 0, 0],
      [0, 0, null],
      [null, null, null],
      [null, null, null],
    ]);
  });

  it('sums the bytes of each kind, and finds the node of the peak', () => {
    expect(memory).toMatchObject({ arenaBytes: 232, persistentBytes: 8, constantBytes: 100 });
    expect(memory).toMatchObject({ peakBytes: 10 + 20 + 40, peakNode: 0 });
    const empty = subgraphMemory({ ...STATE, nodes: [], tensors: [], inputs: [], outputs: [] });
    expect(empty).toMatchObject({ arenaBytes: 0, peakBytes: 0, peakNode: null });
  });

  it('counts memory that tensors share once', () => {
    const withoutScratch = STATE.nodes.map((node) => ({ ...node, temporaries: [] }));
    const shared = subgraphMemory({ ...STATE, nodes: withoutScratch });
    expect(shared).toMatchObject({ peakBytes: 10 + 20 + 30, peakNode: 2 });
  });
});

describe('renderMemoryPlan', () => {
  it('is a line a tensor', () => {
    const delegated = [{ delegates: 'XNNPACK', planEntries: 1, arenaBytes: 1234567 }];
    expect(renderMemoryPlan({ subgraphs: [subgraphMemory(STATE)], delegated })).toBe(
      `subgraph 0: 3 nodes, 8 tensors
  arena       232 bytes; at most 70 bytes in use at the same time, by node 0 (A)
  persistent  8 bytes
  constants   100 bytes, where the file has them
  later       1 tensor, whose memory is not known before the model runs

  arena
  offset  bytes  nodes     tensor
       0     10  0 to end  t0 int8[10] t0
      64     20  0 to 1    t1 int8[20] t1
     192     40  0 to 0    t4 int8[40] t4
      64     20  1 to 2    t2 int8[20] t2
     128     30  2 to end  t3 int8[30] t3

  persistent
  offset  bytes  nodes     tensor
       0      8  0 to end  t5 int8[8] t5

with XNNPACK: 1 entry in the plan, arena 1 234 567 bytes
`,
    );
  });
});

describeOnModule('planMemory on the real wasm module', () => {
  it('finds what TFLite has planned', async () => {
    const { subgraphs, delegated } = await planMemory(writeModel(SIN_MODEL), { ...WASM, limits: {} });
    expect(subgraphs.map(({ nodes }) => nodes.map(({ op }) => op))).toEqual([['SIN', 'ADD', 'MUL', 'SIN', 'ADD']]);
    expect(subgraphs[0]?.tensors.map(({ offset }) => offset)).toEqual([0, 64, 64, 128, 192, 128, null]);
    expect(delegated.map(({ delegates }) => delegates)).toEqual(['XNNPACK', 'WebNN and XNNPACK']);
  });
});
