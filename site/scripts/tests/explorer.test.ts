import { strToU8, zipSync } from 'fflate';
import type { ModelReport } from 'tflite-webnn';
import type { PlannedTensor, SubgraphMemory } from 'tflite-webnn/explain';
import { openTaskBundle } from 'tflite-webnn/metadata';
import { describe, expect, it, vi } from 'vitest';
import { findBlocks } from '../explorer/blocks.js';
import { isBundle, modelsOf } from '../explorer/bundle.js';
import { BOX_HEIGHT, BOX_WIDTH } from '../explorer/diagram.js';
import { type ExploredModel, nodesOf, placementText, sizesByOp, subgraphOf } from '../explorer/explored_model.js';
import { processingText } from '../explorer/file_view.js';
import { type GraphView, graphOf, MAX_BOXES, MAX_NODES } from '../explorer/graph.js';
import { layOut } from '../explorer/layout.js';
import { outcomeText } from '../explorer/tables.js';

function tensor(index: number, more: Partial<PlannedTensor> = {}): PlannedTensor {
  const allocation = { allocationType: 'arena-rw', offset: 0, firstNode: 0, lastNode: null } as const;
  return { index, name: `t${index}`, dtype: 'float32', shape: [1, 2], sizeBytes: 8, ...allocation, ...more };
}

/** x -> CONV(w) -> SIN -> ADD(+ x) -> y, with w as t1. */
const MAIN: SubgraphMemory = {
  index: 0,
  nodes: [
    { index: 0, op: 'CONV', inputs: [0, 1, -1], outputs: [2], temporaries: [] },
    { index: 1, op: 'SIN', inputs: [2], outputs: [3], temporaries: [] },
    { index: 2, op: 'ADD', inputs: [3, 0], outputs: [4], temporaries: [] },
  ],
  tensors: [tensor(0), tensor(1, { allocationType: 'mmap-ro', sizeBytes: 100 }), tensor(2), tensor(3), tensor(4)],
  arenaBytes: 32,
  persistentBytes: 0,
  peakBytes: 24,
  peakNode: 1,
  constantBytes: 100,
};

const INFO = { version: 1, name: '', notFused: null, reason: null, quantized: null, webnnOps: [] };
const MODEL: ExploredModel = {
  name: 'model',
  sizeBytes: 1,
  report: {
    nodes: [
      {
        ...INFO,
        index: 0,
        op: 'CONV',
        placement: 'webnn',
        partition: 0,
        quantized: 'float',
        notFused: 'why',
        webnnOps: ['conv2d'],
      },
      { ...INFO, index: 1, op: 'SIN', placement: 'cpu', partition: 1, reason: 'no sine' },
      { ...INFO, index: 2, op: 'ADD', placement: 'webnn', partition: 2, webnnOps: ['add'] },
    ],
  } as unknown as ModelReport,
  memory: { subgraphs: [MAIN, { ...MAIN, index: 1 }], delegated: [] },
  file: { metadata: null },
};

const NODES: GraphView = { collapsed: false, blocks: null, open: new Set(), first: 0 };

/** An unrolled GRU: 143 steps of 14 nodes read a part of the input and the state. */
function unrolled(): { model: ExploredModel; ops: string[] } {
  const step = ['SLICE', 'FULLY_CONNECTED', 'FULLY_CONNECTED', 'ADD', 'LOGISTIC', 'SPLIT', 'MUL', 'ADD', 'TANH'];
  const ops = Array.from({ length: 143 }, () => [...step, 'SUB', 'MUL', 'MUL', 'ADD', 'RESHAPE']).flat();
  const nodes = ops.map((op, index) => {
    const position = index % 14;
    const inputs = position === 0 ? [0] : position === 2 ? [index, Math.max(0, index - 2)] : [index];
    return { index, op, inputs, outputs: [index + 1], temporaries: [] };
  });
  const tensors = Array.from({ length: ops.length + 1 }, (_, index) => tensor(index));
  const memory = { ...MODEL.memory, subgraphs: [MAIN, { ...MAIN, index: 1, nodes, tensors }] };
  return { model: { ...MODEL, memory }, ops };
}

