/** The helper worker of blocking mode, with an address that bundlers recognize. */

import { startHelperWorker } from '../blocking/blocking_helper.js';
import type { HelperWorker } from '../options.js';
import { SCRIPT_URL } from '../support/platform.js';
import { startPackagedWorker } from '../support/start_worker.js';

/**
 * Starts the helper worker of blocking mode. Only bundles need it: elsewhere a model starts its helper itself. It serves
 * any number of models, also one after the other, and ends with its `terminate()`.
 *
 * @returns the value of `webnnDelegateOptions.blockingHelper`.
 * @throws WorkerFailedError if the page's policy forbids workers.
 *
 * @example
 * const webnnDelegateOptions = { blocking: true, blockingHelper: startBlockingHelper() };
 * const model = await loadTFLiteModel('model.tflite', { webnnDelegateOptions });
 */
export function startBlockingHelper(): HelperWorker {
  if (typeof Worker === 'undefined') return startHelperWorker(new URL('./webnn_helper.mjs', SCRIPT_URL));
  const start = () =>
    new Worker(new URL('./webnn_helper.mjs', import.meta.url), { type: 'module', name: 'tflite-webnn helper' });
  return startPackagedWorker(start, './webnn_helper.mjs', SCRIPT_URL, 'tflite-webnn helper');
}
