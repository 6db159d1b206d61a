/** Installs the polyfill with a provided engine where pages look for WebNN. */

import { INTERFACE_OBJECTS, ML } from './api/ml.js';
import type { Engine } from './engine.js';
import { toPage } from './webidl/interfaces.js';

declare const __VERSION__: string | undefined;

/**
 * The version of the package, defined by js/scripts/bundling.
 *
 * @group polyfill.mjs
 */
export const VERSION = typeof __VERSION__ === 'undefined' ? 'source' : __VERSION__;

/**
 * The value of `navigator.ml.polyfill`.
 *
 * @group polyfill.mjs
 */
export interface PolyfillInfo {
  /** Name of the engine. */
  readonly engine: string;
  /** Version of this package. */
  readonly version: string;
}

/** The used part of a window's or worker's navigator. */
interface NavigatorWithML {
  ml?: { createContext(): Promise<{ destroy?(): void }>; readonly polyfill?: PolyfillInfo };
}

/**
 * The object for the globals: `globalThis`, or the one of `webnnOf()`.
 *
 * @group polyfill.mjs
 */
export interface GlobalScope extends Record<string, unknown> {
  /** The object whose `ml` is WebNN. */
  navigator?: NavigatorWithML;
}

/** `install()` with an engine. */
export function installEngine(
  engine: Engine,
  force = false,
  scope: GlobalScope = globalThis as unknown as GlobalScope,
): Promise<boolean> {
  if (force || scope.navigator?.ml === undefined) {
    put(engine, scope);
    return Promise.resolve(true);
  }
  return installWhereUnusable(scope.navigator.ml, engine, scope);
}

async function installWhereUnusable(
  native: NonNullable<NavigatorWithML['ml']>,
  engine: Engine,
  scope: GlobalScope,
): Promise<boolean> {
  if (native.polyfill !== undefined) return true;
  try {
    if (scope.MLGraphBuilder === undefined) throw new Error('this WebNN is incomplete');
    const context = await native.createContext();
    context.destroy?.();
    return false;
  } catch {
    // Another call may have forced another engine meanwhile.
    if (scope.navigator?.ml === native) put(engine, scope);
    return true;
  }
}

function put(engine: Engine, scope: GlobalScope): void {
  const ml = toPage(new ML(engine)) as object;
  const polyfill: PolyfillInfo = Object.freeze({ engine: engine.name, version: VERSION });
  Object.defineProperty(ml, 'polyfill', { value: polyfill });
  for (const [name, value] of Object.entries(INTERFACE_OBJECTS)) {
    defineHidden(scope, name, value);
  }
  // Clients of WebNN name it without asking, in browsers without WebGPU, too.
  if (!('GPUDevice' in globalThis)) defineHidden(scope, 'GPUDevice', GPUDevice);
  // Node 20 has no navigator.
  scope.navigator ??= {};
  defineMl(scope.navigator, ml);
}

function defineHidden(scope: GlobalScope, name: string, value: unknown): void {
  Object.defineProperty(scope, name, { value, writable: true, enumerable: false, configurable: true });
}

/** WebGPU's interface, of which there is no object here. */
class GPUDevice {
  constructor() {
    throw new TypeError('Illegal constructor');
  }
}

/** Defines an attribute of the interface if there is one, as in the IDL; else of the object. */
function defineMl(navigator: object, ml: object): void {
  const prototype = Object.getPrototypeOf(navigator) as object;
  const target = prototype === Object.prototype ? navigator : prototype;
  const accessor = {
    get ml(): object {
      if (this !== navigator) throw new TypeError('Illegal invocation');
      return ml;
    },
  };
  Object.defineProperty(target, 'ml', Object.getOwnPropertyDescriptor(accessor, 'ml') as PropertyDescriptor);
}
