/** Saves files that a page generates. */

import { create } from './dom.js';

/** Saves a text as a file on the visitor's device. */
export function saveFile(name: string, text: string, type = 'application/json'): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = create('a', { href: url, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  // The browser reads the URL after this task.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
