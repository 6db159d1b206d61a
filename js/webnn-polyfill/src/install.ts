/** The polyfill's entry: chooses the engine by name. */

import type { Engine } from './engine.js';
import { DEFAULT_ENGINE, type EngineName, engineOf } from './engines.js';
import { type GlobalScope, installEngine } from './install_engine.js';

/**
 * Options of `install`.
 *
 * @group polyfill.mjs
 */
export interface InstallOptions {
  /** The name of an engine, or an engine object. Default: `tflite`. */
  engine?: EngineName | Engine;
  /** Whether to replace a working WebNN, too. */
  force?: boolean;
}

/**
 * Installs `navigator.ml` and the interfaces if WebNN is missing, or opens no context; with `force`,
 * always. If WebNN is missing or `force` is set, that happens before the call returns.
 *
 * @param options - The engine, and whether to replace a working WebNN.
 * @returns whether `navigator.ml` is the polyfill now.
 * @group polyfill.mjs
 */
export function install(options: InstallOptions = {}): Promise<boolean> {
  const { engine = DEFAULT_ENGINE, force = false } = options;
  return installEngine(engineOf(engine), force);
}

/**
 * WebNN on an engine, without installing it: an object with the globals of `install`, `navigator.ml` and
 * the interfaces. The page's own globals stay unchanged.
 *
 * @param engine - The name of an engine, or an engine object.
 * @group polyfill.mjs
 */
export function webnnOf(engine: EngineName | Engine = DEFAULT_ENGINE): GlobalScope {
  const scope: GlobalScope = {};
  void installEngine(engineOf(engine), true, scope); // synchronous if forced
  return scope;
}
