// @ts-check

/** The package's unmodified examples with MLTensors, for test_delegate_on_polyfill.py. */

import { effectsOn } from '/examples/buffer_reuse.mjs';
import { fibonacci } from '/examples/chained_inference.mjs';
import { oneAfterTheOther } from '/examples/resource_management.mjs';
import { loadTFLiteModel } from '/package/index.mjs';

/** Runs them on /exchange/sin and /exchange/add. @param {number[]} values */
export async function run(values) {
  const [x, sin] = [Float32Array.from(values), '/exchange/sin'];
  const webnnDelegateOptions = { ignorePartitionCost: true };
  const model = await loadTFLiteModel(sin, { enableWebnnDelegate: true, webnnDelegateOptions });
  const { backend } = (await model.report()).webnn;
  model.dispose();
  const effects = [];
  for (const effect of await effectsOn(x, [sin, sin])) effects.push([...effect]);
  const chain = [...(await oneAfterTheOther(x, sin, sin))];
  return { backend, effects, chain, number: await fibonacci('/exchange/add', 40) };
}
