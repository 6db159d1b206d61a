/**
 * Computes graphs with the tflite engine in Node.
 *
 *   node run_graphs.mjs WASM_FOLDER < REQUESTS
 *
 * WASM_FOLDER has the variants' folders. REQUESTS is a JSON list of `{graph, inputs}`; prints a JSON list with the
 * `outputs`, or the `error`, of each (see embedded_graph.ts).
 */

import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { type GlobalScope, installEngine } from '../../src/install_engine.js';
import { tfliteEngine } from '../../src/tflite/engine/tflite_engine.js';
import { answerTo, type ComputeAnswer, type ComputeRequest, type WebNN } from './embedded_graph.js';

const wasmPath = pathToFileURL(`${resolve(process.argv[2] ?? '.')}/`).href;
const scope: GlobalScope = {};
await installEngine(tfliteEngine({ wasmPath, variant: 'simd' }), true, scope);
const webnn = scope as unknown as WebNN;
const answers: ComputeAnswer[] = [];
for (const request of JSON.parse(await text(process.stdin)) as ComputeRequest[]) {
  answers.push(await answerTo(webnn, request));
}
process.stdout.write(JSON.stringify(answers));
