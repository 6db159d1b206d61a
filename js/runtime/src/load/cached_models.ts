/** What the option `cache` has kept. */

import type { CachedFile } from '../support/file_cache.js';
import { packagePart } from '../support/package_part.js';

/**
 * Lists the files that the option `cache` has kept for this origin: models and wasm modules, the oldest first.
 *
 * @throws PackageFileError
 */
export async function listCachedModels(): Promise<CachedFile[]> {
  return (await fileCache()).listKept();
}

/**
 * Deletes a file that the option `cache` has kept: the next load fetches it again.
 *
 * @param url - Its address, relative to the page.
 * @returns whether there was one.
 * @throws PackageFileError
 */
export async function deleteCachedModel(url: string | URL): Promise<boolean> {
  return (await fileCache()).deleteKept(url);
}

function fileCache() {
  return packagePart(import('../support/file_cache.js'));
}
