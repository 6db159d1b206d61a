/**
 * Rewrites TensorFlow Lite models with the delegate and the polyfill: into .tflite files again.
 *
 *   node rewrite_models.mjs DIRECTORY < REQUEST
 *
 * REQUEST is JSON: `wasmPath`, the directory above those of the variants; `limits`, an opSupportLimits(), or null for
 * those of the tflite engine; `models`, paths. Prints a JSON list: for each the `file` of its only graph, the TensorFlow
 * Lite tensors that are its `inputs` and `outputs`, and the `forms` of its nodes ("fused", "float" or null); or the
 * `reason` why the delegate does not accept the entire model, or the `error`.
 */

import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import type { MLOpSupportLimits } from 'tflite-webnn';
import type { GraphPort } from 'tflite-webnn/explain';
import { explainModel } from 'tflite-webnn/explain';
import { opSupportLimits } from '../../src/tflite/op_table.js';
import { fullMessage } from './embedded_graph.js';
import { writeGraph } from './writing_engine.js';

interface Request {
  readonly wasmPath: string;
  readonly limits: MLOpSupportLimits | null;
  readonly models: readonly string[];
}

const OWN_LIMITS = opSupportLimits() as unknown as MLOpSupportLimits;

const tensorsOf = (ports: readonly GraphPort[]) => ports.map(({ name, tensor }) => ({ name, tensor }));

async function rewrite(model: string, file: string, { wasmPath, limits }: Request): Promise<object> {
  const options = {
    wasmPath: pathToFileURL(`${resolve(wasmPath)}/`).href,
    variant: 'simd',
    webnnDelegateOptions: { ignorePartitionCost: true },
  } as const;
  const { report, graphs, heap } = await explainModel(
    new Uint8Array(readFileSync(model)),
    limits ?? OWN_LIMITS,
    options,
  );
  const [graph] = graphs;
  if (report.nodes.some(({ op }) => op === 'READ_VARIABLE')) return { reason: 'its variables are inputs of the graph' };
  if (graph === undefined || report.executionMode !== 'direct') {
    const reasons = report.nodes.flatMap(({ op, reason }) => (reason === null ? [] : [`${op}: ${reason}`]));
    return { reason: [...new Set(reasons)].join('; ') || `it would run ${report.executionMode}` };
  }
  await writeGraph(graph, heap, file);
  const forms = [...new Set(report.nodes.map(({ quantized }) => quantized))];
  return { file, forms, inputs: tensorsOf(graph.inputs), outputs: tensorsOf(graph.outputs) };
}

const directory = process.argv[2] ?? '.';
const request = JSON.parse(await text(process.stdin)) as Request;
const results: object[] = [];
for (const [index, model] of request.models.entries()) {
  try {
    results.push(await rewrite(model, join(directory, `rewritten_${index}.tflite`), request));
  } catch (error) {
    results.push({ error: fullMessage(error) });
  }
}
process.stdout.write(JSON.stringify(results));
