/**
 * Computes graphs with the tflite engine in Node.
 *
 *   node run_graphs.mjs WASM_FOLDER < REQUESTS
 *
 * WASM_FOLDER has the variants' folders. REQUESTS is a JSON list of `{graph, inputs}`: a graph description
 * (docs/architecture.md), whose constants have their bytes as base64 in `data`, and the bytes of its inputs by name.
 * Prints a JSON list: for each the `outputs` in their order, as base64, or the `error` that it gave.
 */

import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { buildGraph } from '../../../runtime/src/graph_executor.js';
import type { ML, MLContext, MLGraphBuilderConstructor, MLTensor } from '../../../runtime/src/webnn_types.js';
import { install, tfliteEngine } from '../../src/index.js';
import { type EmbeddedGraph, fullMessage, placed, readConstant } from './embedded_graph.js';

interface Request {
  readonly graph: EmbeddedGraph;
  readonly inputs: Readonly<Record<string, string>>;
}

const wasmPath = pathToFileURL(`${resolve(process.argv[2] ?? '.')}/`).href;
await install({ engine: tfliteEngine({ wasmPath, variant: 'simd' }), force: true });
const scope = globalThis as unknown as { navigator: { ml: ML }; MLGraphBuilder: MLGraphBuilderConstructor };

async function compute(context: MLContext, { graph, inputs }: Request): Promise<string[]> {
  const built = await buildGraph(placed(graph), new scope.MLGraphBuilder(context), readConstant(graph));
  const given: Record<string, MLTensor> = {};
  for (const { name, dataType, shape } of graph.inputs) {
    const tensor = await context.createTensor({ dataType, shape: [...shape], writable: true });
    context.writeTensor(tensor, Buffer.from(inputs[name] ?? '', 'base64'));
    given[name] = tensor;
  }
  const results: Record<string, MLTensor> = {};
  for (const { name, dataType, shape } of graph.outputs) {
    results[name] = await context.createTensor({ dataType, shape: [...shape], readable: true });
  }
  context.dispatch(built, given, results);
  const contents = await Promise.all(Object.values(results).map((tensor) => context.readTensor(tensor)));
  built.destroy?.();
  return contents.map((content) => Buffer.from(content).toString('base64'));
}

const answers: object[] = [];
for (const request of JSON.parse(await text(process.stdin)) as Request[]) {
  const context = await scope.navigator.ml.createContext();
  try {
    answers.push({ outputs: await compute(context, request) });
  } catch (error) {
    answers.push({ error: fullMessage(error) });
  }
  context.destroy?.();
}
process.stdout.write(JSON.stringify(answers));