describe('findBlocks', () => {
  it('finds the steps of an unrolled loop', () => {
    const blocks = findBlocks(['PAD', ...unrolled().ops, 'SOFTMAX']);
    expect(new Set(blocks).size).toBe(144); // 143 blocks, and null
    expect([blocks[0], blocks[1], blocks[14], blocks[15], blocks.at(-1)]).toEqual([null, 0, 0, 1, null]);
  });

  it('finds blocks of several kinds, in order', () => {
    const [one, other] = ['ABCDEF', 'GHIJKLM'].map((ops) => [...ops.repeat(3)]) as [string[], string[]];
    const blocks = findBlocks([...one, 'X', ...other]);
    expect([blocks[0], blocks[6], blocks[17], blocks[18], blocks[19], blocks.at(-1)]).toEqual([0, 1, 2, null, 3, 5]);
  });

  it('accepts no pair of ops for a block', () => {
    expect(findBlocks(['CONV', 'RELU', 'CONV', 'RELU', 'CONV', 'RELU']).every((block) => block === null)).toBe(true);
  });

  it('accepts a moment for thousands of nodes', () => {
    const ops = Array.from({ length: 4000 }, (_, index) => `OP_${(index * index) % 97}`);
    findBlocks(ops);
  });

  it('compares a limited number of ops: the time grows with the cube of the nodes', () => {
    let count = 0;
    const ops = Array.from({ length: 1200 }, (_, index) => `OP_${Math.floor(index / 12)}_${index % 6}`);
    const counted = new Proxy(ops, {
      get(target, key) {
        if (typeof key === 'string' && /^\d+$/.test(key)) count++;
        return Reflect.get(target, key);
      },
    });
    const blocks = findBlocks(counted, 3_000_000);
    expect([blocks[0], blocks.at(-1)]).toEqual([0, null]);
    expect(count).toBeLessThan(6_000_000);
  });
});

describe('nodesOf', () => {
  it('joins the report with the graph', () => {
    const nodes = nodesOf(MODEL, 0);
    expect(nodes.map(placementText)).toEqual(['WebNN, float', 'CPU', 'WebNN']);
    expect(nodes.map(outcomeText)).toEqual(['conv2d; not fused: why', 'no sine', 'add']);
    expect(nodes[0]).toMatchObject({ inputs: [0, 1], weightBytes: 100 });
  });

  it('has no placement in other subgraphs, and rejects missing subgraphs', () => {
    expect(nodesOf(MODEL, 1).map(({ placement }) => placement)).toEqual([null, null, null]);
    expect(() => subgraphOf(MODEL.memory, 2)).toThrow('no subgraph 2');
  });
});

describe('sizesByOp', () => {
  it('counts a constant once, and sorts by size', () => {
    const nodes = [...MAIN.nodes, { index: 3, op: 'CONV', inputs: [4, 1], outputs: [], temporaries: [] }];
    expect(sizesByOp({ ...MAIN, nodes })).toEqual([
      { op: 'CONV', nodes: 2, weightBytes: 100 },
      { op: 'ADD', nodes: 1, weightBytes: 0 },
      { op: 'SIN', nodes: 1, weightBytes: 0 },
    ]);
  });
});

