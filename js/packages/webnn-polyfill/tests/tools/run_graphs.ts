/**
 * Computes graphs with an engine of the polyfill in Node.
 *
 *   node run_graphs.mjs DIRECTORY < REQUEST
 *
 * REQUEST is JSON: `engine`, `tflite` or `cpu`, the GPU engines' code on TensorFlow.js's CPU backend;
 * `wasmPath`, the directory above those of the variants; `requests`, a list of `{graph, inputs}`. Prints a JSON list with
 * the `outputs`, or the `error`, of each (see embedded_graph.ts).
 */

import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { tfliteEngine, webnnOf } from 'webnn-polyfill';
import { cpuEngine } from '../tfjs/cpu_engine.js';
import { type ComputeRequest, type ComputeResponse, computeGraph, type WebNN } from './embedded_graph.js';

interface Request {
  readonly engine: 'tflite' | 'cpu';
  readonly wasmPath: string;
  readonly requests: readonly ComputeRequest[];
}

const { engine, wasmPath, requests } = JSON.parse(await text(process.stdin)) as Request;
const wasm = { wasmPath: pathToFileURL(`${resolve(wasmPath)}/`).href, variant: 'simd' } as const;
const scope = webnnOf(engine === 'tflite' ? tfliteEngine(wasm) : cpuEngine) as unknown as WebNN;
const responses: ComputeResponse[] = [];
for (const request of requests) responses.push(await computeGraph(scope, request));
process.stdout.write(JSON.stringify(responses));
