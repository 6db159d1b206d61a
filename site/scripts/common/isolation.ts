/**
 * Cross-origin isolation, which threads need, where the host sends no headers: the service worker adds them. It has a
 * page in its hands only when that is loaded again, so the first visit reloads once.
 */

const RELOADED = 'tflite-webnn-reloaded-for-isolation';

/**
 * Makes this page cross-origin isolated if that can be done.
 *
 * @returns Whether it is. Never settles where the page is being reloaded.
 */
export async function isolate(): Promise<boolean> {
  if (crossOriginIsolated) {
    sessionStorage.removeItem(RELOADED);
    return true;
  }
  if (!isSecureContext || !navigator.serviceWorker) return false;
  try {
    const root = document.documentElement.dataset.root ?? '';
    await navigator.serviceWorker.register(`${root}service_worker.js`);
    await navigator.serviceWorker.ready;
  } catch {
    return false; // private windows refuse service workers; the page works with one thread
  }
  // Not a second time: a browser may have service workers and no isolation.
  if (sessionStorage.getItem(RELOADED)) return false;
  sessionStorage.setItem(RELOADED, 'yes');
  location.reload();
  return new Promise(() => {});
}

let started: Promise<boolean> | undefined;

/** Settles when it is known whether the page is isolated: a page that wants threads waits for it before it loads models. */
export function isolated(): Promise<boolean> {
  started ??= 'isolated' in document.documentElement.dataset ? isolate() : Promise.resolve(crossOriginIsolated);
  return started;
}
