import type { WebnnGraph } from 'tflite-webnn/explain';
import { describe, expect, it } from 'vitest';
import { buildOrFindNode } from '../src/webnn/graph_executor.js';
import { labelOfLargeConstant, splitLargeConstants } from '../src/webnn/graph_nodes.js';
import { FakeContext, FakeGraphBuilder } from './fakes/fake_webnn.js';

const LABEL = '3:FULLY_CONNECTED';
const WEIGHTS = { id: 1, dataType: 'float32', shape: [5, 2], address: 100, byteLength: 40 } as const;
const BIAS = { id: 2, dataType: 'float32', shape: [5], address: 200, byteLength: 20 } as const;

/** x[1, 2] by weights[5, 2] to y[1, 5]. */
function gemmOf(options: object, constants: WebnnGraph['constants'] = [WEIGHTS, BIAS]): WebnnGraph {
  return {
    inputs: [{ id: 0, name: 'x', tensor: 0, dataType: 'float32', shape: [1, 2] }],
    constants,
    operators: [
      { op: 'gemm', label: LABEL, args: [{ operand: 0 }, { operand: 1 }, options], outputs: [3] },
      { op: 'relu', label: LABEL, args: [{ operand: 3 }, {}], outputs: [4] },
    ],
    outputs: [{ id: 4, name: 'y', tensor: 4, dataType: 'float32', shape: [1, 5] }],
  };
}

describe('splitLargeConstants', () => {
  it('splits the weights and the bias of a gemm by rows', () => {
    const graph = { ...gemmOf({ bTranspose: true, c: { operand: 2 } }), maxConstantBytes: 20 };
    const { constants, operators } = splitLargeConstants(graph);
    expect(constants).toEqual([
      { ...BIAS, id: 5, shape: [2], address: 200, byteLength: 8 },
      { ...WEIGHTS, id: 6, shape: [2, 2], address: 100, byteLength: 16 },
      { ...BIAS, id: 8, shape: [2], address: 208, byteLength: 8 },
      { ...WEIGHTS, id: 9, shape: [2, 2], address: 116, byteLength: 16 },
      { ...BIAS, id: 11, shape: [1], address: 216, byteLength: 4 },
      { ...WEIGHTS, id: 12, shape: [1, 2], address: 132, byteLength: 8 },
    ]);
    const gemm = (c: number, b: number, output: number) => ({
      op: 'gemm',
      label: LABEL,
      args: [{ operand: 0 }, { operand: b }, { bTranspose: true, c: { operand: c } }],
      outputs: [output],
    });
    const results = [{ operand: 7 }, { operand: 10 }, { operand: 13 }];
    expect(operators).toEqual([
      gemm(5, 6, 7),
      gemm(8, 9, 10),
      gemm(11, 12, 13),
      { op: 'concat', label: LABEL, args: [results, 1, {}], outputs: [3] },
      { op: 'relu', label: LABEL, args: [{ operand: 3 }, {}], outputs: [4] },
    ]);
  });

  it.each([
    ['constants that are small enough', gemmOf({ bTranspose: true }), 40],
    ['weights that lie the other way', gemmOf({}), 20],
    ['rows that are too large themselves', gemmOf({ bTranspose: true }), 7],
    ['a bias that is computed', gemmOf({ bTranspose: true, c: { operand: 0 } }), 20],
    ['a bias of another shape', gemmOf({ bTranspose: true, c: { operand: 2 } }, [WEIGHTS, { ...BIAS, shape: [] }]), 20],
    ['a graph of a browser without the limit', gemmOf({ bTranspose: true }), undefined],
  ])('leaves %s alone', (_, graph, maxBytes) => {
    const limited = maxBytes === undefined ? graph : { ...graph, maxConstantBytes: maxBytes };
    expect(splitLargeConstants(limited).operators).toEqual(graph.operators);
  });
});

const MAX_BYTES = 2 ** 27;

describe('a constant that cannot be split', () => {
  const table = { id: 1, dataType: 'float32', shape: [2 ** 26], address: 0, byteLength: 2 ** 28 } as const;
  const graph: WebnnGraph = {
    ...gemmOf({}, [table]),
    maxConstantBytes: MAX_BYTES,
    operators: [
      { op: 'sin', label: '1:SIN', args: [{ operand: 0 }, {}], outputs: [3] },
      { op: 'add', label: '2:ADD', args: [{ operand: 1 }, { operand: 3 }, {}], outputs: [4] },
    ],
  };

  it('is known by its node', () => {
    expect(labelOfLargeConstant(graph, MAX_BYTES)).toBe('2:ADD');
    expect(labelOfLargeConstant(gemmOf({}), MAX_BYTES)).toBeNull();
  });

  it('costs its node where the browser speaks of sizes, without a search', async () => {
    const context = new FakeContext({ rejectBuild: () => 'Buffer size is over inline limit.' });
    let attempts = 0;
    const makeBuilder = () => {
      attempts++;
      return new FakeGraphBuilder(context);
    };
    const building = buildOrFindNode(graph, makeBuilder, () => new Uint8Array(4));
    await expect(building).rejects.toMatchObject({
      node: 2,
      message: expect.stringMatching(/over inline limit.*more than 128 MiB is at node 2:ADD/),
    });
    expect(attempts).toBe(1);
  });
});
