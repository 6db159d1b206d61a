/** The engines by their names. */

import type { Engine } from './engine.js';
import { webglEngine, webgpuEngine } from './gpu_engines.js';
import { tfliteEngine } from './tflite/engine/tflite_engine.js';

const ENGINES = {
  tflite: (): Engine => tfliteEngine(),
  webgpu: (): Engine => webgpuEngine(),
  webgl: (): Engine => webglEngine(),
};

/**
 * Name of an engine.
 *
 * @group polyfill.mjs
 */
export type EngineName = keyof typeof ENGINES;

/** The engine of a page that does not choose one. */
export const DEFAULT_ENGINE: EngineName = 'tflite';

/** Names of all engines. */
export const ENGINE_NAMES = Object.keys(ENGINES) as readonly EngineName[];

/** The engine of a name, or the page's own. Loads nothing yet. */
export function engineOf(engine: EngineName | Engine): Engine {
  return typeof engine === 'string' ? ENGINES[engine]() : engine;
}
