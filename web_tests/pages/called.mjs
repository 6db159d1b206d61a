// Serves Python's calls in a page (web_tests/drivers/page_calls.py).
//
// Python calls `harness.handle({ key, call, args })` without waiting; the response is PUT to /exchange/KEY as JSON,
// { value } or { error }. If the page hangs or crashes, Python only gets a timeout. Without a key there is no response,
// and an error is the page's. Arrays travel as raw little-endian bytes: through /exchange, or within a call and its
// response if they are small.

export const ARRAY_OF = {
  float32: Float32Array,
  float64: Float64Array,
  float16: globalThis.Float16Array ?? Uint16Array,
  int32: Int32Array,
  uint32: Uint32Array,
  int16: Int16Array,
  uint16: Uint16Array,
  int8: Int8Array,
  uint8: Uint8Array,
  bool: Uint8Array,
  int64: BigInt64Array,
  uint64: BigUint64Array,
};

/** What an action returns, or 'rejected'. */
export async function outcome(action) {
  try {
    return (await action()) ?? null;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return 'rejected';
  }
}

/** A path of the server as an address for the package: Node would read a bare path as a file's. */
export function addressOf(path) {
  return globalThis.location === undefined ? new URL(path, globalThis.origin).href : path;
}

async function fetchArray({ url, dtype, shape }) {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`harness: ${url} responded with ${response.status}`);
  const array = new ARRAY_OF[dtype](await response.arrayBuffer());
  return shape ? { data: array, shape } : array;
}

/** Fetches inputs, a list or a record of { url, dtype, shape }. */
export async function fetchInputs(inputs) {
  if (Array.isArray(inputs)) return Promise.all(inputs.map(fetchArray));
  const entries = Object.entries(inputs).map(async ([name, input]) => [name, await fetchArray(input)]);
  return Object.fromEntries(await Promise.all(entries));
}

/** Puts arrays at /exchange/KEY/INDEX for Python. */
export async function putArrays(arrays, key) {
  await Promise.all(
    arrays.map((array, index) => fetch(`/exchange/${key}/${index}`, { method: 'PUT', body: array })),
  );
}

// Requests cost more than so many bytes in the response.
const INLINE_BYTES = 8192;

/**
 * Sends arrays to Python: small ones as the base64 returned, for the others null: they are PUT at /exchange/KEY/INDEX.
 */
export async function sendArrays(arrays, key) {
  const send = async (array, index) => {
    if (array.byteLength <= INLINE_BYTES) {
      return btoa(String.fromCharCode(...new Uint8Array(array.buffer, array.byteOffset, array.byteLength)));
    }
    await fetch(`/exchange/${key}/${index}`, { method: 'PUT', body: array });
    return null;
  };
  return Promise.all(arrays.map(send));
}

/** An error as JSON, with its causes. */
export function describe(error) {
  const isError = error instanceof Error;
  const cause = isError && error.cause ? describe(error.cause) : null;
  return isError
    ? { name: error.name, code: String(error.code ?? ''), message: error.message, cause }
    : { name: typeof error, code: '', message: String(error), cause };
}

/**
 * Serves Python's calls, of a page, or (`?worker` in the page's address) of a worker that runs the same script.
 *
 * @param calls - Functions of (args, key) by name.
 * @param script - The script's import.meta.url.
 */
export function serveCalls(calls, script) {
  async function handle({ key, call, args }) {
    let response;
    try {
      response = { value: (await calls[call](args, key)) ?? null };
    } catch (error) {
      response = { error: describe(error) };
    }
    if (key !== null) await fetch(`/exchange/${key}`, { method: 'PUT', body: JSON.stringify(response) });
    else if (response.error) throw new Error(`${call}: ${response.error.message}`);
  }

  if (globalThis.document === undefined) {
    // A worker's rejected promise would not reach its page.
    globalThis.onmessage = ({ data }) => handle(data).catch((error) => setTimeout(() => { throw error; }));
    globalThis.postMessage('ready');
  } else if (new URLSearchParams(location.search).has('worker')) {
    // The page only forwards the calls.
    const worker = new Worker(script, { type: 'module' });
    worker.onmessage = () => {
      globalThis.harness = { handle: (request) => worker.postMessage(request) };
    };
    worker.onerror = ({ message }) => reportError(new Error(`the worker of ${script} failed: ${message}`));
  } else {
    globalThis.harness = { handle };
  }
}
