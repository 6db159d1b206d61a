/** Runs in any browser: the cases of all operators on the polyfill, with an engine that computes nothing. */

import type { GlobalScope, ML, MLContext, MLGraphBuilder } from 'webnn-polyfill';
import { installEngine } from '../../src/install_engine.js'; // the entry needs the package's scripts next to it
import { outcomeOf } from '../cases/case.js';
import { CASES } from '../cases/every_operator.js';
import { FakeEngine } from '../fakes/engine.js';

/** The calls with unexpected outcomes, each with both outcomes; and the number of calls. */
export async function failingCases(): Promise<{ count: number; failing: string[] }> {
  const scope: GlobalScope = {};
  await installEngine(new FakeEngine(), false, scope);
  const ml = scope.navigator?.ml as unknown as ML;
  const Builder = scope.MLGraphBuilder as new (context: MLContext) => MLGraphBuilder;
  const context = await ml.createContext();
  const results = Object.entries(CASES).flatMap(([op, cases]) =>
    cases.map(([title, args, expected]) => ({ op, title, expected, found: outcomeOf(new Builder(context), op, args) })),
  );
  const failing = results.filter(({ expected, found }) => expected !== found);
  return {
    count: results.length,
    failing: failing.map(({ op, title, expected, found }) => `${op}, ${title}: ${found}, not ${expected}`),
  };
}
