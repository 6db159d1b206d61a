/** Parts of the package that are loaded when they are needed. */

import { messageOf, PackageFileError } from '../errors.js';

/**
 * Waits for a script of the package.
 *
 * @throws PackageFileError where it is not there.
 */
export async function packagePart<T>(importing: Promise<T>): Promise<T> {
  try {
    return await importing;
  } catch (error) {
    const message = `A script could not be loaded: ${messageOf(error)}. Is it beside index.mjs?`;
    throw new PackageFileError(message, { cause: error });
  }
}
