/** Runs in a browser: graphs on the polyfill's engines, and on the browser's own WebNN. */

import { type ComputeRequest, type ComputeResponse, computeGraph, type WebNN } from '../tools/embedded_graph.js';

interface Package {
  tfliteEngine(options: object): unknown;
  webnnOf(engine: unknown): WebNN;
}

export interface BothResponses {
  /** Null if it was not run. */
  readonly native: ComputeResponse | null;
  readonly polyfill: ComputeResponse;
}

/**
 * Computes each graph on both.
 *
 * @param url - URL of the package's polyfill.mjs.
 * @param forPolyfillOnly - Indices of requests that native WebNN must not get.
 */
export async function computeOnBoth(
  url: string,
  requests: readonly ComputeRequest[],
  forPolyfillOnly: readonly number[],
): Promise<BothResponses[]> {
  const { tfliteEngine, webnnOf } = (await import(url)) as Package;
  // In this thread: each graph has its own context here, and would have its own worker.
  const polyfill = webnnOf(tfliteEngine({ thread: 'own' }));
  const native = globalThis as unknown as WebNN;
  const responses: BothResponses[] = [];
  for (const [index, request] of requests.entries()) {
    const isForBoth = !forPolyfillOnly.includes(index);
    responses.push({
      native: isForBoth ? await computeGraph(native, request) : null,
      polyfill: await computeGraph(polyfill, request),
    });
  }
  return responses;
}

/** Computes graphs, one after the other in one context, on one of the polyfill's engines for a GPU. */
export async function computeOnGpu(
  url: string,
  engine: 'webgpu' | 'webgl',
  requests: readonly ComputeRequest[],
): Promise<ComputeResponse[]> {
  const { webnnOf } = (await import(url)) as Package;
  const webnn = webnnOf(engine);
  const context = await webnn.navigator.ml.createContext({ accelerated: true });
  const responses: ComputeResponse[] = [];
  for (const request of requests) responses.push(await computeGraph(webnn, request, context));
  context.destroy?.();
  return responses;
}