describe('graphOf', () => {
  const lines = (graph: ReturnType<typeof graphOf>) => graph.lines.map(({ from, to }) => `${from} ${to}`);

  it('draws nodes, inputs and outputs', () => {
    const graph = graphOf(MAIN, nodesOf(MODEL, 0), NODES);
    expect(graph.leftOut).toBe(0);
    expect(graph.boxes.map(({ id, kind }) => `${id} ${kind}`)).toEqual([
      'n0 webnn',
      'n1 cpu',
      'n2 webnn',
      'in0 tensor',
      'out4 tensor',
    ]);
    expect(lines(graph)).toEqual(['in0 n0', 'n0 n1', 'n1 n2', 'in0 n2', 'n2 out4']);
    expect(graph.boxes[0]).toMatchObject({ title: '0 CONV', detail: '1×2 · float' });
  });

  it('draws partitions', () => {
    const graph = graphOf(MAIN, nodesOf(MODEL, 0), { ...NODES, collapsed: true });
    expect(graph.boxes.map(({ title }) => title)).toContain('Partition 1: CPU');
    expect(lines(graph)).toEqual(['in0 p0', 'p0 p1', 'p1 p2', 'in0 p2', 'p2 out4']);
  });

  it('draws blocks, and the nodes of open ones', () => {
    const { model, ops } = unrolled();
    const [memory, nodes, blocks] = [subgraphOf(model.memory, 1), nodesOf(model, 1), findBlocks(ops)];
    const closed = graphOf(memory, nodes, { ...NODES, blocks });
    expect(closed.boxes).toHaveLength(143 + 2);
    expect(closed.boxes[1]).toMatchObject({ id: 'b1', title: 'Block 1, from 14 SLICE', detail: '14 nodes', block: 1 });
    expect(closed.lines.filter(({ to }) => to === 'b1').map(({ from }) => from)).toEqual(['in0', 'b0']);
    const open = graphOf(memory, nodes, { ...NODES, blocks, open: new Set([1]) });
    expect(open.boxes).toHaveLength(142 + 14 + 2);
    expect(open.boxes.filter(({ block }) => block === 1)).toEqual([]);
  });

  it('draws a long graph in pieces', () => {
    const count = MAX_NODES + 2;
    const nodes = Array.from({ length: count }, (_, index) => ({
      index,
      op: 'SIN',
      inputs: [index],
      outputs: [index + 1],
      temporaries: [],
    }));
    const tensors = Array.from({ length: count + 1 }, (_, index) => tensor(index));
    const model = { ...MODEL, memory: { ...MODEL.memory, subgraphs: [MAIN, { ...MAIN, index: 1, nodes, tensors }] } };
    const piece = graphOf(subgraphOf(model.memory, 1), nodesOf(model, 1), { ...NODES, first: MAX_NODES });
    expect(piece.boxes.map(({ id }) => id)).toEqual([`n${MAX_NODES}`, `n${MAX_NODES + 1}`, `out${count}`]);
  });

  it('draws a limited number of boxes', () => {
    const count = 2 * MAX_BOXES;
    const inputs = Array.from({ length: count }, (_, index) => index);
    const pack = { index: 0, op: 'PACK', inputs, outputs: [count], temporaries: [] };
    const nodes = Array.from({ length: count }, (_, index) => ({
      ...pack,
      index,
      inputs: [index],
      outputs: [index + 1],
    }));
    const tensors = Array.from({ length: count + 1 }, (_, index) => tensor(index));
    const drawn = (own: readonly (typeof pack)[], view: GraphView) => {
      const memory = { ...MODEL.memory, subgraphs: [MAIN, { ...MAIN, index: 1, nodes: own, tensors }] };
      const graph = graphOf(subgraphOf(memory, 1), nodesOf({ ...MODEL, memory }, 1), view);
      expect(graph.leftOut).toBeGreaterThanOrEqual(MAX_BOXES);
      const ids = new Set(graph.boxes.map(({ id }) => id));
      expect(graph.lines.every(({ from, to }) => ids.has(from) && ids.has(to))).toBe(true);
      return layOut(graph).boxes.length;
    };
    expect(drawn([pack], NODES)).toBeLessThanOrEqual(MAX_BOXES + 1);
    expect(drawn(nodes, { ...NODES, blocks: nodes.map((_, index) => index) })).toBeLessThanOrEqual(MAX_BOXES);
  });
});

describe('layOut', () => {
  it('positions each box below its inputs', () => {
    const diagram = layOut(graphOf(MAIN, nodesOf(MODEL, 0), NODES));
    const y = new Map(diagram.boxes.map((box) => [box.id, box.y]));
    for (const { from, to, points } of diagram.lines) {
      expect(Number(y.get(to))).toBeGreaterThanOrEqual(Number(y.get(from)) + BOX_HEIGHT);
      expect(points.length).toBeGreaterThanOrEqual(2);
    }
    expect(diagram.height).toBeGreaterThan(5 * BOX_HEIGHT);
  });
});

