declare const __VERSION__: string | undefined;

/**
 * The version of the package, defined by js/scripts/bundling.
 *
 * @group polyfill.mjs
 */
export const VERSION = typeof __VERSION__ === 'undefined' ? 'source' : __VERSION__;
