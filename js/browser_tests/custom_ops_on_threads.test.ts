/** Functions of `customOps` next to threads. */

// needs: variants

import { loadTFLiteModel, type TFLiteModel } from 'tflite-webnn';
import { describe, expect, it } from 'vitest';
import { load, ONE_TO_FOUR, onFloats } from './custom_op.js';
import { addressOf, errorOf, expectClose, floats } from './fixtures.js';

it.each([1, 2])('%i threads share their memory with the functions', async (numThreads) => {
  const options = { device: 'cpu', numThreads, customOps: '/examples/custom_ops.mjs' } as const;
  const model = await loadTFLiteModel(addressOf('two_ops'), options);
  const [y] = await model.run(Float32Array.of(0, 1, 2, 3, -1, -2, 0.1, 0.2));
  const expected = [1, 2, 3].map((x) => (2 * 2 * x) / (1 + 2 * x));
  expectClose(floats(y), expected, 1e-5);
  expect((await model.report()).variant.endsWith('-threads')).toBe(numThreads === 2);
});

describe.each([1, 3])('a run with %i threads cannot use its own model', (numThreads) => {
  const REENTRIES: Record<string, (model: TFLiteModel, x: Float32Array) => unknown> = {
    'run()': (model, x) => model.run(x.slice()),
    'runSync()': (model, x) => model.runSync(x.slice()),
    'runSignature()': (model) => model.runSignature('main', {}),
    'dispose()': (model) => model.dispose(),
  };
  const rows = (['run', 'runSync'] as const).flatMap((outer) =>
    Object.entries(REENTRIES).map((row) => [outer, ...row] as const),
  );
  it.each(rows)('in %s(): %s', async (outer, _, use) => {
    let inner: Promise<Error> | undefined;
    const op = onFloats((x, y) => {
      const used = use(model, x);
      if (used instanceof Promise) inner = errorOf(used);
      y.set(x);
    });
    const model = await load('mine_float32', op, { device: 'cpu', numThreads });
    const outcome = await Promise.resolve()
      .then(() => model[outer](ONE_TO_FOUR()))
      .catch((error: Error) => error);
    const error = (await inner) ?? (outcome as Error);
    expect(error.message).toContain(
      "The custom op 'Mine' (node 0) used its own model, which waits for it: use the model after its run.",
    );
    model.dispose();
  });
});
