/** Waiting that an AbortSignal ends. */

/**
 * Waits for a promise, but not longer than until the abort.
 *
 * @param discard - Frees what the promise gives after all, when nobody waits for it any more.
 * @throws the signal's reason.
 */
export function orAbort<T>(
  promise: Promise<T>,
  signal: AbortSignal | undefined,
  discard: (value: T) => void = () => undefined,
): Promise<T> {
  if (signal === undefined) return promise;
  return new Promise<T>((resolve, reject) => {
    const onAbort = () => {
      promise.then(discard, () => undefined);
      reject(signal.reason);
    };
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort);
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
