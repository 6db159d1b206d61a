/** Loads a model on the fake wasm and on fake contexts. */

import type { TFLiteModelOptions } from 'tflite-webnn';
import { TFLiteModel } from '../../src/load/tflite_model.js';
import { RecoveringModel } from '../../src/model/recovering_model.js';
import { runnerOptions } from '../../src/model/runner_options.js';
import { reportOn } from '../../src/report/report.js';
import { type FakeRunner, FakeWasm } from './fake_wasm.js';
import { backendOn, type FakeContext } from './fake_webnn.js';

const OPTIONS: TFLiteModelOptions = { enableWebnnDelegate: true };

/** A model on the first context; the others are what the browser provides after losses, one by one (null: nothing). */
export async function loadOn(
  contexts: readonly (FakeContext | null)[],
  behaviour: FakeRunner,
  more: TFLiteModelOptions = {},
  model: Uint8Array = new Uint8Array(8),
): Promise<TFLiteModel> {
  const options = { ...OPTIONS, ...more };
  const wasm = new FakeWasm(behaviour);
  const backends = contexts.map((context) => context && backendOn(context));
  const reopenWebnn = async () => backends.shift() ?? { context: null, reason: 'the GPU is gone' };
  const parts = { wasm, model, options: runnerOptions(options), webnn: await reopenWebnn(), reopenWebnn };
  const recovering = await RecoveringModel.prepare(parts);
  return new TFLiteModel(recovering, () => reportOn(recovering, options, wasm, 0));
}

/** What a context still holds: everything that it created and nobody destroyed. */
export function leftOn({ calls }: FakeContext): string[] {
  const created = calls.flatMap((call) => /^(?:create|build) (\w+)/.exec(call)?.[1] ?? []);
  return created.filter((name) => !calls.includes(`destroy ${name}`));
}
