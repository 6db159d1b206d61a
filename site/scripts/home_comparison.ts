/** The home page's comparison with other runtimes: fetched when the visitor starts it. */

import { hostedCandidate, inputsOf } from './benchmark/host.js';
import { makeInputs } from './benchmark/inputs.js';
import { runBenchmark } from './benchmark/run_benchmark.js';
import { runtimesFor } from './benchmark/runtime.js';
import type { Asset } from './common/assets.js';
import { capability } from './common/capabilities.js';
import { download } from './common/download.js';
import { type Bar, ratioText } from './demos/bars.js';

const ROUNDS = 20;
// One thread each: the page is not isolated.
const TITLES: Readonly<Record<string, string>> = {
  'tflite-webnn/webnn': 'WebNN',
  'tflite-webnn/cpu': 'CPU',
  'litert.js/wasm': 'LiteRT.js on the CPU',
  'tfjs-tflite/simd': 'tfjs-tflite on the CPU',
};
const OWN_CPU = 'tflite-webnn/cpu';

/** What was measured. */
export interface Comparison {
  readonly bars: readonly Bar[];
  /** This project's CPU next to each of the others. */
  readonly ratios: readonly string[];
  /** Why a runtime has no bar. */
  readonly failures: readonly string[];
}

/**
 * Runs a model on each runtime that this browser has, interleaved.
 *
 * @param onProgress - What happens, and its share of all.
 * @throws DownloadError
 */
export async function compareRuntimes(
  model: Asset & { readonly name: string },
  onProgress: (text: string, share: number) => void,
): Promise<Comparison> {
  const bytes = await download(model);
  const [webnn, jspi, threads] = [await capability('webnn'), await capability('jspi'), await capability('threads')];
  const known = runtimesFor({ webnn, jspi, threads }, 1);
  const runtimes = known.filter(({ name, missing }) => name in TITLES && missing === null);
  const file = { name: model.name, bytes, isOwn: false };
  const infos = await inputsOf(file);
  const inputs = { infos, values: makeInputs(infos) };
  const rows = await runBenchmark(runtimes, (runtime) => hostedCandidate(runtime, file, inputs), {
    rounds: ROUNDS,
    signal: new AbortController().signal,
    onProgress: ({ text, done, total }) => onProgress(text, done / total),
  });
  const titled = rows.map((row) => ({ ...row, title: TITLES[row.runtime.name] as string }));
  const bars = titled.flatMap(({ title, ms }) => (ms ? [{ title, ms: ms.median }] : []));
  const own = bars.find(({ title }) => title === TITLES[OWN_CPU]);
  const others = bars.filter(({ title }) => title !== own?.title && title !== TITLES['tflite-webnn/webnn']);
  return {
    bars,
    ratios: own ? others.map((other) => ratioText({ ...own, title: 'This project on the CPU' }, other)) : [],
    failures: titled.flatMap(({ title, failure }) => (failure ? [`${title}: ${failure}`] : [])),
  };
}
