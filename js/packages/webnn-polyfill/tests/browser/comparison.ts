/** Runs in a browser with WebNN: the same calls on it and on the polyfill, which gets the browser's limits. */

import type { GlobalScope, ML, MLContext, MLGraphBuilder, MLOpSupportLimits } from 'webnn-polyfill';
import { installEngine } from '../../src/install_engine.js'; // the entry needs the package's scripts next to it
import { outcomeOf } from '../cases/case.js';
import { CALLS, outcomeOfCall, type WebNN } from '../cases/context_calls.js';
import { CASES } from '../cases/every_operator.js';
import { FakeEngine } from '../fakes/engine.js';

/** One call and its outcomes. */
export interface Comparison {
  readonly call: string;
  readonly native: string;
  readonly polyfill: string;
}

interface WebnnGlobals {
  readonly navigator: { readonly ml: ML };
  readonly MLGraphBuilder: new (context: MLContext) => MLGraphBuilder;
}

async function open({ navigator: { ml }, MLGraphBuilder }: WebnnGlobals): Promise<WebNN> {
  return { ml, context: await ml.createContext(), MLGraphBuilder };
}

async function polyfillWith(limits: MLOpSupportLimits): Promise<WebNN> {
  const scope: GlobalScope = {};
  await installEngine(new FakeEngine(limits), true, scope);
  return await open(scope as unknown as WebnnGlobals);
}

async function both(): Promise<{ native: WebNN; polyfill: WebNN }> {
  const native = await open(globalThis as unknown as WebnnGlobals);
  return { native, polyfill: await polyfillWith(native.context.opSupportLimits()) };
}

/** All cases of the operators. */
export async function compareOperators(): Promise<Comparison[]> {
  const { native, polyfill } = await both();
  const outcome = ({ MLGraphBuilder, context }: WebNN, op: string, args: Parameters<typeof outcomeOf>[2]) =>
    outcomeOf(new MLGraphBuilder(context), op, args);
  return Object.entries(CASES).flatMap(([op, cases]) =>
    cases.map(([title, args]) => ({
      call: `${op}: ${title}`,
      native: outcome(native, op, args),
      polyfill: outcome(polyfill, op, args),
    })),
  );
}

/** All calls of the remaining API. */
export async function compareCalls(): Promise<Comparison[]> {
  const { native, polyfill } = await both();
  const results: Comparison[] = [];
  for (const [title, call] of Object.entries(CALLS)) {
    results.push({
      call: title,
      native: await outcomeOfCall(call, native),
      polyfill: await outcomeOfCall(call, polyfill),
    });
  }
  return results;
}
