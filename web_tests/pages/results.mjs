// What run() answers, in the page and in a worker. A program for `Model`: only its loader differs.

import * as tflite from '/package/index.mjs';
import { TFLiteWorker } from '/package/worker.mjs';
import * as tfjs from '/package/tfjs.mjs';
import { addressOf } from './called.mjs';

const outcome = (promise) => promise.then(() => 'fulfilled', (error) => error.code);

const plain = (result) => ({
  ...result,
  data: Array.from(result.data, Number),
  array: result.data.constructor.name,
  real: Array.from(result.dequantized()),
});

const plainByName = (results) =>
  Object.fromEntries(Object.entries(results).map(([name, result]) => [name, plain(result)]));

async function withModel(place, url, options, use) {
  const worker = place === 'worker' ? new TFLiteWorker() : null;
  const load = worker === null ? tflite.loadTFLiteModel : (...all) => worker.loadTFLiteModel(...all);
  const model = await load(addressOf(url), options);
  try {
    return await use(model);
  } finally {
    await model.dispose();
    worker?.dispose();
  }
}

/** Runs quantized_sine() in all kinds -> the answers. */
export function kinds(place, url, options) {
  return withModel(place, url, options, async (model) => {
    const x = () => Float32Array.of(0, 0.5, 1, -1);
    const list = await model.run(x());
    const [sine, steps] = [new Float32Array(4), new Int8Array(4)];
    const written = await model.run({ x: x() }, { outputs: { steps, sine } });
    const streamed = [];
    for await (const results of model.stream([x(), { x: x() }])) streamed.push(results);
    return {
      mode: model.executionMode,
      list: list.map(plain),
      alsoList: (await model.run([x()])).map(plain),
      named: plainByName(await model.run({ x: x() })),
      signature: plainByName(await model.runSignature('main', { x: x() })),
      streamed: [streamed[0].map(plain), plainByName(streamed[1])],
      areGiven: written.steps.data === steps && written.sine.data === sine,
      written: [[...sine], [...steps]],
      predicted: Object.keys(await new tfjs.TFLiteModel(model).predictAsync(x())),
      wrong: [
        await outcome(model.run({ y: x() })),
        await outcome(model.run([x(), x()])),
        await outcome(model.run({ x: x() }, { outputs: { nothing: sine } })),
        await outcome(model.run({ x: x() }, { outputs: { sine: steps } })),
        await outcome(model.runSignature('main', { y: x() })),
      ],
    };
  });
}

/** Runs positives() on each of these values -> the answers, by position. */
export function shapes(place, url, options, values) {
  return withModel(place, url, options, async (model) => {
    const answers = [];
    for (const x of values) answers.push(plain((await model.run(Float32Array.from(x)))[0]));
    const streamed = [];
    const items = values.map((x) => Float32Array.from(x));
    for await (const [places] of model.stream(items)) streamed.push(plain(places));
    return { answers, streamed };
  });
}
