/** The classic script: installs itself. Its global `webnnPolyfill` has the exports of the module, and {@link ready}. */

import { install } from './index.js';

export * from './index.js';

/** Settles when the need for the polyfill is decided; with whether `navigator.ml` is the polyfill's now. */
export const ready: Promise<boolean> = install();
