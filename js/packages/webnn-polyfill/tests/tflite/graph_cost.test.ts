import { expect, it } from 'vitest';
import type { RecordedGraph } from 'webnn-polyfill';
import { graphCost } from '../../src/tflite/engine/graph_cost.js';

type Shapes = Readonly<Record<string, readonly number[]>>;

/** The multiplications of one operator: its cost without its elements, which cost 4 each. */
function multiplications(op: string, shapes: Shapes, output: readonly number[], attributes: object = {}): number {
  const all = [...Object.values(shapes), output];
  const graph: RecordedGraph = {
    operands: all.map((shape) => ({ dataType: 'float32', shape })),
    inputs: [],
    constants: [],
    operators: [
      {
        op,
        label: '',
        operands: Object.fromEntries(Object.keys(shapes).map((name, id) => [name, id])),
        attributes: { ...attributes },
        outputs: [all.length - 1],
      },
    ],
    outputs: [],
  };
  const elements = all.map((shape) => shape.reduce((product, size) => product * size, 1));
  return graphCost(graph) - 4 * elements.reduce((sum, count) => sum + count, 0);
}

it.each<[string, string, Shapes, readonly number[], object, number]>([
  ['touches elements', 'add', { a: [2, 3], b: [3] }, [2, 3], {}, 0],
  ['counts operands of a list', 'relu', { input: [7] }, [7], {}, 0],
  ['convolves', 'conv2d', { input: [1, 6, 6, 2], filter: [3, 3, 2, 5] }, [1, 4, 4, 5], { filterLayout: 'hwio' }, 1440],
  ['in groups', 'conv2d', { input: [1, 6, 6, 4], filter: [4, 3, 3, 1] }, [1, 4, 4, 4], { filterLayout: 'ohwi' }, 576],
  [
    'and back',
    'convTranspose2d',
    { input: [1, 4, 4, 2], filter: [2, 3, 3, 5] },
    [1, 6, 6, 5],
    { filterLayout: 'iohw' },
    1440,
  ],
  ['multiplies matrices', 'matmul', { a: [7, 2, 3], b: [7, 3, 4] }, [7, 2, 4], {}, 168],
  ['transposed ones', 'gemm', { a: [3, 2], b: [3, 4] }, [2, 4], { aTranspose: true }, 24],
  ['steps', 'lstm', { input: [5, 2, 3], weight: [1, 16, 3], recurrentWeight: [1, 16, 4] }, [1, 2, 4], {}, 1120],
  ['pools', 'maxPool2d', { input: [1, 1, 4, 4] }, [1, 1, 2, 2], { windowDimensions: [2, 2] }, 16],
])('%s: %s', (_, op, shapes, output, attributes, expected) => {
  expect(multiplications(op, shapes, output, attributes)).toBe(expected);
});