describe('layOut of long lines', () => {
  it('creates no box for each row that a line crosses', () => {
    const node = { title: '', detail: '', kind: 'cpu', node: null, partition: null, block: null } as const;
    const boxes = Array.from({ length: 100 }, (_, index) => ({ ...node, id: `n${index}` }));
    const all = boxes.flatMap(({ id }, index) => boxes.slice(index + 1).map((to) => ({ from: id, to: to.id })));
    const diagram = layOut({ boxes, lines: all, leftOut: 0 }); // dagre takes minutes
    expect(diagram.lines.every(({ points }) => points.length === 2)).toBe(true);
    const chain = all.filter(({ from, to }) => Number(to.slice(1)) === Number(from.slice(1)) + 1);
    expect(layOut({ boxes, lines: chain, leftOut: 0 }).lines[0]?.points.length).toBeGreaterThan(2);
  });
});

describe('layOut of 2,000 nodes', () => {
  it('has no boxes that overlap, and lines that lead down', () => {
    const { model } = unrolled();
    const graph = graphOf(subgraphOf(model.memory, 1), nodesOf(model, 1), NODES);
    expect(graph.boxes.length).toBeGreaterThan(2000);
    const diagram = layOut(graph);
    const rows = new Map<number, (typeof diagram.boxes)[number][]>();
    for (const box of diagram.boxes) rows.set(box.y, [...(rows.get(box.y) ?? []), box]);
    for (const row of rows.values()) {
      const positions = row.map(({ x }) => x).sort((one, other) => one - other);
      for (const [index, x] of positions.entries()) {
        if (index > 0) expect(x - Number(positions[index - 1])).toBeGreaterThanOrEqual(BOX_WIDTH);
      }
      expect(Math.min(...positions)).toBeGreaterThanOrEqual(BOX_WIDTH / 2);
      expect(Math.max(...positions)).toBeLessThanOrEqual(diagram.width - BOX_WIDTH / 2);
    }
    for (const { points } of diagram.lines) expect(points[1]?.y).toBeGreaterThan(Number(points[0]?.y));
  });
});

describe('the metadata of the file', () => {
  it('shows how values are computed and used', () => {
    const nothing = { normalization: null, scoreThreshold: null, tokenizer: null };
    expect(processingText(nothing)).toBe('');
    const normalization = { mean: [1, 2, 3], std: [4, 5, 6] };
    expect(processingText({ ...nothing, normalization, scoreThreshold: 0.5 })).toBe(
      '(value - 1, 2, 3) / 4, 5, 6; scores from 0.5 on',
    );
  });

  it('lists models of bundles in bundles by their paths', async () => {
    const model = strToU8('a model');
    const inner = zipSync({ 'b.tflite': model });
    const bytes = zipSync({ 'a.tflite': model, 'inner.task': inner, 'other.txt': model });
    const models = await modelsOf(await openTaskBundle(bytes), bytes.length);
    expect([...models.keys()]).toEqual(['a.tflite', 'inner.task/b.tflite']);
    expect(models.get('inner.task/b.tflite')).toEqual(model);
    expect([isBundle(inner), isBundle(model)]).toEqual([true, false]);
  });

  it('rejects bundles that are deep in each other, or unpack to too much', async () => {
    let deep = zipSync({ 'a.tflite': strToU8('a model') });
    for (let depth = 0; depth < 8; depth++) deep = zipSync({ 'inner.task': deep });
    await expect(modelsOf(await openTaskBundle(deep), deep.length)).rejects.toThrow('more than 8 deep');
    const zeros = new Uint8Array(2 ** 20);
    const files = Array.from({ length: 8 }, (_, index) => [`${index}.tflite`, zeros] as const);
    const bomb = zipSync(Object.fromEntries(files));
    const bombs = Array.from({ length: 9 }, (_, index) => [`${index}.task`, bomb] as const);
    const bytes = zipSync(Object.fromEntries(bombs));
    const bundle = await openTaskBundle(bytes);
    const read = vi.spyOn(Object.getPrototypeOf(bundle.files[0]), 'bytes');
    const limit = 2 ** 24 + 30 * bytes.length;
    await expect(modelsOf(bundle, bytes.length)).rejects.toThrow(`unpacks to more than ${limit} bytes`);
    expect(read.mock.calls.length).toBeLessThan(3 * 9);
    read.mockRestore();
  });
});
