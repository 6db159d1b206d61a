/** Probes of WebNN's features other than its operators. */

import type { MLContext, MLOperand, MLTensor } from 'webnn-polyfill';
import type { FeatureReport } from './report.js';
import type { ContextOptions, Webnn } from './webnn.js';

interface ProbeTarget {
  readonly webnn: Webnn;
  readonly options: ContextOptions;
  readonly context: MLContext;
}

/** Returns a detail if the feature is there; throws the reason if it is not. */
type Feature = (target: ProbeTarget) => Promise<string>;

const VECTOR = { dataType: 'float32', shape: [4] } as const;

/** Methods of drafts, which the IDL's types lack. */
type Draft = Record<string, unknown>;

const FEATURES: Readonly<Record<string, Feature>> = {
  'MLTensor: write and read': async (target) => {
    const tensor = await target.context.createTensor({ ...VECTOR, writable: true, readable: true });
    target.context.writeTensor(tensor, Float32Array.of(1, 2, 3, 4));
    return expectValues(await target.context.readTensor(tensor), [1, 2, 3, 4]);
  },
  'MLTensor: read into a provided buffer': async (target) => {
    const tensor = await target.context.createTensor({ ...VECTOR, writable: true, readable: true });
    target.context.writeTensor(tensor, Float32Array.of(1, 2, 3, 4));
    const into = new Float32Array(4);
    await target.context.readTensor(tensor, into);
    return expectValues(into.buffer, [1, 2, 3, 4]);
  },
  'dispatches run in the order of the calls': async (target) => {
    const { graph, x, y } = await doubled(target);
    target.context.writeTensor(x, Float32Array.of(1, 2, 3, 4));
    target.context.dispatch(graph, { x }, { y });
    target.context.dispatch(graph, { x: y }, { y: x }); // four times the first values
    target.context.dispatch(graph, { x }, { y }); // eight times
    target.context.writeTensor(x, new Float32Array(4)); // too late to matter
    return expectValues(await target.context.readTensor(y), [8, 16, 24, 32]);
  },
  'a tensor outlives its graph': async (target) => {
    const { graph, x, y } = await doubled(target);
    target.context.writeTensor(x, Float32Array.of(1, 2, 3, 4));
    target.context.dispatch(graph, { x }, { y });
    graph.destroy();
    return expectValues(await target.context.readTensor(y), [2, 4, 6, 8]);
  },
  'constant tensors (createConstantTensor, which the draft removes)': async ({ webnn, context }) => {
    expectMethod(context, 'createConstantTensor');
    const tensor = await context.createConstantTensor(VECTOR, Float32Array.of(1, 2, 3, 4));
    const builder = new webnn.MLGraphBuilder(context);
    const y = builder.add(builder.input('x', VECTOR), builder.constant(tensor));
    return runOnce(context, await builder.build({ y }), [2, 4, 6, 8]);
  },
  'scalar constants (constant(type, value))': async ({ webnn, context }) => {
    const builder = new webnn.MLGraphBuilder(context);
    const y = builder.mul(builder.input('x', VECTOR), builder.constant('float32', 3));
    return runOnce(context, await builder.build({ y }), [3, 6, 9, 12]);
  },
  'dynamic shapes (draft: named sizes of an input)': async ({ webnn, context }) => {
    const builder = new webnn.MLGraphBuilder(context);
    const shape = [{ name: 'n', maxSize: 8 }] as unknown as number[];
    const x = builder.input('x', { dataType: 'float32', shape });
    await builder.build({ y: builder.relu(x) });
    return '';
  },
  'computeShapes() (draft)': async ({ webnn, context }) => {
    const graph = await tiny(webnn, context);
    expectMethod(graph, 'computeShapes');
    return '';
  },
  'saveGraph(), loadGraph() (explainer)': async ({ context }) => {
    expectMethod(context, 'saveGraph');
    return '';
  },
  'MLContext.accelerated': async ({ context }) => {
    const { accelerated } = context as { accelerated?: boolean };
    if (accelerated === undefined) throw new Error('there is no such attribute');
    return String(accelerated);
  },
  'MLGraph.devices': async ({ webnn, context }) => {
    const { devices } = (await tiny(webnn, context)) as unknown as { devices?: Iterable<string> };
    if (devices === undefined) throw new Error('there is no such attribute');
    return [...devices].join(', ');
  },
  'MLContext.lost resolves after destroy()': async ({ webnn, options }) => {
    const context = await webnn.ml.createContext(options);
    context.destroy();
    const late = new Promise<never>((_, reject) => setTimeout(reject, 2000, new Error('it remains pending for 2 s')));
    const { message } = await Promise.race([context.lost, late]);
    return message ?? '';
  },
  'createContext(gpuDevice)': async ({ webnn }) => {
    const device = await gpuDevice();
    const context = await webnn.ml.createContext(device as never);
    context.destroy();
    return '';
  },
  'WebGPU: createExportableTensor(), exportToGPU()': async ({ webnn, context }) => {
    expectMethod(context, 'createExportableTensor');
    const device = await gpuDevice();
    const own = await webnn.ml.createContext(device as never);
    const descriptor = { ...VECTOR, writable: true, readable: true };
    const tensor = await own.createExportableTensor(descriptor, device as never);
    own.writeTensor(tensor, Float32Array.of(1, 2, 3, 4));
    const buffer = (await own.exportToGPU(tensor)) as unknown as { readonly size: number; destroy(): void };
    const { size } = buffer;
    buffer.destroy();
    own.destroy();
    return `a buffer of ${size} bytes`;
  },
  'int4 constants': async ({ webnn, context }) => {
    const builder = new webnn.MLGraphBuilder(context);
    const four = builder.constant({ dataType: 'int4' as 'int8', shape: [4] }, Uint8Array.of(0x21, 0x43));
    const scale = builder.constant({ dataType: 'float32', shape: [1] }, Float32Array.of(2));
    const zero = builder.constant({ dataType: 'int4' as 'int8', shape: [1] }, Uint8Array.of(0));
    const x = builder.input('x', VECTOR);
    const y = builder.add(x, builder.dequantizeLinear(four, scale, zero));
    return runOnce(context, await builder.build({ y }), [3, 6, 9, 12]);
  },
  'float16 arrays (Float16Array)': async () => {
    if (!('Float16Array' in globalThis)) throw new Error('Float16Array is missing; bytes work');
    return '';
  },
};

