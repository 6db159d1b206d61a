// Repeatedly builds, runs and destroys graphs of the polyfill's engine `tflite`, or keeps them.

import { tfliteEngine, webnnOf } from '/package/polyfill.mjs';

/** Rows and columns of the weights: 1 MiB, so that a leaked graph shows. */
const SIZE = 512;

let webnn;
let context;

/** Opens the context, with the engine in the thread `own`, `worker` or `auto`. */
export async function open(thread) {
  webnn = webnnOf(tfliteEngine({ thread }));
  context = await webnn.navigator.ml.createContext();
}

/** `count` times: builds a graph, writes, dispatches twice, reads, and destroys the graph and its tensors. */
export async function cycle(count) {
  for (let iteration = 0; iteration < count; iteration++) await buildAndRun(iteration);
}

async function buildAndRun(value) {
  const vector = { dataType: 'float32', shape: [1, SIZE] };
  const builder = new webnn.MLGraphBuilder(context);
  const weights = builder.constant({ dataType: 'float32', shape: [SIZE, SIZE] }, new Float32Array(SIZE * SIZE).fill(value));
  const graph = await builder.build({ y: builder.matmul(builder.input('x', vector), weights) });
  const x = await context.createTensor({ ...vector, writable: true });
  const [y, z] = [await context.createTensor({ ...vector, readable: true }), await context.createTensor({ ...vector, readable: true })];
  context.writeTensor(x, new Float32Array(SIZE).fill(1));
  context.dispatch(graph, { x }, { y });
  context.writeTensor(x, new Float32Array(SIZE).fill(2));
  context.dispatch(graph, { x }, { y: z });
  graph.destroy();
  const results = [await context.readTensor(y), await context.readTensor(z)].map((buffer) => new Float32Array(buffer)[0]);
  if (results[0] !== SIZE * value || results[1] !== 2 * SIZE * value) throw new Error(`the graph computes ${results}`);
  for (const tensor of [x, y, z]) tensor.destroy();
}

const held = [];

/**
 * Builds a graph of `layers` times `units` x `units` weights, passed as arrays or as constant tensors, runs it once on
 * ones, and keeps it. -> its first result
 */
export async function hold(layers, units, asTensors) {
  const vector = { dataType: 'float32', shape: [1, units] };
  const weights = { dataType: 'float32', shape: [units, units] };
  const builder = new webnn.MLGraphBuilder(context);
  let y = builder.input('x', vector);
  for (let layer = 1; layer <= layers; layer++) {
    const values = new Float32Array(units * units).fill(layer / units);
    const tensor = asTensors ? await context.createConstantTensor(weights, values) : null;
    y = builder.gemm(y, tensor === null ? builder.constant(weights, values) : builder.constant(tensor), { bTranspose: true });
    held.push(tensor);
  }
  const graph = await builder.build({ y });
  const tensors = { x: await context.createTensor({ ...vector, writable: true }), y: await context.createTensor({ ...vector, readable: true }) };
  held.push(graph, tensors);
  context.writeTensor(tensors.x, new Float32Array(units).fill(1));
  context.dispatch(graph, { x: tensors.x }, { y: tensors.y });
  return new Float32Array(await context.readTensor(tensors.y))[0];
}

const SMALL = { dataType: 'float32', shape: [1, 16] };

/** A graph of 1 KiB of weights, which computes 16 (addend + 1) of ones, and its tensors. */
async function buildSmall(addend, context_ = context) {
  const builder = new webnn.MLGraphBuilder(context_);
  const weights = builder.constant({ dataType: 'float32', shape: [16, 16] }, new Float32Array(256).fill(1));
  const sum = builder.add(builder.input('x', SMALL), builder.constant('float32', addend));
  const graph = await builder.build({ y: builder.matmul(sum, weights) });
  return { graph, x: await context_.createTensor({ ...SMALL, writable: true }), y: await context_.createTensor({ ...SMALL, readable: true }) };
}

async function runSmall({ graph, x, y }, addend, context_ = context) {
  context_.writeTensor(x, new Float32Array(16).fill(1));
  context_.dispatch(graph, { x }, { y });
  const [value] = new Float32Array(await context_.readTensor(y));
  if (value !== 16 * (addend + 1)) throw new Error(`the graph of ${addend} computes ${value}`);
}

/** Builds `count` small graphs, then runs all of them, and keeps them. */
export async function holdSmall(count) {
  const graphs = [];
  for (let addend = 0; addend < count; addend++) graphs.push(await buildSmall(addend));
  for (const [addend, graph] of graphs.entries()) await runSmall(graph, addend);
  held.push(...graphs);
}

/** `count` times: builds, runs and destroys a small graph. */
export async function cycleSmall(count) {
  for (let addend = 0; addend < count; addend++) {
    const built = await buildSmall(addend);
    await runSmall(built, addend);
    for (const thing of Object.values(built)) thing.destroy();
  }
}

/** `count` times: opens a context for a small graph, runs that, and drops both. */
export async function dropContexts(count) {
  for (let addend = 0; addend < count; addend++) {
    const dropped = await webnn.navigator.ml.createContext();
    await runSmall(await buildSmall(addend, dropped), addend, dropped);
  }
}
