/** The cases of the operators in a page, on a GPU; made a classic script for web_tests. */

import type { ML, MLContext, MLGraphBuilder } from '../../src/generated/webnn_types.js';
import { ALL_CASES } from '../tfjs/cases/all.js';
import { differences, type Inputs, outputsOf } from '../tfjs/run_case.js';

/** What `webnnOf` gives. */
interface Webnn {
  readonly navigator: { readonly ml: ML };
  readonly MLGraphBuilder: new (context: MLContext) => MLGraphBuilder;
}

/** Shaders may compute sine and cosine with an error of 2^-11 (https://www.w3.org/TR/WGSL/#concrete-float-accuracy). */
const OF_SHADERS: Readonly<Record<string, number>> = { cos: 2 ** -11, sin: 2 ** -11, tan: 2 ** -9 };

/** What is wrong, by the names of the cases in which something is; and how many cases there are. */
export async function run(
  { navigator, MLGraphBuilder }: Webnn,
  which: 'all' | 'one of each',
  inputs: Inputs = 'first',
) {
  const context = await navigator.ml.createContext({ accelerated: true });
  const problems: Record<string, string[]> = {};
  const cases = which === 'all' ? ALL_CASES : [...new Map(ALL_CASES.map((row) => [row.op, row])).values()];
  for (const row of cases) {
    const found = await outputsOf(MLGraphBuilder, context, row, inputs).then(
      (outputs) => differences({ ...row, tolerance: OF_SHADERS[row.op] ?? row.tolerance }, outputs),
      (error: Error) => [`${error.name}: ${error.message}; ${error.cause}`],
    );
    if (found.length > 0) problems[`${row.op} ${row.what}`.trim()] = found;
  }
  context.destroy();
  return { count: cases.length, problems };
}
