/** Loads what runs custom ops: only models with the option `customOps` need it. */

import type { CustomOps } from '../custom_op.js';
import { InterpreterError, missingScript, OptionError } from '../errors.js';
import { ADDRESS } from '../option_schema.js';
import { absolute, fileAddress } from '../support/platform.js';
import type { WasmModule } from './wasm_module.js';

/**
 * The module with these custom ops in each of its instances.
 *
 * @param customOps - The ops, or the address of a module with them as its default export.
 * @throws OptionError; WasmLoadError where the script is missing.
 */
export async function withCustomOps(
  loading: Promise<WasmModule>,
  customOps: CustomOps | string | URL | undefined,
): Promise<WasmModule> {
  if (customOps === undefined) return loading;
  const opening = open(customOps);
  const [wasm, ops] = await Promise.all([loading, opening]);
  return ops.within(wasm);
}

async function open(customOps: CustomOps | string | URL) {
  const { openCustomOps } = await import('./custom_ops.mjs').catch((cause: unknown) => {
    throw missingScript(cause);
  });
  const source = ADDRESS[1](customOps) ? new URL(absolute(fileAddress(`${customOps}`))) : customOps;
  return openCustomOps(source as CustomOps | URL, {
    ofOption: (message, context) => new OptionError(message, context),
    ofNode: (message, context) => new InterpreterError('CUSTOM_OP_FAILED', message, context),
  });
}
