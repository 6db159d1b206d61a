/** Runs in a browser with WebNN: the same graphs on it and on the polyfill's tflite engine. */

import { answerTo, type ComputeAnswer, type ComputeRequest, type WebNN } from '../tools/embedded_graph.js';

interface Package {
  tfliteEngine(options: object): unknown;
  webnnOf(engine: unknown): WebNN;
}

/** What each computed. */
export interface BothAnswers {
  readonly native: ComputeAnswer;
  readonly polyfill: ComputeAnswer;
}

/** Computes each graph on both; `url` is that of the package's polyfill.mjs. */
export async function computeOnBoth(url: string, requests: readonly ComputeRequest[]): Promise<BothAnswers[]> {
  const { tfliteEngine, webnnOf } = (await import(url)) as Package;
  // In this thread: every graph has a context of its own here, and would have a worker of its own.
  const polyfill = webnnOf(tfliteEngine({ thread: 'own' }));
  const native = globalThis as unknown as WebNN;
  const answers: BothAnswers[] = [];
  for (const request of requests) {
    answers.push({ native: await answerTo(native, request), polyfill: await answerTo(polyfill, request) });
  }
  return answers;
}
