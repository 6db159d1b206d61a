/** Where WebNN is: a browser's globals, or the object that the polyfill's webnnOf() returns. */

import type { ML, MLContext, MLContextOptions, MLGraphBuilder } from 'webnn-polyfill';

/** The part of a global scope that WebNN is. */
export interface WebnnScope {
  readonly navigator?: { readonly ml?: ML };
  readonly MLGraphBuilder?: new (context: MLContext) => MLGraphBuilder;
}

/** A scope that has WebNN. */
export interface Webnn {
  readonly ml: ML;
  readonly MLGraphBuilder: new (context: MLContext) => MLGraphBuilder;
}

/**
 * Takes WebNN from a scope.
 *
 * @throws Error if there is none.
 */
export function webnnIn(scope: object = globalThis): Webnn {
  const { navigator, MLGraphBuilder } = scope as WebnnScope;
  if (!navigator?.ml || !MLGraphBuilder) throw new Error('this browser has no WebNN: navigator.ml is missing');
  return { ml: navigator.ml, MLGraphBuilder };
}

/** Pauses before further attempts to create a context: the GPU process starts again. */
const RETRY_MS = [0, 100, 400, 1000];

/** Creates a context; null if the browser creates none any more. */
export async function openContext({ ml }: Webnn, options: MLContextOptions): Promise<MLContext | null> {
  for (const delayMs of RETRY_MS) {
    await pause(delayMs);
    const context = await ml.createContext(options).catch(() => null);
    if (context !== null) return context;
  }
  return null;
}

/** Waits. */
export function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
