/**
 * `import.meta.url` for classic scripts, which have none. js/scripts/bundling puts it in its place.
 *
 * A page knows the script that is running. A worker's importScripts() does not: the address is in the stack trace,
 * whose first address is this script's, in the format of every engine.
 */
export const classicScriptUrl: string =
  (globalThis.document?.currentScript as HTMLScriptElement | null | undefined)?.src ||
  new Error('where').stack?.match(/\b[a-z][a-z-]*:\/\/.*?(?=(:\d+)+\)?$)/m)?.[0] ||
  globalThis.location?.href;
