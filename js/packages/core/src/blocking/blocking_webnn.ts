/**
 * Contexts for blocking mode. The models of one thread share a helper worker, which goes with the last of them; one
 * that the caller provided remains.
 */

import { BlockingError } from '../errors.js';
import type { HelperSource, WebnnDelegateOptions } from '../options.js';
import {
  type PageWebnn,
  preferencesOf,
  unavailable,
  type WebnnContext,
  type WebnnUnavailable,
} from '../webnn/webnn_context.js';
import { BlockingHelper, type HelperContext, isAddress } from './blocking_helper.js';

/** A context in a helper worker, for blocking mode: graphs are built and computed there. */
export interface HelperWebnn extends WebnnContext {
  readonly context: HelperContext;
  readonly Builder: null;
}

/** A usable WebNN context. */
export type WebnnBackend = PageWebnn | HelperWebnn;

interface HelperInUse {
  readonly helper: Promise<BlockingHelper>;
  users: number;
}

const helpers = new Map<HelperSource | undefined, HelperInUse>();

/**
 * Creates a context in a helper worker.
 *
 * @param wasmPath - Where the polyfill finds the wasm module.
 * @throws BlockingError where this thread must not sleep, or a context was provided; WorkerFailedError where the helper
 *   does not start.
 */
export async function openBlockingWebnn(
  options: WebnnDelegateOptions,
  wasmPath?: string,
): Promise<HelperWebnn | WebnnUnavailable> {
  if (options.context !== undefined) {
    throw new BlockingError(
      'Blocking mode creates its MLContext in a helper worker: webnnDelegateOptions has `context` or `blocking`, not both.',
    );
  }
  const source = options.blockingHelper;
  const shared = helpers.get(source) ?? { helper: BlockingHelper.start(source), users: 0 };
  helpers.set(source, shared);
  shared.users++;
  const leave = () => {
    // The caller's own worker accepts one helper only, which remains for later models.
    if (--shared.users > 0 || (source !== undefined && !isAddress(source))) return;
    if (helpers.get(source) === shared) helpers.delete(source);
    shared.helper.then((helper) => helper.terminate()).catch(() => undefined);
  };
  try {
    const { polyfill = 'auto' } = options;
    const context = (await shared.helper).open({ ...preferencesOf(options), polyfill, wasmPath });
    if (typeof context === 'string') {
      leave();
      return unavailable(context);
    }
    context.onDestroyed = leave;
    return helperWebnn(context);
  } catch (error) {
    leave();
    throw error;
  }
}

/** A context in the helper, as what a model is prepared for. */
export function helperWebnn(context: HelperContext): HelperWebnn {
  const { limits, backend } = context;
  return {
    context,
    Builder: null,
    limits,
    backend,
    owned: true,
    get lostReason() {
      return context.failure;
    },
  };
}
