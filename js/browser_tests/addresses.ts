/** What web_tests/drivers/browser_tests.py writes for these tests. Nothing here is vitest's: workers import it, too. */

import type { TFLiteModelOptions } from 'tflite-webnn';

/** WebNN gets all that it supports, whatever the estimate of costs says. */
export const WEBNN = {
  enableWebnnDelegate: true,
  webnnDelegateOptions: { ignorePartitionCost: true },
  numThreads: 1,
} as const satisfies TFLiteModelOptions;
export const CPU = { device: 'cpu', numThreads: 1 } as const satisfies TFLiteModelOptions;

/** The address of a model. */
export const addressOf = (model: string): string => `/fixtures/${model}.tflite`;

/** The bytes of a model. */
export const bytesOf = async (model: string): Promise<ArrayBuffer> => (await fetch(addressOf(model))).arrayBuffer();

/** The bytes of the input that a real model is tested with. */
export const inputOf = async (model: string): Promise<ArrayBuffer> =>
  (await fetch(`/fixtures/${model}.input`)).arrayBuffer();

/** What native LiteRT computes, from a file of JSON. */
export const nativeOf = async <Values>(name: string): Promise<Values> => (await fetch(`/fixtures/${name}.json`)).json();
