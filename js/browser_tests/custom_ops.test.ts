/** The option `customOps` in pages: the guide's ops on WebNN, on the polyfill and on the CPU, here and in a worker. */

import * as tflite from 'tflite-webnn';
import { TFLiteWorker } from 'tflite-webnn/worker';
import { describe, expect, it } from 'vitest';
import customOps from '../apps/examples/custom_ops.mjs';
import { addressOf, errorOf, expectClose, floats } from './fixtures.js';

const X = Float32Array.from({ length: 8 }, (_, at) => -2 + (at * 4) / 7);
const THRESHOLD = 128 / 255;
/** y = 2 * AboveThreshold(Softsign(2 * x)) */
const EXPECTED = [...X]
  .map((x) => (2 * x) / (1 + Math.abs(2 * x)))
  .filter((sign) => sign > THRESHOLD)
  .map((sign) => 2 * sign);
const MODEL = addressOf('two_ops');
/** Relative to the page: a worker is elsewhere. */
const ADDRESS = `${'../'.repeat(new URL(document.baseURI).pathname.split('/').length - 2)}examples/custom_ops.mjs`;

const EXECUTIONS = {
  cpu: [{ device: 'cpu' }, 'cpu'],
  webnn: [{ device: 'webnn' }, 'stepped'],
  polyfill: [{ device: 'webnn', webnnDelegateOptions: { polyfill: 'tflite' } }, 'stepped'],
} satisfies Record<string, [tflite.TFLiteModelOptions, tflite.ExecutionMode]>;

const LOADERS = {
  functions: (options: tflite.TFLiteModelOptions) => tflite.loadTFLiteModel(MODEL, { ...options, customOps }),
  'a module': (options: tflite.TFLiteModelOptions) => tflite.loadTFLiteModel(MODEL, { ...options, customOps: ADDRESS }),
  'a module in a worker': (options: tflite.TFLiteModelOptions) =>
    new TFLiteWorker().loadTFLiteModel(MODEL, { ...options, customOps: ADDRESS }),
} satisfies Record<string, (options: tflite.TFLiteModelOptions) => Promise<tflite.Model>>;

describe.each(Object.entries(LOADERS))('the ops of the guide as %s', (_, load) => {
  it.each(Object.entries(EXECUTIONS))('run next to %s', async (_, [options, mode]) => {
    const model = await load(options);
    for (let run = 0; run < 3; run++) {
      const [y] = await model.run(X.slice());
      expect(y.shape).toEqual([EXPECTED.length]);
      expectClose(floats(y), EXPECTED, 1e-5);
    }
    expect(model.executionMode).toBe(mode);
    const { nodes } = await model.report();
    if (mode === 'stepped') {
      expect(nodes[0]).toMatchObject({ op: 'ADD', placement: 'webnn' });
      for (const op of ['Softsign', 'AboveThreshold']) {
        const reason = `a function of the option customOps computes ${op}`;
        expect(nodes).toContainEqual(expect.objectContaining({ op, placement: 'cpu', reason }));
      }
    }
    await model.dispose();
  });
});

it('a classic script imports the functions', async () => {
  const script = Object.assign(document.createElement('script'), { src: '/package/tflite_webnn.js' });
  await new Promise((resolve, reject) => {
    Object.assign(script, { onload: resolve, onerror: reject });
    document.head.append(script);
  });
  const { tfliteWebnn } = globalThis as unknown as { tfliteWebnn: typeof tflite };
  const model = await tfliteWebnn.loadTFLiteModel(MODEL, { customOps: ADDRESS });
  expectClose(floats((await model.run(X.slice()))[0]), EXPECTED, 1e-5);
});

describe('mistakes in functions are typed errors', () => {
  const throwing = {
    run() {
      throw new RangeError('too bad');
    },
  };
  const FAILURES: [ops: unknown, error: new (...parameters: never[]) => Error, message: string][] = [
    [
      { Softsign: throwing },
      tflite.InterpreterError,
      "The custom op 'Softsign' (node 1) failed in run(): RangeError: too bad.",
    ],
    ['/no_such.mjs', tflite.OptionError, 'the option "customOps" could not be imported from '],
    [{ Softsign: 5 }, tflite.OptionError, 'the option "customOps.Softsign" is an object with the function run'],
    [
      undefined,
      tflite.UnsupportedOpError,
      "the model uses the custom op 'Softsign', for which this runtime has no kernel",
    ],
  ];
  const onEach = (['cpu', 'webnn'] as const).flatMap((device) => FAILURES.map((row) => [device, ...row] as const));
  it.each(onEach)('%s: %o', async (device, ops, expectedClass, message) => {
    const options = { device, customOps: ops } as tflite.TFLiteModelOptions;
    const running = tflite
      .loadTFLiteModel(addressOf('softsign_between_nodes'), options)
      .then((model) => model.run(new Float32Array(8)));
    const error = await errorOf(running);
    expect(error).toBeInstanceOf(expectedClass);
    expect(error.message.startsWith(message), error.message).toBe(true);
  });
});

it('functions for a worker are an option error', async () => {
  const loading = new TFLiteWorker().loadTFLiteModel(MODEL, { customOps: { Softsign: { run() {} } } });
  expect((await errorOf(loading)).message).toContain(
    'customOps cannot be passed to a worker as functions, which stay in their thread: pass the address',
  );
});
