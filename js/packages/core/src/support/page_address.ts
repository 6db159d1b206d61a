/** Addresses as the page means them. */

import { OptionError } from '../errors.js';

/**
 * The address of this script, or of one beside it. By another name than `import.meta.url`, so that bundlers do not take
 * every address relative to it for a file to carry along, as the worker with everybody's page.
 */
export const SCRIPT_URL = import.meta.url;

/**
 * Addresses are relative to the page, also in the worker, whose own address is another one.
 *
 * @throws OptionError for what is none.
 */
export function absolute(url: string | URL): string {
  const base = (globalThis as { document?: Document }).document?.baseURI ?? globalThis.location?.href ?? SCRIPT_URL;
  try {
    return new URL(url, base).href;
  } catch (cause) {
    throw new OptionError(`"${url}" is not a whole address.`, { cause });
  }
}
