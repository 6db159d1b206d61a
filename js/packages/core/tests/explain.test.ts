import { exportGraphsAsJson, exportGraphsAsScript, type WebnnGraph } from 'tflite-webnn/explain';
import { describe, expect, it } from 'vitest';
import { toBase64 } from '../src/explain/graph_files.js';
import { FakeContext, FakeGraphBuilder } from './fakes/fake_webnn.js';

const bytes = Uint8Array.from({ length: 64 }, (_, index) => index);
const heap = (address: number, byteLength: number) => bytes.subarray(address, address + byteLength);

const GRAPH: WebnnGraph = {
  inputs: [{ id: 0, name: 't12', tensor: 12, dataType: 'float32', shape: [1, 2, 2, 3] }],
  constants: [
    { id: 1, dataType: 'float32', shape: [1, 1, 1, 3], address: 4, byteLength: 12 },
    { id: 2, dataType: 'float32', shape: [1], address: 32, byteLength: 4 },
    { id: 3, dataType: 'float32', shape: [], address: 32, byteLength: 4 },
  ],
  operators: [
    {
      op: 'conv2d',
      label: '7:CONV_2D',
      args: [{ operand: 0 }, { operand: 1 }, { bias: { operand: 2 }, inputLayout: 'nhwc' }],
      outputs: [4],
    },
    { op: 'clamp', label: '7:CONV_2D', args: [{ operand: 4 }, { minValue: 0, maxValue: 'Infinity' }], outputs: [5] },
    { op: 'add', label: '8:ADD', args: [{ operand: 5 }, { operand: 3 }, {}], outputs: [6] },
    { op: 'add', label: '8:ADD', args: [{ operand: 6 }, { operand: 2 }, {}], outputs: [7] },
    { op: 'split', label: '9:SPLIT', args: [{ operand: 7 }, 2, { axis: 3 }], outputs: [8, 9] },
    { op: 'concat', label: '10:CONCATENATION', args: [[{ operand: 9 }, { operand: 8 }], -1, {}], outputs: [10] },
  ],
  outputs: [{ id: 10, name: 't45', tensor: 45, dataType: 'float32', shape: [1, 2, 2, 1] }],
};

describe('exportGraphsAsScript', () => {
  const script = exportGraphsAsScript({ graphs: [GRAPH], heap }, 'a\nmodel.tflite');

  it('writes calls with descriptive names', () => {
    expect(script.slice(0, script.indexOf('/** A constant whose'))).toBe(
      `// The WebNN graphs of a model.tflite, as tflite-webnn's delegate makes them.

/** Inputs and outputs of each graph, by name: the descriptors of the MLTensors that dispatch() accepts. */
export function describe() {
  return [
    {
      inputs: {
        t12: { dataType: 'float32', shape: [1, 2, 2, 3] },
      },
      outputs: {
        t45: { dataType: 'float32', shape: [1, 2, 2, 1] },
      },
    },
  ];
}

/** Builds the graphs. Where there are several, the model has nodes in between that WebNN does not compute. */
export async function build(context) {
  return [await buildGraph0(context)];
}

async function buildGraph0(context) {
  const builder = new MLGraphBuilder(context);
  const t12 = builder.input('t12', { dataType: 'float32', shape: [1, 2, 2, 3] });

  // 7:CONV_2D
  const filter_7 = constant(builder, 'float32', [1, 1, 1, 3], 0, 12);
  const bias_7 = constant(builder, 'float32', [1], 12, 4);
  const conv2d_7 = builder.conv2d(t12, filter_7, { bias: bias_7, inputLayout: 'nhwc', label: '7:CONV_2D' });
  const clamp_7 = builder.clamp(conv2d_7, { minValue: 0, maxValue: Infinity, label: '7:CONV_2D' });

  // 8:ADD
  const constant_8 = constant(builder, 'float32', [], 12, 4);
  const add_8 = builder.add(clamp_7, constant_8, { label: '8:ADD' });
  const add_8_2 = builder.add(add_8, bias_7, { label: '8:ADD' });

  // 9:SPLIT
  const [split_9, split_9_2] = builder.split(add_8_2, 2, { axis: 3, label: '9:SPLIT' });

  // 10:CONCATENATION
  const concat_10 = builder.concat([split_9_2, split_9], -1, { label: '10:CONCATENATION' });

  return builder.build({ t45: concat_10 });
}

`,
    );
  });

  it('lets no name of a model become code', async () => {
    const label = `7:a'"\\\n\u2028}); alert('b');`;
    const operators = [{ op: 'relu', label, args: [{ operand: 0 }, {}], outputs: [10] }];
    const text = exportGraphsAsScript({ graphs: [{ ...GRAPH, operators }], heap }, 'a model');
    const labels: string[] = [];
    class Builder {
      input() {}
      relu(_: unknown, options: { label: string }) {
        labels.push(options.label);
      }
      build() {}
    }
    const runnable = text.replaceAll('export ', '').replaceAll('new MLGraphBuilder', 'new Builder');
    await new Function('Builder', `${runnable}; return build;`)(Builder)(null);
    expect(labels).toEqual([label]);
    expect(text.split('\n').filter((line) => line.includes('alert'))).toHaveLength(2); // a comment and the label
  });

  it('is a module that runs, with the bytes of the constants', async () => {
    const constants: number[][] = [];
    class Builder {
      constructor(context: FakeContext) {
        const builder = new FakeGraphBuilder(context);
        const constant = builder.constant.bind(builder);
        Object.assign(builder, {
          constant: (descriptor: never, data: Uint8Array) => {
            constants.push(Array.from(data));
            return constant(descriptor, data);
          },
        });
        // biome-ignore lint/correctness/noConstructorReturn: stands where the browser's builder would
        return builder as never;
      }
    }
    const runnable = script.replaceAll('export ', '').replaceAll('new MLGraphBuilder', 'new Builder');
    const make = new Function('Builder', `${runnable}; return { build, describe };`);
    const context = new FakeContext();
    const graphs = await make(Builder).build(context);
    expect(graphs).toHaveLength(1);
    expect(context.takeCalls()).toContain("conv2d(%0, %1, {bias: %2, inputLayout: 'nhwc', label: '7:CONV_2D'})");
    expect(constants).toEqual([Array.from(heap(4, 12)), Array.from(heap(32, 4)), Array.from(heap(32, 4))]);
  });
});

describe('exportGraphsAsJson', () => {
  it('writes the graph with its constants inside', () => {
    const text = exportGraphsAsJson({ graphs: [GRAPH, GRAPH], heap });
    const constants = GRAPH.constants.map(({ address, byteLength, ...constant }) => ({
      ...constant,
      data: Buffer.from(heap(address, byteLength)).toString('base64'),
    }));
    expect(JSON.parse(text)).toEqual({ graphs: Array(2).fill({ ...GRAPH, constants }) });
    expect(text.split('\n').filter((line) => line.includes('"conv2d"'))).toHaveLength(2);
  });
});

describe('toBase64', () => {
  it.each([0, 1, 2, 3, 24575, 24576, 24577, 100_000])('writes %i bytes', (length) => {
    const data = Uint8Array.from({ length }, (_, index) => (index * 7) % 256);
    expect(toBase64(data)).toBe(Buffer.from(data).toString('base64'));
  });
});