/** Tries all features, each on its own context. */
export async function probeFeatures(webnn: Webnn, options: ContextOptions): Promise<FeatureReport[]> {
  const rows: FeatureReport[] = [];
  for (const [feature, probe] of Object.entries(FEATURES)) {
    const context = await webnn.ml.createContext(options);
    try {
      rows.push({ feature, there: true, detail: await probe({ webnn, options, context }) });
    } catch (error) {
      rows.push({ feature, there: false, detail: error instanceof Error ? error.message : String(error) });
    }
    context.destroy?.();
  }
  return rows;
}

async function tiny(webnn: Webnn, context: MLContext): ReturnType<InstanceType<Webnn['MLGraphBuilder']>['build']> {
  const builder = new webnn.MLGraphBuilder(context);
  return builder.build({ y: builder.relu(builder.input('x', VECTOR)) });
}

async function doubled({ webnn, context }: ProbeTarget) {
  const builder = new webnn.MLGraphBuilder(context);
  const operand: MLOperand = builder.input('x', VECTOR);
  const graph = await builder.build({ y: builder.add(operand, operand) });
  const both = { ...VECTOR, writable: true, readable: true };
  return { graph, x: await context.createTensor(both), y: await context.createTensor(both) };
}

async function runOnce(
  context: MLContext,
  graph: Awaited<ReturnType<typeof tiny>>,
  expected: readonly number[],
): Promise<string> {
  const x: MLTensor = await context.createTensor({ ...VECTOR, writable: true });
  const y: MLTensor = await context.createTensor({ ...VECTOR, readable: true });
  context.writeTensor(x, Float32Array.of(1, 2, 3, 4));
  context.dispatch(graph, { x }, { y });
  return expectValues(await context.readTensor(y), expected);
}

function expectValues(buffer: ArrayBuffer, expected: readonly number[]): string {
  const found = [...new Float32Array(buffer)];
  if (found.join() !== expected.join())
    throw new Error(`it returns ${found.join(', ')} instead of ${expected.join(', ')}`);
  return '';
}

function expectMethod(object: object, name: string): void {
  if (typeof (object as Draft)[name] !== 'function') throw new Error('there is no such method');
}

interface Gpu {
  requestAdapter(): Promise<{ requestDevice(): Promise<unknown> } | null>;
}

async function gpuDevice(): Promise<unknown> {
  const { gpu } = navigator as { gpu?: Gpu };
  const adapter = await gpu?.requestAdapter();
  if (!adapter) throw new Error('there is no WebGPU device here');
  return adapter.requestDevice();
}
