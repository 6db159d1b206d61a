/** The download of the wasm module, as the page's workers report it: progress bars add its bytes to those of the model. */

import { assets } from './assets.js';
import type { DownloadProgress } from './download.js';

/** What a worker reports; see `watch_module.ts`. */
export interface ModuleBytes {
  readonly variant: string;
  readonly loadedBytes: number;
}

// Other tabs have other channels.
const CHANNEL = `module-${Math.random()}`;
const listeners: (() => void)[] = [];
let current: DownloadProgress | null = null;

/** The address of `scripts/NAME.mjs` for a worker that reports to this page. */
export function workerUrl(name: string): URL {
  return new URL(`./${name}.mjs#${CHANNEL}`, import.meta.url);
}

/** How much of the module has come; null before the first byte. */
export function moduleProgress(): DownloadProgress | null {
  return current;
}

/** Whether the module is on its way. */
export function isModuleComing(): boolean {
  return current !== null && current.loadedBytes < (current.totalBytes ?? 0);
}

/** Calls `listener` whenever more of the module has come. */
export function onModuleProgress(listener: () => void): void {
  listeners.push(listener);
}

new BroadcastChannel(CHANNEL).onmessage = ({ data: { variant, loadedBytes } }: MessageEvent<ModuleBytes>) => {
  // A second worker has it from the browser's cache.
  if (loadedBytes <= (current?.loadedBytes ?? -1)) return;
  current = { loadedBytes, totalBytes: assets('modules')[variant]?.sizeBytes ?? loadedBytes };
  for (const listener of listeners) listener();
};
