/** Graph descriptions (docs/architecture.md) with the bytes of constants as base64 in `data`, and their results. */

import type { HeapReader, WebnnGraph } from 'tflite-webnn/explain';
import { buildGraph } from 'tflite-webnn/webnn/graph_executor';
import type { ML, MLContext, MLGraph, MLGraphBuilder, MLTensor } from 'webnn-polyfill';

export type EmbeddedGraph = WebnnGraph & { readonly constants: readonly { readonly data: string }[] };

/** A WebNN: the browser's, or the polyfill's. */
export interface WebNN {
  readonly navigator: { readonly ml: ML };
  readonly MLGraphBuilder: new (context: MLContext) => MLGraphBuilder;
}

/** A graph and the bytes of its inputs, by name, as base64. */
export interface ComputeRequest {
  readonly graph: EmbeddedGraph;
  readonly inputs: Readonly<Record<string, string>>;
}

/** The outputs of a graph in order, as base64, or its error. */
export interface ComputeResponse {
  readonly outputs?: readonly string[];
  readonly error?: string;
}

/** The graph for the runtime's replay: a constant's address is its index. */
export function withAddresses(graph: EmbeddedGraph): WebnnGraph {
  return { ...graph, constants: graph.constants.map((constant, address) => ({ ...constant, address })) };
}

/** Reads the constants of such a graph. */
export function readConstant(graph: EmbeddedGraph): HeapReader {
  return (address) => bytesOf(graph.constants[address]?.data ?? '');
}

/** The message of an error and its causes. */
export function fullMessage(error: unknown): string {
  const cause = (error as { cause?: unknown }).cause;
  return cause === undefined ? String(error) : `${String(error)}; ${fullMessage(cause)}`;
}

/** Computes a graph in a new context unless one is provided. */
export async function computeGraph(
  webnn: WebNN,
  request: ComputeRequest,
  provided?: MLContext,
): Promise<ComputeResponse> {
  const context = provided ?? (await webnn.navigator.ml.createContext());
  try {
    return { outputs: await compute(webnn, context, request) };
  } catch (error) {
    return { error: fullMessage(error) };
  } finally {
    if (provided === undefined) context.destroy?.();
  }
}

async function compute({ MLGraphBuilder }: WebNN, context: MLContext, { graph, inputs }: ComputeRequest) {
  const built = await buildGraph(withAddresses(graph), new MLGraphBuilder(context), readConstant(graph));
  const provided: Record<string, MLTensor> = {};
  for (const { name, dataType, shape } of graph.inputs) {
    const tensor = await context.createTensor({ dataType, shape: [...shape], writable: true });
    context.writeTensor(tensor, bytesOf(inputs[name] ?? ''));
    provided[name] = tensor;
  }
  const results: Record<string, MLTensor> = {};
  for (const { name, dataType, shape } of graph.outputs) {
    results[name] = await context.createTensor({ dataType, shape: [...shape], readable: true });
  }
  context.dispatch(built as MLGraph, provided, results);
  const contents = await Promise.all(Object.values(results).map((tensor) => context.readTensor(tensor)));
  built.destroy?.();
  return contents.map((content) => textOf(new Uint8Array(content)));
}

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}

function textOf(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}
