/** The polyfill's entry: chooses the engine by its name. */

import type { Engine } from './engine.js';
import { DEFAULT_ENGINE, type EngineName, engineOf } from './engines.js';
import { type GlobalScope, installEngine } from './install_engine.js';

/**
 * How to install.
 *
 * @group polyfill.mjs
 */
export interface InstallOptions {
  /** What computes: the name of an engine, or an engine that was made with options. Default: `tflite`. */
  engine?: EngineName | Engine;
  /** Whether to replace a WebNN that works, too. */
  force?: boolean;
}

/**
 * Installs `navigator.ml` and the interfaces where WebNN is missing, or where it gives no context; with `force`
 * everywhere. Where it is missing or forced, that has happened when the call returns, before the promise resolves.
 *
 * @param options - The engine, and whether to replace what works.
 * @returns whether the polyfill is what `navigator.ml` is now.
 * @group polyfill.mjs
 */
export function install(options: InstallOptions = {}): Promise<boolean> {
  const { engine = DEFAULT_ENGINE, force = false } = options;
  return installEngine(engineOf(engine), force);
}

/**
 * WebNN as an engine computes it, without installing it: an object with what `install` makes global, `navigator.ml` and
 * the interfaces. What the page has stays as it is.
 *
 * @param engine - The name of an engine, or an engine that was made with options.
 * @group polyfill.mjs
 */
export function webnnOf(engine: EngineName | Engine = DEFAULT_ENGINE): GlobalScope {
  const scope: GlobalScope = {};
  void installEngine(engineOf(engine), true, scope); // done at once where it is forced
  return scope;
}
