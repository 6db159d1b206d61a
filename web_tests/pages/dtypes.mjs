// Passes values of every element type through a model that returns them, and checks that nothing is converted silently.

import * as tflite from '/package/index.mjs';
import { addressOf } from './called.mjs';

const Float16 = globalThis.Float16Array;

// Six values each, including the type's extremes; complex ones are two numbers.
const VALUES = {
  float32: () => Float32Array.of(0, -1.5, 3.4e38, 1e-30, Infinity, -0),
  float16: () => (Float16 ? Float16.of(0, -1.5, 65504, 6e-5, Infinity, -0) : Uint16Array.of(0, 48640, 31743, 1007, 31744, 32768)),
  int8: () => Int8Array.of(-128, -1, 0, 1, 2, 127),
  uint8: () => Uint8Array.of(0, 1, 2, 127, 128, 255),
  int16: () => Int16Array.of(-32768, -1, 0, 1, 2, 32767),
  int32: () => Int32Array.of(-2147483648, -1, 0, 1, 16777217, 2147483647),
  uint32: () => Uint32Array.of(0, 1, 2, 16777217, 2147483648, 4294967295),
  int64: () => BigInt64Array.of(-(2n ** 63n), -1n, 0n, 1n, 2n ** 53n + 1n, 2n ** 63n - 1n),
  bool: () => Uint8Array.of(0, 1, 1, 0, 1, 0),
  complex64: () => Float32Array.of(0, -1.5, 3.4e38, 1e-30, Infinity, -0, 1, 2, 3, 4, 5, 6),
  string: () => ['', 'a', 'ä', '🦊', 'two words', '\0'],
};

const outcome = (promise) =>
  promise.then(
    () => 'fulfilled',
    ({ name, code, message }) => ({ name, code, message }),
  );

/** Bytes of an array, which distinguish -0 and NaN. */
const bytesOf = (array) => Array.from(new Uint8Array(array.buffer, array.byteOffset, array.byteLength));

/** Runs the model of a type -> results and rejections. */
export async function through(url, dtype, options) {
  const model = await tflite.loadTFLiteModel(addressOf(url), options); // no `using` here: not every engine has it
  const values = VALUES[dtype]();
  const input = dtype === 'string' ? tflite.encodeStrings(values) : values;
  const [fresh] = await model.run(values);
  const [shaped] = Object.values(await model.run({ x: { data: values, shape: [2, 3] } }));
  const provided = new input.constructor(input.length);
  const [returned] = await model.run([values], { outputs: [provided] });
  const wrong = dtype === 'float64' ? new Float32Array(6) : new Float64Array(6);
  const found = {
    mode: model.executionMode,
    reason: (await model.report()).nodes[0].reason,
    declared: [...model.inputs, ...model.outputs].map((tensor) => tensor.dtype),
    returned: [fresh.dtype, fresh.shape],
    kind: fresh.data.constructor.name,
    areSame: [fresh, shaped, returned].map(({ data }) => String(bytesOf(data)) === String(bytesOf(input))),
    isReused: returned.data === provided,
    wrongType: await outcome(model.run(wrong)),
    wrongShape: await outcome(model.run({ data: values, shape: [3, 2] })),
    wrongCount: await outcome(model.run(values.slice(1))),
    wrongOutput: await outcome(model.run(values, { outputs: [wrong] })),
  };
  model.dispose();
  return found;
}

let running;

/** Loads a model for repeated runs with the same arrays. */
export async function prepareRuns(url, options) {
  const model = await tflite.loadTFLiteModel(addressOf(url), options);
  const inputs = model.inputs.map(({ sizeBytes }) => new Float32Array(sizeBytes / 4));
  const outputs = model.outputs.map(({ sizeBytes }) => new Float32Array(sizeBytes / 4));
  running = { model, inputs, outputs };
  return model.executionMode;
}

/** Runs it -> whether the arrays were the same each time. */
export async function runManyTimes(count) {
  const { model, inputs, outputs } = running;
  const [output] = outputs;
  let areSame = true;
  for (let run = 0; run < count; run++) {
    const results = await model.run(inputs, { outputs });
    areSame &&= results.length === 1 && results[0].data === output;
  }
  return areSame;
}
