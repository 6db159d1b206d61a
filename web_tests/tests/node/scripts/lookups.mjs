// @ts-check

/** Ids that a table lacks, for test_lookups.py. */

import { library } from './package.mjs';

/** Runs, streams and dispatches a model of f32[4,3] and int32[2] with the id 4. -> the codes of the errors */
export async function errorCodes(/** @type {string} */ file) {
  const webnnDelegateOptions = /** @type {const} */ ({ polyfill: 'tflite', ignorePartitionCost: true });
  const model = await library.loadTFLiteModel(file, { enableWebnnDelegate: true, webnnDelegateOptions });
  const inputs = [new Float32Array(12), Int32Array.of(0, 4)];
  const codeOf = (/** @type {() => Promise<unknown>} */ call) =>
    call().then(
      () => 'none',
      (error) => error.code,
    );
  return [
    await codeOf(() => model.run(inputs)),
    await codeOf(async () => {
      for await (const _ of model.stream([inputs])) break;
    }),
    await codeOf(async () => model.dispatch(inputs, [new Float32Array(6)])),
  ];
}
