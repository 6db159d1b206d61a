/** Whether this thread may sleep. */

/** Why this thread cannot wait for another one, in words for the user; null where it can. */
export function whyCannotBlock(): string | null {
  const { crossOriginIsolated } = globalThis as { crossOriginIsolated?: boolean };
  if (typeof SharedArrayBuffer === 'undefined' || crossOriginIsolated === false) {
    return (
      'the page is not cross-origin isolated, so it has no SharedArrayBuffer: serve it, and the worker, with the headers ' +
      'Cross-Origin-Opener-Policy: same-origin and Cross-Origin-Embedder-Policy: require-corp'
    );
  }
  try {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 1, 0); // the value is another one: it returns at once
    return null;
  } catch {
    return "this is the page's own thread, which browsers do not let sleep: load the model in a worker";
  }
}
