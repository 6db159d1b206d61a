/**
 * Runs custom ops in JavaScript: what wasm/runtime/module/javascript_ops.cc calls. It is the script custom_ops.mjs, which
 * is loaded with the first model that has any.
 */

import type { CustomOp, CustomOps } from '../custom_op.js';
import type { ErrorContext } from '../errors.js';
import { shown } from '../support/option_check.js';
import { CustomOpsHost, textOf } from './custom_ops_host.js';
import type { WasmModule } from './wasm_module.js';

/** The errors of the script that has loaded this one. */
export interface CustomOpErrors {
  ofOption(message: string, context: ErrorContext): Error;
  ofNode(message: string, context: ErrorContext): Error;
}

/** Custom ops that were checked. */
export interface OpenCustomOps {
  /** The same module with these ops in each instance. */
  within(wasm: WasmModule): WasmModule;
}

/** Ends with an error about an option. */
type Reject = (option: string, problem: string, context?: ErrorContext) => never;

/**
 * Checks custom ops.
 *
 * @param source - The ops, or the address of a module with them as its default export.
 * @throws what errors.ofOption() makes.
 */
export async function openCustomOps(source: CustomOps | URL, errors: CustomOpErrors): Promise<OpenCustomOps> {
  const reject: Reject = (option, problem, context = {}) => {
    throw errors.ofOption(`the option "${option}" ${problem}`, { ...context, details: { option } });
  };
  const ops = new Map(Object.entries(source instanceof URL ? await importOps(source, reject) : source));
  for (const [name, op] of ops) checkOp(name, op, reject);
  return { within: (wasm) => withOps(wasm, ops, errors) };
}

async function importOps(address: URL, reject: Reject): Promise<CustomOps> {
  const module: { default?: unknown } = await import(/* @vite-ignore */ /* webpackIgnore: true */ address.href).catch(
    (cause: unknown) => reject('customOps', `could not be imported from ${address.href} (${textOf(cause)})`, { cause }),
  );
  if (isObject(module.default)) return module.default as CustomOps;
  const example = 'export default { NAME: { run(inputs, outputs) { … } } }';
  return reject('customOps', `is a module without ops: ${address.href} needs "${example}"`);
}

function checkOp(name: string, op: CustomOp, reject: Reject): void {
  const option = `customOps.${name}`;
  if (name === '' || /[\0\n]/.test(name)) reject(option, 'is no name of an op');
  if (!isObject(op)) reject(option, `is an object with the function run; it was given ${shown(op)}`);
  const { prepare = () => undefined, run } = op;
  for (const [part, value] of Object.entries({ prepare, run })) {
    if (typeof value !== 'function') reject(`${option}.${part}`, `is a function; it was given ${shown(value)}`);
  }
}

/** A module with threads may become one without: its members are read each time. */
function withOps(wasm: WasmModule, ops: ReadonlyMap<string, CustomOp>, errors: CustomOpErrors): WasmModule {
  return {
    get variant() {
      return wasm.variant;
    },
    get threads() {
      return wasm.threads;
    },
    get threadsReason() {
      return wasm.threadsReason;
    },
    async instantiate(isEarly) {
      const instance = await wasm.instantiate(isEarly);
      instance.bindings.customOps = new CustomOpsHost(instance.bindings, ops, errors.ofNode);
      return instance;
    },
  };
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
