/** Whose WebNN a model gets: the browser's, or the polyfill's. */

import { messageOf } from '../errors.js';
import type { PolyfillEngine, WebnnDelegateOptions } from '../options.js';
import { gpuEngines } from './gpu_presence.js';
import { openWebnn, type PageWebnn, unavailable, type WebnnUnavailable } from './webnn_context.js';
import { type LoadPolyfill, loadPolyfill } from './webnn_polyfill.js';

/** What the choice depends on; tests have their own. */
interface Surroundings {
  readonly openWebnn: typeof openWebnn;
  readonly gpuEngines: typeof gpuEngines;
  readonly loadPolyfill: LoadPolyfill;
}

const HERE: Surroundings = { openWebnn, gpuEngines, loadPolyfill };

/**
 * Makes a context on the browser's WebNN; where it gives none, and a GPU is asked for and there, on the polyfill. What
 * the polyfill does on the CPU, XNNPACK does better without it: that way is only taken when it is asked for. Never throws.
 *
 * @param wasmPath - Where the polyfill finds the wasm module, see the option of this name.
 */
export async function chooseWebnn(
  options: WebnnDelegateOptions,
  wasmPath?: string,
  here: Surroundings = HERE,
): Promise<PageWebnn | WebnnUnavailable> {
  const { polyfill = 'auto', context, devicePreference } = options;
  if (context === undefined && polyfill !== 'auto' && polyfill !== 'never') {
    return openPolyfill(polyfill, options, wasmPath, here);
  }
  const webnn = await here.openWebnn(options);
  if (webnn.context !== null || context !== undefined || polyfill === 'never' || devicePreference !== 'gpu')
    return webnn;
  const reasons = [webnn.reason];
  for (const engine of await here.gpuEngines()) {
    const standIn = await openPolyfill(engine, options, wasmPath, here);
    if (standIn.context !== null) return standIn;
    reasons.push(standIn.reason);
  }
  return unavailable(reasons.join('; '));
}

async function openPolyfill(
  engine: PolyfillEngine,
  options: WebnnDelegateOptions,
  wasmPath: string | undefined,
  here: Surroundings,
): Promise<PageWebnn | WebnnUnavailable> {
  try {
    return await here.openWebnn(options, await here.loadPolyfill(engine, wasmPath));
  } catch (error) {
    return unavailable(`the polyfill (${engine}) is not available: ${messageOf(error)}`);
  }
}
