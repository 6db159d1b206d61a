/** run()'s results: in the structure of the inputs, with the run's shape; equal in page, worker, WebNN and CPU. */

import type { ListedResults, NamedResults, TensorResult } from 'tflite-webnn';
import { TFLiteModel as TfModel } from 'tflite-webnn/tfjs';
import { describe, expect, it } from 'vitest';
import { EXECUTIONS } from './executions.js';
import { addressOf, errorOf, expectClose, floats } from './fixtures.js';

const [SCALE, ZERO_POINT] = [1 / 64, -3];
const x = () => Float32Array.of(0, 0.5, 1, -1);
const SINES = [...x()].map(Math.sin);

function expectSine(result: TensorResult | undefined): void {
  expect(result).toMatchObject({ name: 'sine', dtype: 'float32', shape: [4], quantization: null });
  expectClose(floats(result), SINES, 1e-6);
  expect(result?.dequantized()).toEqual(result?.data);
}

function expectSteps(result: TensorResult | undefined): void {
  expect(result).toMatchObject({ name: 'steps', dtype: 'int8', shape: [4] });
  if (result?.dtype !== 'int8') return;
  expect(result.data).toBeInstanceOf(Int8Array);
  expect(result.quantization).toEqual({ scales: [SCALE], zeroPoints: [ZERO_POINT], quantizedDimension: 0 });
  expectClose(
    result.data,
    SINES.map((sine) => Math.round(sine / SCALE) + ZERO_POINT),
    1,
  );
  expect([...result.dequantized()]).toEqual([...result.data].map((step) => (step - ZERO_POINT) * SCALE));
}

function expectListed([sine, steps]: ListedResults): void {
  expectSine(sine);
  expectSteps(steps);
}

function expectNamed({ sine, steps, ...others }: NamedResults): void {
  expect(others).toEqual({});
  expectSine(sine);
  expectSteps(steps);
}

describe.each(EXECUTIONS)('%s', (_, load, options, mode) => {
  it('results are a list or a record, as the inputs are', async () => {
    const model = await load(addressOf('quantized_sine'), options);
    expectListed(await model.run(x()));
    expectListed(await model.run([x()]));
    const named = await model.run({ x: x() });
    expectNamed(named);
    expectNamed(await model.runSignature('main', { x: x() }));
    const streamed: unknown[] = [];
    for await (const results of model.stream<Float32Array | { x: Float32Array }>([x(), { x: x() }]))
      streamed.push(results);
    expectListed(streamed[0] as ListedResults);
    expectNamed(streamed[1] as NamedResults);
    expect(model.executionMode).toBe(mode);

    const [sine, steps] = [new Float32Array(4), new Int8Array(4)];
    const written = await model.run({ x: x() }, { outputs: { steps, sine } });
    expect(written.sine?.data).toBe(sine);
    expect(written.steps?.data).toBe(steps);
    expect([sine, steps]).toEqual([named.sine?.data, named.steps?.data]);
    expect(Object.keys((await new TfModel(model).predictAsync(x())) as object)).toEqual(['sine', 'steps']);

    const MISTAKES: [() => Promise<unknown>, code: string][] = [
      [() => model.run({ y: x() }), 'INPUT_NAME'],
      [() => model.run([x(), x()]), 'INPUT_NAME'],
      [() => model.run({ x: x() }, { outputs: { nothing: sine } }), 'OUTPUT_BUFFER'],
      [() => model.run({ x: x() }, { outputs: { sine: steps } }), 'OUTPUT_BUFFER'],
      [() => model.runSignature('main', { y: x() }), 'INPUT_NAME'],
    ];
    for (const [run, code] of MISTAKES) expect((await errorOf(run())).code).toBe(code);
    await model.dispose();
  });

  it('shapes are those of the run', async () => {
    const model = await load(addressOf('positives'), options);
    const inputs = [
      [1, -1, 2, -2, 3, 0],
      [-1, -1, -1, -1, -1, -1],
      [1, 1, 1, 1, 1, 1],
      [0, 0, 0, 0, 0, 5],
    ];
    const items = () => inputs.map((values) => Float32Array.from(values));
    const found: ListedResults[] = [];
    for (const item of items()) found.push(await model.run(item));
    for await (const results of model.stream(items())) found.push(results);
    expect(found.length).toBe(2 * inputs.length);
    for (const [run, [indices]] of found.entries()) {
      const values = inputs[run % inputs.length] as number[];
      const expected = values.flatMap((value, index) => (value > 0 ? [BigInt(index)] : []));
      expect(indices).toMatchObject({ name: 'indices', dtype: 'int64', shape: [expected.length, 1] });
      expect(indices.data).toEqual(BigInt64Array.from(expected));
    }
    await model.dispose();
  });
});
