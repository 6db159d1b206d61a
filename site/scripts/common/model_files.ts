/** Model files, downloaded once: switching between WebNN and the CPU does not download them again. */

import type { Asset } from './assets.js';
import { download } from './download.js';
import type { ProgressView } from './progress_bar.js';

const files = new Map<string, Promise<Uint8Array<ArrayBuffer>>>();

/**
 * Returns a model file, downloaded on first use. Calls during the download share it.
 *
 * @param signal - Aborts the download for all callers.
 * @throws DownloadError, or the signal's reason.
 */
export function downloadOnce(
  name: string,
  source: Asset,
  view: ProgressView,
  signal?: AbortSignal,
): Promise<Uint8Array<ArrayBuffer>> {
  const known = files.get(name);
  if (known) return known;
  const file = download(source, {
    onProgress: (progress) => view.show(`Downloading ${name}`, progress),
    ...(signal && { signal }),
  }).finally(() => view.hide());
  files.set(name, file);
  file.catch(() => files.delete(name));
  return file;
}
