// @ts-check

/** Tasks of the package on texts, for test_tfjs_text_tasks.py. */

import { BertNLClassifier, BertQuestionAnswerer, NLClassifier } from '/package/tasks.mjs';

const TASKS = { BertNLClassifier, BertQuestionAnswerer, NLClassifier };

/**
 * Runs a task. -> the execution mode, and the result of each call
 *
 * @param {keyof typeof TASKS} task
 * @param {string} method
 * @param {string} url of its model
 * @param {string[][]} calls the arguments of each
 * @param {import('tflite-webnn').TFLiteModelOptions} loading
 */
export async function runTextTask(task, method, url, calls, loading) {
  const limits = task === 'BertQuestionAnswerer' ? {} : { k: 10 };
  await using client = await TASKS[task].create(url, { ...limits, ...loading, truncate: true });
  const { executionMode } = await /** @type {import('tflite-webnn').TFLiteModel} */ (client.model).report();
  const call = /** @type {any} */ (client)[method].bind(client);
  return { executionMode, results: await Promise.all(calls.map((values) => call(...values))) };
}
