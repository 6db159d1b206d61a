declare const __VERSION__: string | undefined;

/**
 * The version of the package; js/scripts.py puts it there.
 *
 * @group polyfill.mjs
 */
export const VERSION = typeof __VERSION__ === 'undefined' ? 'source' : __VERSION__;
