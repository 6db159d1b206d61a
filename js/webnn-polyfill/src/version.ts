/** The version of the package; js/scripts.py puts it there. */
declare const __VERSION__: string | undefined;

export const VERSION = typeof __VERSION__ === 'undefined' ? 'source' : __VERSION__;
