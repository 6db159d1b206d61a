/** Commands of tests to the browser, for what no page can do. */

import { fileURLToPath } from 'node:url';
import type { BrowserCommand } from 'vitest/node';
import '@vitest/browser/providers/playwright';

const image = fileURLToPath(new URL('../../build/browser_tests/chelsea.png', import.meta.url));

/** The addresses of the workers that the page has now. */
const workerAddresses: BrowserCommand<[]> = ({ page }) => page.workers().map((worker) => worker.url());

/** Serves an image at an address of another origin, for every page to show. */
const serveElsewhere: BrowserCommand<[address: string]> = ({ context }, address) =>
  context.route(address, (route) =>
    route.fulfill({
      path: image,
      headers: { 'Cross-Origin-Resource-Policy': 'cross-origin', 'Content-Type': 'image/png' },
    }),
  );

export const commands = { workerAddresses, serveElsewhere };
