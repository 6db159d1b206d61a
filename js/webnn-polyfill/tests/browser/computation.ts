/** Runs in a browser with WebNN: the same graphs on it and on the polyfill's tflite engine. */

import { answerTo, type ComputeAnswer, type ComputeRequest, type WebNN } from '../tools/embedded_graph.js';

interface Package {
  tfliteEngine(options: object): unknown;
  webnnOf(engine: unknown): WebNN;
}

/** What each computed. */
export interface BothAnswers {
  /** Null where it was not asked. */
  readonly native: ComputeAnswer | null;
  readonly polyfill: ComputeAnswer;
}

/**
 * Computes each graph on both.
 *
 * @param url - That of the package's polyfill.mjs.
 * @param forPolyfillOnly - Places of the requests that native WebNN must not get.
 */
export async function computeOnBoth(
  url: string,
  requests: readonly ComputeRequest[],
  forPolyfillOnly: readonly number[],
): Promise<BothAnswers[]> {
  const { tfliteEngine, webnnOf } = (await import(url)) as Package;
  // In this thread: every graph has a context of its own here, and would have a worker of its own.
  const polyfill = webnnOf(tfliteEngine({ thread: 'own' }));
  const native = globalThis as unknown as WebNN;
  const answers: BothAnswers[] = [];
  for (const [place, request] of requests.entries()) {
    const isForBoth = !forPolyfillOnly.includes(place);
    answers.push({
      native: isForBoth ? await answerTo(native, request) : null,
      polyfill: await answerTo(polyfill, request),
    });
  }
  return answers;
}
