/** The polyfill's entry: chooses the engine by its name. */

import type { Engine } from './engine.js';
import { DEFAULT_ENGINE, type EngineName, engineOf } from './engines.js';
import { installEngine } from './install_engine.js';

/** How to install. */
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
 * @returns whether the polyfill is what `navigator.ml` is now.
 */
export function install({ engine = DEFAULT_ENGINE, force = false }: InstallOptions = {}): Promise<boolean> {
  return installEngine(engineOf(engine), force);
}
