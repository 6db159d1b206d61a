/** The polyfill's entry: chooses the engine by name. */

import { FLAG, type OptionSchema, oneOf, validateOptions } from 'tflite-webnn/wasm';
import type { Engine } from './engine.js';
import { DEFAULT_ENGINE, ENGINE_NAMES, type EngineName, engineOf } from './engines.js';
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

const [SOME_ENGINE, isName] = oneOf(ENGINE_NAMES);
const INSTALL_SCHEMA: OptionSchema<InstallOptions> = {
  engine: [`${SOME_ENGINE}, or an object with open()`, (value) => isName(value) || isEngine(value)],
  force: FLAG,
};

function isEngine(value: unknown): boolean {
  return typeof (value as Partial<Engine> | null)?.open === 'function';
}

/**
 * Installs `navigator.ml` and the interfaces if WebNN is missing, or opens no context; with `force`,
 * always. If WebNN is missing or `force` is set, that happens before the call returns.
 *
 * @param options - The engine, and whether to replace a working WebNN.
 * @returns whether `navigator.ml` is the polyfill now.
 * @throws OptionError for an unknown name, with the nearest one there is, or a value of another kind.
 * @group polyfill.mjs
 */
export async function install(options: InstallOptions = {}): Promise<boolean> {
  validateOptions('', options, INSTALL_SCHEMA);
  const { engine = DEFAULT_ENGINE, force = false } = options;
  return installEngine(engineOf(engine), force);
}

/**
 * WebNN on an engine, without installing it: an object with the globals of `install`, `navigator.ml` and
 * the interfaces. The page's own globals remain unchanged.
 *
 * @param engine - The name of an engine, or an engine object.
 * @throws OptionError if there is no such engine.
 * @group polyfill.mjs
 */
export function webnnOf(engine: EngineName | Engine = DEFAULT_ENGINE): GlobalScope {
  validateOptions('', { engine }, INSTALL_SCHEMA);
  const scope: GlobalScope = {};
  void installEngine(engineOf(engine), true, scope); // synchronous if forced
  return scope;
}
