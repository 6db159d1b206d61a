/** Runs in a window or a worker with WebNN: compares it with the IDL. */

import type { ML, MLContext, MLGraphBuilder } from 'webnn-polyfill';
import { idlProblems } from './idl_check.js';

interface WebnnGlobals {
  readonly navigator: { readonly ml: ML };
  readonly MLGraphBuilder: new (context: MLContext) => MLGraphBuilder;
}

/** Deviations of the interfaces, and of `navigator.ml`. */
export async function problems(): Promise<string[]> {
  const { navigator, MLGraphBuilder } = globalThis as unknown as WebnnGlobals;
  const context = await navigator.ml.createContext();
  const builder = new MLGraphBuilder(context);
  const descriptor = { dataType: 'float32', shape: [2] } as const;
  const operand = builder.relu(builder.input('a', descriptor));
  const instances = {
    ML: navigator.ml,
    MLContext: context,
    MLGraphBuilder: new MLGraphBuilder(context),
    MLGraph: await builder.build({ operand }),
    MLOperand: operand,
    MLTensor: await context.createTensor(descriptor),
  };
  return [...(await idlProblems(globalThis, instances)), ...navigatorProblems(navigator)];
}

function navigatorProblems(navigator: WebnnGlobals['navigator']): string[] {
  const prototype = Object.getPrototypeOf(navigator) as object;
  const { get, set, enumerable, configurable } = Object.getOwnPropertyDescriptor(prototype, 'ml') ?? {};
  const info = {
    'is an attribute': typeof get === 'function' && set === undefined && enumerable && configurable,
    'is the same each time': new Set([navigator.ml, navigator.ml]).size === 1,
    'has no own property of navigator': !Object.hasOwn(navigator, 'ml'),
    'is not passed to others': throws(() => get?.call({})) && throws(() => Reflect.get(prototype, 'ml')),
  };
  return Object.entries(info).flatMap(([what, holds]) => (holds ? [] : [`navigator.ml ${what}: it does not`]));
}

function throws(run: () => unknown): boolean {
  try {
    run();
    return false;
  } catch (error) {
    return error instanceof TypeError;
  }
}
