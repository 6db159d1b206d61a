/** A worker's half of `module_download.ts`: a worker that imports it reports how much of the wasm module has come. */

import type { ModuleBytes } from './module_download.js';

const MODULE = /([^/]+)\/tflite_webnn\.wasm$/;
const channel = new BroadcastChannel(location.hash.slice(1));
const { fetch } = globalThis;
let ahead: { readonly url: string; readonly response: Promise<Response> } | null = null;

/** Fetches a module now; the first request for it gets the response. */
export function fetchAhead(url: URL): void {
  const response = globalThis.fetch(url);
  response.catch(() => {}); // whoever requests it gets the error
  ahead = { url: url.href, response };
}

globalThis.fetch = async (...request) => {
  if (ahead !== null && String(request[0]) === ahead.url) {
    const { response } = ahead;
    ahead = null;
    return response;
  }
  const response = await fetch(...request);
  const [, variant] = MODULE.exec(response.url) ?? [];
  // A copy: browsers keep compiled code only of responses as they came.
  if (variant && response.ok) void count(variant, response.clone()).catch(() => {});
  return response;
};

async function count(variant: string, { body }: Response): Promise<void> {
  const report = (loadedBytes: number) => channel.postMessage({ variant, loadedBytes } satisfies ModuleBytes);
  const reader = body?.getReader();
  let loadedBytes = 0;
  report(loadedBytes);
  for (let piece = await reader?.read(); piece && !piece.done; piece = await reader?.read()) {
    loadedBytes += piece.value.length;
    report(loadedBytes);
  }
}
