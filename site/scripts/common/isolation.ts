/**
 * Cross-origin isolation, which threads need. If the host does not send the headers, the service worker adds them. It
 * controls a page only after a reload, so the first visit reloads once.
 */

const RELOADED = 'tflite-webnn-reloaded-for-isolation';

/**
 * Makes this page cross-origin isolated if possible.
 *
 * @returns Whether it is isolated. Never settles while the page reloads.
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
    return false; // private windows reject service workers; the page works with one thread
  }
  // Reload only once: some browsers have service workers but no isolation.
  if (sessionStorage.getItem(RELOADED)) return false;
  sessionStorage.setItem(RELOADED, 'yes');
  location.reload();
  return new Promise(() => {});
}

let started: Promise<boolean> | undefined;

/** Whether the page is isolated. A page that uses threads awaits this before it loads models. */
export function isolated(): Promise<boolean> {
  started ??= 'isolated' in document.documentElement.dataset ? isolate() : Promise.resolve(crossOriginIsolated);
  return started;
}
