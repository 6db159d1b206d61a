/**
 * Adds the headers of cross-origin isolation to the responses of static hosts that cannot send them, and keeps what a
 * visitor has loaded: without a network it responds with the stored copy. Leaves requests to other origins alone.
 */

// The service worker globals used here; TypeScript's "webworker" library conflicts with "dom".
interface WorkerScope {
  readonly clients: { claim(): Promise<void> };
  skipWaiting(): Promise<void>;
  addEventListener(type: 'install' | 'activate', listener: (event: ExtendableEvent) => void): void;
  addEventListener(type: 'fetch', listener: (event: FetchEvent) => void): void;
  addEventListener(type: 'message', listener: (event: StoreEvent) => void): void;
}
interface ExtendableEvent {
  waitUntil(work: Promise<unknown>): void;
}
interface FetchEvent extends ExtendableEvent {
  readonly request: Request;
  respondWith(response: Promise<Response>): void;
}

/** Addresses that a page loaded before this worker controlled it; the response is empty. */
interface StoreEvent extends ExtendableEvent {
  readonly data: readonly string[];
  readonly ports: readonly MessagePort[];
}

const scope = self as unknown as WorkerScope;

const ISOLATION_HEADERS: Readonly<Record<string, string>> = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
  'Cross-Origin-Resource-Policy': 'same-origin',
};

const CACHE = 'tflite-webnn-site';

scope.addEventListener('install', (event) => event.waitUntil(scope.skipWaiting()));
scope.addEventListener('activate', (event) => event.waitUntil(scope.clients.claim()));
scope.addEventListener('fetch', (event) => {
  const { request } = event;
  if (new URL(request.url).origin !== location.origin) return;
  // Chromium's developer tools send this; fetch() rejects it outside of same-origin mode.
  if (request.cache === 'only-if-cached' && request.mode !== 'same-origin') return;
  event.respondWith(responseTo(event));
});
scope.addEventListener('message', (event) => event.waitUntil(storeAll(event)));

/** The network's response, or without a network the stored one. */
async function responseTo(event: FetchEvent): Promise<Response> {
  const { request } = event;
  try {
    const response = await fetch(request);
    if (request.method === 'GET' && response.status === 200) event.waitUntil(store(request, response.clone()));
    return isolatedResponse(response);
  } catch (error) {
    const stored = await (await caches.open(CACHE)).match(request, { ignoreSearch: true });
    if (stored === undefined) throw error;
    return isolatedResponse(stored);
  }
}

/** A full disk or a private window only costs the visit without a network. */
async function store(request: RequestInfo, response: Response): Promise<void> {
  try {
    await (await caches.open(CACHE)).put(request, response);
  } catch {}
}

async function storeAll({ data: addresses, ports: [port] }: StoreEvent): Promise<void> {
  const all = addresses.map(async (address) => {
    const response = await fetch(address);
    if (response.status === 200) await store(address, response);
  });
  await Promise.allSettled(all);
  port?.postMessage(null);
}

function isolatedResponse(response: Response): Response {
  if (response.status === 0) return response; // opaque: the browser follows this redirect
  const headers = new Headers(response.headers);
  for (const [name, value] of Object.entries(ISOLATION_HEADERS)) headers.set(name, value);
  const { status, statusText } = response;
  // The Response constructor rejects a body for these statuses.
  const body = [101, 204, 205, 304].includes(status) ? null : response.body;
  return new Response(body, { status, statusText, headers });
}
