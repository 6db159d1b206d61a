/** The classic script: installs itself. Its global `webnnPolyfill` has the exports of the module, and {@link ready}. */

import { install } from './index.js';

export * from './index.js';

/** Settles when it is decided whether the polyfill is needed; with whether `navigator.ml` is the polyfill's now. */
export const ready: Promise<boolean> = install();
