/** Calls of contexts, tensors, graphs and builders, with their outcomes. */

import type { ML, MLContext, MLGraph, MLGraphBuilder, MLTensor } from 'webnn-polyfill';

/** The WebNN to test: the browser's, or the polyfill's. */
export interface WebNN {
  readonly ml: ML;
  readonly context: MLContext;
  readonly MLGraphBuilder: new (context: MLContext) => MLGraphBuilder;
}

type Call = (webnn: WebNN, things: Things) => unknown;

const DESCRIPTOR = { dataType: 'float32', shape: [2] } as const;

/** Creates the objects of the calls. */
class Things {
  constructor(private readonly webnn: WebNN) {}

  tensor(options: object = {}): Promise<MLTensor> {
    return this.webnn.context.createTensor({ ...DESCRIPTOR, readable: true, writable: true, ...options });
  }

  builder(): MLGraphBuilder {
    return new this.webnn.MLGraphBuilder(this.webnn.context);
  }

  /** `b = relu(a)` */
  graph(): Promise<MLGraph> {
    const builder = this.builder();
    return builder.build({ b: builder.relu(builder.input('a', DESCRIPTOR)) });
  }
}

const wrong = (value: unknown) => value as never;

/** Calls by title. */
export const CALLS: Readonly<Record<string, Call>> = {
  'createContext: no arguments': ({ ml }) => ml.createContext(),
  'createContext: null': ({ ml }) => ml.createContext(wrong(null)),
  'createContext: a number': ({ ml }) => ml.createContext(wrong(1)),
  'createContext: an unknown preference': ({ ml }) => ml.createContext({ powerPreference: wrong('much') }),
  'createTensor: a scalar': (_, things) => things.tensor({ shape: [] }),
  'createTensor: nothing': ({ context }) => context.createTensor(wrong(undefined)),
  'createTensor: no type': ({ context }) => context.createTensor(wrong({ shape: [1] })),
  'createTensor: no shape': ({ context }) => context.createTensor(wrong({ dataType: 'float32' })),
  'createTensor: an unknown type': (_, things) => things.tensor({ dataType: 'float64' }),
  'createTensor: a size of zero': (_, things) => things.tensor({ shape: [2, 0] }),
  'createTensor: a negative size': (_, things) => things.tensor({ shape: [-1] }),
  'createTensor: a size that is no number': (_, things) => things.tensor({ shape: ['x'] }),
  'createTensor: a string of a size': (_, things) => things.tensor({ shape: ['2'] }),
  'createTensor: a shape that is no sequence': (_, things) => things.tensor({ shape: 2 }),
  'createTensor: too many bytes': (_, things) => things.tensor({ shape: [2 ** 31 - 1, 2 ** 20] }),
  'createConstantTensor: values': ({ context }) => context.createConstantTensor(DESCRIPTOR, new Float32Array(2)),
  'createConstantTensor: no values': ({ context }) => context.createConstantTensor(DESCRIPTOR, wrong(undefined)),
  'createConstantTensor: too few': ({ context }) => context.createConstantTensor(DESCRIPTOR, new Float32Array(1)),
  'createConstantTensor: other ones': ({ context }) => context.createConstantTensor(DESCRIPTOR, new Int32Array(2)),
  'writeTensor: values': async ({ context }, things) => context.writeTensor(await things.tensor(), new Float32Array(2)),
  'writeTensor: a buffer': async ({ context }, things) =>
    context.writeTensor(await things.tensor(), new ArrayBuffer(8)),
  'writeTensor: bytes': async ({ context }, things) => context.writeTensor(await things.tensor(), new Uint8Array(8)),
  'writeTensor: too many': async ({ context }, things) =>
    context.writeTensor(await things.tensor(), new ArrayBuffer(9)),
  'writeTensor: other values': async ({ context }, things) => {
    context.writeTensor(await things.tensor(), new Int32Array(2));
  },
  'writeTensor: an array': async ({ context }, things) => context.writeTensor(await things.tensor(), wrong([1, 2])),
  'writeTensor: no tensor': ({ context }) => context.writeTensor(wrong({}), new ArrayBuffer(8)),
  'writeTensor: not writable': async ({ context }, things) => {
    context.writeTensor(await things.tensor({ writable: false }), new ArrayBuffer(8));
  },
  'writeTensor: destroyed': async ({ context }, things) => {
    const tensor = await things.tensor();
    tensor.destroy();
    context.writeTensor(tensor, new ArrayBuffer(8));
  },
  'writeTensor: another context': async ({ ml }, things) => {
    (await ml.createContext()).writeTensor(await things.tensor(), new ArrayBuffer(8));
  },
  'readTensor: to a new buffer': async ({ context }, things) => context.readTensor(await things.tensor()),
  'readTensor: into a view': async ({ context }, things) => {
    await context.readTensor(await things.tensor(), new Float32Array(2));
  },
  'readTensor: into a small buffer': async ({ context }, things) => {
    await context.readTensor(await things.tensor(), new ArrayBuffer(4));
  },
  'readTensor: into null': async ({ context }, things) => context.readTensor(await things.tensor(), wrong(null)),
  'readTensor: not readable': async ({ context }, things) =>
    context.readTensor(await things.tensor({ readable: false })),
  'readTensor: destroyed': async ({ context }, things) => {
    const tensor = await things.tensor();
    tensor.destroy();
    await context.readTensor(tensor);
  },
  'readTensor: destroyed while it reads': async ({ context }, things) => {
    const tensor = await things.tensor();
    const reading = context.readTensor(tensor);
    tensor.destroy();
    await reading;
  },
  'readTensor: another context': async ({ ml }, things) => {
    await (await ml.createContext()).readTensor(await things.tensor());
  },
  'dispatch: what fits': async ({ context }, things) => {
    context.dispatch(await things.graph(), { a: await things.tensor() }, { b: await things.tensor() });
  },
  'dispatch: no input': async ({ context }, things) => {
    context.dispatch(await things.graph(), {}, { b: await things.tensor() });
  },
  'dispatch: no output': async ({ context }, things) => {
    context.dispatch(await things.graph(), { a: await things.tensor() }, {});
  },
  'dispatch: another name': async ({ context }, things) => {
    context.dispatch(await things.graph(), { c: await things.tensor() }, { b: await things.tensor() });
  },
  'dispatch: another shape': async ({ context }, things) => {
    context.dispatch(await things.graph(), { a: await things.tensor({ shape: [3] }) }, { b: await things.tensor() });
  },
  'dispatch: one tensor for both': async ({ context }, things) => {
    const tensor = await things.tensor();
    context.dispatch(await things.graph(), { a: tensor }, { b: tensor });
  },
  'dispatch: a destroyed graph': async ({ context }, things) => {
    const graph = await things.graph();
    graph.destroy();
    context.dispatch(graph, { a: await things.tensor() }, { b: await things.tensor() });
  },
  'dispatch: a destroyed tensor': async ({ context }, things) => {
    const tensor = await things.tensor();
    tensor.destroy();
    context.dispatch(await things.graph(), { a: tensor }, { b: await things.tensor() });
  },
  'dispatch: another context': async ({ ml }, things) => {
    const graph = await things.graph();
    (await ml.createContext()).dispatch(graph, { a: await things.tensor() }, { b: await things.tensor() });
  },
  'MLGraphBuilder: no context': ({ MLGraphBuilder }) => new MLGraphBuilder(wrong(undefined)),
  'MLGraphBuilder: an object': ({ MLGraphBuilder }) => new MLGraphBuilder(wrong({})),
  'MLGraphBuilder: a destroyed context': async ({ ml, MLGraphBuilder }) => {
    const context = await ml.createContext();
    context.destroy();
    return new MLGraphBuilder(context);
  },
  'input: an empty name': (_, things) => things.builder().input('', DESCRIPTOR),
  'input: a name twice': (_, things) => {
    const builder = things.builder();
    builder.input('a', DESCRIPTOR);
    builder.input('a', DESCRIPTOR);
  },
  'input: no descriptor': (_, things) => things.builder().input('a', wrong(undefined)),
  'input: a size of zero': (_, things) => things.builder().input('a', { dataType: 'float32', shape: [0] }),
  'constant: a number': (_, things) => things.builder().constant('float32', 1),
  'constant: a bigint': (_, things) => things.builder().constant('int64', 1n),
  'constant: a number of an unknown type': (_, things) => things.builder().constant(wrong('float'), 1),
  'constant: no value': (_, things) => things.builder().constant(wrong('float32')),
  'constant: values': (_, things) => things.builder().constant(DESCRIPTOR, new Float32Array(2)),
  'constant: too few values': (_, things) => things.builder().constant(DESCRIPTOR, new Float32Array(1)),
  'constant: other values': (_, things) => things.builder().constant(DESCRIPTOR, new Int32Array(2)),
  'constant: a constant tensor': async ({ context }, things) => {
    return things.builder().constant(await context.createConstantTensor(DESCRIPTOR, new Float32Array(2)));
  },
  'constant: a tensor that is no constant': async (_, things) => things.builder().constant(await things.tensor()),
  'build: nothing': (_, things) => things.builder().build({}),
  'build: no record': (_, things) => things.builder().build(wrong(1)),
  'build: an empty name': (_, things) => {
    const builder = things.builder();
    return builder.build({ '': builder.relu(builder.input('a', DESCRIPTOR)) });
  },
  'build: an input': (_, things) => {
    const builder = things.builder();
    return builder.build({ a: builder.input('a', DESCRIPTOR) });
  },
  'build: a constant': (_, things) => {
    const builder = things.builder();
    return builder.build({ a: builder.constant('float32', 1) });
  },
  'build: another builder': (_, things) => {
    const builder = things.builder();
    return things.builder().build({ b: builder.relu(builder.input('a', DESCRIPTOR)) });
  },
  'build: twice': async (_, things) => {
    const builder = things.builder();
    const b = builder.relu(builder.input('a', DESCRIPTOR));
    await builder.build({ b });
    await builder.build({ b });
  },
  'build: an operator afterwards': async (_, things) => {
    const builder = things.builder();
    const b = builder.relu(builder.input('a', DESCRIPTOR));
    await builder.build({ b });
    builder.relu(b);
  },
  'build: another builder’s operand': (_, things) => {
    things.builder().relu(things.builder().input('a', DESCRIPTOR));
  },
  'a lost context: createTensor': async ({ ml }) => {
    const context = await ml.createContext();
    context.destroy();
    await context.createTensor(DESCRIPTOR);
  },
  'a lost context: readTensor': async ({ ml }) => {
    const context = await ml.createContext();
    const tensor = await context.createTensor({ ...DESCRIPTOR, readable: true });
    context.destroy();
    await context.readTensor(tensor);
  },
  'a lost context: writeTensor': async ({ ml }) => {
    const context = await ml.createContext();
    const tensor = await context.createTensor({ ...DESCRIPTOR, writable: true });
    context.destroy();
    context.writeTensor(tensor, new ArrayBuffer(8));
  },
  'a lost context: an operand': async ({ ml, MLGraphBuilder }) => {
    const context = await ml.createContext();
    const builder = new MLGraphBuilder(context);
    context.destroy();
    builder.input('a', DESCRIPTOR);
  },
};

/** `done`, or the name of the error. */
export async function outcomeOfCall(call: Call, webnn: WebNN): Promise<string> {
  try {
    await call(webnn, new Things(webnn));
    return 'done';
  } catch (error) {
    return (error as Error).name;
  }
}
