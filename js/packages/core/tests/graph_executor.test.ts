import type { WebnnGraph } from 'tflite-webnn/explain';
import { describe, expect, it } from 'vitest';
import { messageOf } from '../src/errors.js';
import { WebnnBuildError } from '../src/webnn/excluded_nodes.js';
import { buildGraph } from '../src/webnn/graph_executor.js';
import type { MLGraphBuilder } from '../src/webnn_types.js';
import { FakeContext, FakeGraphBuilder, type FakeOptions } from './fakes/fake_webnn.js';

const heap = new Uint8Array(64);

/** Replays a graph and returns the calls as text. */
async function replay(graph: WebnnGraph, options: FakeOptions = {}): Promise<string> {
  const context = new FakeContext(options);
  const builder = new FakeGraphBuilder(context);
  await buildGraph(graph, builder, (address, byteLength) => heap.subarray(address, address + byteLength));
  return context.takeCalls();
}

const FLOAT4 = { dataType: 'float32', shape: [4] } as const;

/** A graph of one input, these operators, and the output `y` of id 9. */
function graphOf(operators: WebnnGraph['operators']): WebnnGraph {
  return {
    inputs: [{ id: 0, name: 'x', tensor: 0, ...FLOAT4 }],
    constants: [],
    operators,
    outputs: [{ id: 9, name: 'y', tensor: 9, ...FLOAT4 }],
  };
}

describe('buildGraph', () => {
  it('replays operands, constants, options and labels', async () => {
    const graph: WebnnGraph = {
      inputs: [{ id: 0, name: 't12', tensor: 12, dataType: 'float32', shape: [1, 8, 8, 3] }],
      constants: [
        { id: 1, dataType: 'float32', shape: [4], address: 16, byteLength: 16 },
        { id: 2, dataType: 'float32', shape: [], address: 32, byteLength: 4 },
      ],
      operators: [
        {
          op: 'conv2d',
          label: '7:CONV_2D',
          args: [{ operand: 0 }, { operand: 1 }, { bias: { operand: 2 }, strides: [2, 2], inputLayout: 'nhwc' }],
          outputs: [3],
        },
        {
          op: 'clamp',
          label: '7:CONV_2D',
          args: [{ operand: 3 }, { minValue: '-Infinity', maxValue: 'Infinity' }],
          outputs: [4],
        },
        { op: 'concat', label: '8:CONCATENATION', args: [[{ operand: 4 }, { operand: 3 }], -1, {}], outputs: [5] },
      ],
      outputs: [{ id: 5, name: 't45', tensor: 45, dataType: 'float32', shape: [1, 4, 4, 8] }],
    };
    expect(await replay(graph)).toBe(
      [
        'build graph0:',
        '  %0 = input t12 float32[1,8,8,3]',
        '  %1 = constant float32[4] 16 bytes',
        '  %2 = constant float32[] 4 bytes',
        "  %3 = conv2d(%0, %1, {bias: %2, strides: [2, 2], inputLayout: 'nhwc', label: '7:CONV_2D'})",
        "  %4 = clamp(%3, {minValue: -Infinity, maxValue: Infinity, label: '7:CONV_2D'})",
        "  %5 = concat([%4, %3], -1, {label: '8:CONCATENATION'})",
        '  outputs t45=%5',
      ].join('\n'),
    );
  });

  it('accepts several results of one operator', async () => {
    const text = await replay(
      graphOf([
        { op: 'split', label: '0:SPLIT', args: [{ operand: 0 }, 2, {}], outputs: [1, 2] },
        { op: 'add', label: '1:ADD', args: [{ operand: 2 }, { operand: 1 }, {}], outputs: [9] },
      ]),
    );
    expect(text).toContain("%3 = add(%2, %1, {label: '1:ADD'})");
  });

  it.each([
    ["[17:ADD] Failed to create a kernel 'add'", 17, ' at node 17:ADD'],
    ['Unsupported operator with label 7:ADD.', 7, ' at node 7:ADD'],
    ['Something went wrong.', null, ''],
  ])('finds the node in the rejection "%s"', async (message, node, where) => {
    const graph = graphOf([
      { op: 'add', label: '7:ADD', args: [{ operand: 0 }, { operand: 0 }, {}], outputs: [1] },
      { op: 'add', label: '17:ADD', args: [{ operand: 1 }, { operand: 0 }, {}], outputs: [9] },
    ]);
    const error = await replay(graph, { rejectBuild: () => message }).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(WebnnBuildError);
    expect((error as WebnnBuildError).node).toBe(node);
    const cause = (error as WebnnBuildError).cause;
    expect(cause).toBeInstanceOf(DOMException);
    expect((error as WebnnBuildError).message).toBe(`WebNN could not build the graph${where}: ${messageOf(cause)}`);
    expect(messageOf(cause)).toContain(message);
  });

  it('names the operator that throws, and a method that is not there', async () => {
    const bare = {
      input: () => ({}),
      constant: () => ({}),
      build: () => Promise.reject(new Error('not reached')),
      add: () => {
        throw new TypeError('shapes do not broadcast');
      },
    } as unknown as MLGraphBuilder;
    const read = () => new Uint8Array();
    const add = graphOf([{ op: 'add', label: '3:ADD', args: [{ operand: 0 }, {}], outputs: [9] }]);
    await expect(buildGraph(add, bare, read)).rejects.toMatchObject({
      node: 3,
      message: 'WebNN rejected add of node 3:ADD: TypeError: shapes do not broadcast',
      cause: expect.any(TypeError),
      details: { op: 'add', label: '3:ADD' },
    });
    const sin = graphOf([{ op: 'sin', label: '4:SIN', args: [{ operand: 0 }, {}], outputs: [9] }]);
    await expect(buildGraph(sin, bare, read)).rejects.toMatchObject({
      node: 4,
      message: expect.stringContaining('no method sin'),
    });
  });

  it.each(['input', 'constant'] as const)('reports a rejected %s, which has no node', async (kind) => {
    const cause = new TypeError('too large');
    const reject = () => {
      throw cause;
    };
    const bare = { input: () => ({}), constant: () => ({}), [kind]: reject } as unknown as MLGraphBuilder;
    const graph = { ...graphOf([]), constants: [{ id: 1, ...FLOAT4, address: 0, byteLength: 16 }] };
    await expect(buildGraph(graph, bare, () => new Uint8Array(16))).rejects.toMatchObject({
      name: 'WebnnBuildError',
      node: null,
      message: 'WebNN rejected an input or constant: TypeError: too large',
      cause,
    });
  });

  it('passes null to operators as it is', async () => {
    const text = await replay(
      graphOf([{ op: 'sin', label: '0:SIN', args: [{ operand: 0 }, { axes: null }], outputs: [9] }]),
    );
    expect(text).toContain('{axes: null,');
  });

  it.each([
    ['no operand 5', [{ op: 'sin', label: '0:SIN', args: [{ operand: 5 }, {}], outputs: [9] }]],
    ['no result 1 of sin', [{ op: 'sin', label: '0:SIN', args: [{ operand: 0 }, {}], outputs: [9, 8] }]],
    ['no graph output y', []],
  ])('rejects a description with %s', async (missing, operators) => {
    await expect(replay(graphOf(operators))).rejects.toThrow(`the graph description is inconsistent: ${missing}`);
  });
});
