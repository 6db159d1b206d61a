import { ContextLostError, type MLTensor, ModelDisposedError, type TFLiteModel, WebnnRunError } from 'tflite-webnn';
import { describe, expect, it } from 'vitest';
import type { ModelDescription } from '../src/description.js';
import { ADD } from './fakes/add_model.js';
import { FakeContext } from './fakes/fake_webnn.js';
import { leftOn, loadOn } from './fakes/load_fake.js';
import { DIRECT, expected, ON_CPU, STEPPED, sinRunner } from './fakes/sin_model.js';

async function load(description: ModelDescription = DIRECT, ...contexts: (FakeContext | null)[]) {
  const context = contexts[0] ?? new FakeContext();
  const model = await loadOn([context, ...contexts.slice(1)], sinRunner(description));
  context.takeCalls();
  return { model, context };
}

const X = Float32Array.of(0, 1, 2, -3);
const Y = expected(Array.from(X)).map((value) => expect.closeTo(value, 5));

/** Runs the model through MLTensors that it created. */
async function inferThroughTensors(model: TFLiteModel): Promise<number[]> {
  const [x, y] = await Promise.all([model.createInputTensor('x'), model.createOutputTensor('y')]);
  model.writeTensor(x, X);
  model.dispatch(x, y);
  const result = await model.readTensor(y);
  x.destroy();
  y.destroy();
  return Array.from(result as Float32Array);
}

function thrown(action: () => unknown): unknown {
  try {
    action();
  } catch (error) {
    return error;
  }
  return undefined;
}

describe('MLTensors of a model', () => {
  it('are created for its inputs and outputs, used without awaiting, and the caller frees them', async () => {
    const { model, context } = await load();
    expect(await inferThroughTensors(model)).toEqual(Y);
    expect(context.takeCalls().split('\n')).toEqual([
      'create tensor2 float32[4] writable',
      'create tensor3 float32[4] readable',
      'write tensor2',
      'dispatch graph0 (t0=tensor2) -> (t5=tensor3)',
      'read tensor3 into',
      'destroy tensor2',
      'destroy tensor3',
    ]);
  });

  it('may be created by the page on the context of the model', async () => {
    const { model, context } = await load();
    expect(model.context).toBe(context);
    const x = await context.createTensor({ ...model.inputTensorDescriptor(0), writable: true });
    const y = await context.createTensor({ ...model.outputTensorDescriptor('f'), readable: true });
    context.writeTensor(x, X);
    model.dispatch({ angle: x }, { f: y });
    expect(Array.from(new Float32Array(await context.readTensor(y)))).toEqual(Y);
  });

  it('go from one dispatch to the next: Fibonacci numbers', async () => {
    const { model } = await load(ADD);
    const make = () => model.createInputTensor(0, { readable: true });
    const tensors = (await Promise.all([make(), make(), make()])) as [MLTensor, MLTensor, MLTensor];
    const at = (n: number) => tensors[n % 3] as MLTensor;
    model.writeTensor(at(0), new Float32Array(4).fill(0));
    model.writeTensor(at(1), new Float32Array(4).fill(1));
    for (let n = 2; n <= 20; n++) model.dispatch({ a: at(n - 1), b: at(n - 2) }, { sum: at(n) });
    expect((await model.readTensor(at(20)))[0]).toBe(6765);
  });

  it('are shared by the models of one context', async () => {
    const context = new FakeContext();
    const { model: sine } = await load(DIRECT, context);
    const { model: add } = await load(ADD, context);
    const [x, y, sum] = await Promise.all([
      sine.createInputTensor(0),
      sine.createOutputTensor(0),
      add.createOutputTensor(0),
    ]);
    sine.writeTensor(x, X);
    sine.dispatch(x, y);
    add.dispatch([y, x], sum);
    const total = await add.readTensor(sum);
    expect(Array.from(total as Float32Array)).toEqual(Y.map((_, i) => expect.closeTo(expectedSum(i), 5)));
  });

  it('mix with arrays as inputs and as outputs', async () => {
    const { model } = await load();
    const y = await model.createOutputTensor(0);
    expect(model.dispatch(X, y)).toBeUndefined();
    expect(Array.from((await model.readTensor(y)) as Float32Array)).toEqual(Y);
    const x = await model.createInputTensor(0);
    model.writeTensor(x, X);
    const output = new Float32Array(4);
    await model.dispatch(x, output);
    expect(Array.from(output)).toEqual(Y);
    const both = new Float32Array(4);
    await model.dispatch({ x: { data: X, shape: [4] } }, { y: both });
    expect(Array.from(both)).toEqual(Y);
  });

  it('and runs accept values in a buffer whose length may change', async () => {
    const { model } = await load();
    const values = new Float32Array(new ArrayBuffer(16, { maxByteLength: 32 }));
    values.set(X);
    expect(Array.from((await model.run(values))[0]?.data as Float32Array)).toEqual(Y);
    const [x, y] = await Promise.all([model.createInputTensor('x'), model.createOutputTensor('y')]);
    model.writeTensor(x, values);
    model.dispatch(x, y);
    expect(Array.from((await model.readTensor(y)) as Float32Array)).toEqual(Y);
    await model.dispatch(values, new Float32Array(4));
  });

  it('leave runs with arrays alone', async () => {
    const { model } = await load();
    const run = model.run(Float32Array.of(9, 9, 9, 9));
    const output = new Float32Array(4);
    await Promise.all([model.dispatch(X, output), model.dispatch(X, await model.createOutputTensor(0))]);
    expect(Array.from(output)).toEqual(Y);
    expect((await run)[0]?.data[0]).toBeCloseTo(expected([9])[0] as number, 4);
  });
});

function expectedSum(i: number): number {
  return (expected(Array.from(X))[i] as number) + (X[i] as number);
}

describe('misused MLTensors', () => {
  it.each([
    ['stepped', STEPPED, /runs in stepped mode \(some nodes stay on the CPU\)/],
    ['cpu', ON_CPU, /runs in cpu mode/],
  ])('need direct mode (%s)', async (_, description, message) => {
    const { model } = await load(description);
    const error = await model.createInputTensor(0).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ name: 'TensorError', code: 'TENSOR_IO_UNAVAILABLE' });
    expect((error as Error).message).toMatch(message);
    expect(thrown(() => model.dispatch(X, new Float32Array(4)))).toMatchObject({
      name: 'TensorError',
      code: 'TENSOR_IO_UNAVAILABLE',
    });
  });

  it('of another context', async () => {
    const { model } = await load();
    const { model: other, context: otherContext } = await load();
    const y = await model.createOutputTensor(0);
    for (const x of [
      await other.createInputTensor(0),
      await otherContext.createTensor({ dataType: 'float32', shape: [4], writable: true }), // known to the browser only
    ]) {
      const error = thrown(() => model.dispatch(x, y));
      expect(error).toMatchObject({ name: 'TensorError', code: 'TENSOR_CONTEXT' });
      expect((error as Error).message).toContain('Make it on model.context');
    }
    expect(thrown(() => model.writeTensor(y, X))).toMatchObject({ name: 'TensorError', code: 'TENSOR_USAGE' });
    await expect(other.readTensor(y)).rejects.toThrow(
      expect.objectContaining({ name: 'TensorError', code: 'TENSOR_CONTEXT' }),
    );
  });

  it('that were destroyed', async () => {
    const { model } = await load();
    const [x, y] = await Promise.all([model.createInputTensor(0), model.createOutputTensor(0)]);
    x.destroy();
    y.destroy();
    expect(thrown(() => model.dispatch(x, y))).toMatchObject({ name: 'TensorError', code: 'TENSOR_DESTROYED' });
    expect(thrown(() => model.writeTensor(x, X))).toMatchObject({ name: 'TensorError', code: 'TENSOR_DESTROYED' });
    await expect(model.readTensor(y)).rejects.toThrow(
      expect.objectContaining({ name: 'TensorError', code: 'TENSOR_DESTROYED' }),
    );
  });

  it('of another type or shape', async () => {
    const { model, context } = await load();
    const y = await model.createOutputTensor(0);
    const descriptors = [
      { dataType: 'float32', shape: [3] },
      { dataType: 'int32', shape: [4] },
    ] as const;
    for (const { dataType, shape } of descriptors) {
      const x = await context.createTensor({ dataType, shape: [...shape] });
      const error = thrown(() => model.dispatch(x, y));
      expect(error).toMatchObject({ name: 'TensorError', code: 'TENSOR_MISMATCH' });
      expect((error as Error).message).toContain(`input x is ${dataType}[${shape}]; float32[4] is needed`);
    }
  });

  it('without the flag, as input and output, or with arrays that do not fit', async () => {
    const { model } = await load();
    const [x, y] = await Promise.all([model.createInputTensor(0), model.createOutputTensor(0)]);
    await expect(model.readTensor(x)).rejects.toThrow(/not readable: make it with \{ readable: true \}/);
    expect(thrown(() => model.writeTensor(y, X))).toMatchObject({ name: 'TensorError', code: 'TENSOR_USAGE' });
    expect(thrown(() => model.dispatch(x, x))).toMatchObject({ name: 'TensorError', code: 'TENSOR_USAGE' });
    expect(thrown(() => model.writeTensor(x, new Float32Array(3)))).toMatchObject({
      name: 'TensorError',
      code: 'TENSOR_MISMATCH',
    });
    await expect(model.readTensor(y, new Int32Array(4))).rejects.toThrow(
      expect.objectContaining({ name: 'TensorError', code: 'TENSOR_MISMATCH' }),
    );
    expect(thrown(() => model.dispatch(new Float32Array(3), y))).toMatchObject({
      name: 'InputError',
      code: 'INPUT_SHAPE',
    });
    expect(thrown(() => model.dispatch(x, new Int32Array(4)))).toMatchObject({
      name: 'OutputError',
      code: 'OUTPUT_BUFFER',
    });
  });

  it('of more values than JavaScript has memory for', async () => {
    const { model } = await load();
    const y = await model.createOutputTensor(0);
    Object.defineProperty(y, 'shape', { value: [2 ** 50] });
    const message = 'JavaScript has no 4503599627370496 bytes for an MLTensor of float32[1125899906842624]. Dispose of';
    await expect(model.readTensor(y)).rejects.toThrow(message);
  });

  it('under wrong names', async () => {
    const { model } = await load(ADD);
    const x = await model.createInputTensor('left');
    const y = await model.createOutputTensor('total');
    await expect(model.createInputTensor('c')).rejects.toThrow(/no input "c". It has: a or left, b or right/);
    for (const inputs of [{ a: x }, { a: x, c: x }, [x], x]) {
      expect(thrown(() => model.dispatch(inputs, y))).toMatchObject({ name: 'TensorError', code: 'TENSOR_NAME' });
    }
  });

  it('in a model that was disposed', async () => {
    const { model, context } = await load();
    const [x, y] = await Promise.all([model.createInputTensor(0), model.createOutputTensor(0)]);
    const reading = model.readTensor(y);
    model.dispose();
    expect(context.destroyed).toBe(false); // until what was requested has come
    await expect(reading).resolves.toHaveLength(4);
    expect(context.destroyed).toBe(true);
    expect(thrown(() => model.dispatch(x, y))).toBeInstanceOf(ModelDisposedError);
    await expect(model.createInputTensor(0)).rejects.toThrow(ModelDisposedError);
  });

  it('where the browser makes none', async () => {
    const { model, context } = await load();
    context.options.rejectTensors = true;
    const error = await model.createInputTensor(0).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(WebnnRunError);
    expect((error as Error).message).toContain('out of memory');
  });
});

describe('a context that is lost while MLTensors are out', () => {
  it('is named, and new tensors are of the new one', async () => {
    const [first, second] = [new FakeContext(), new FakeContext()];
    const { model } = await load(DIRECT, first, second);
    const [x, y] = await Promise.all([model.createInputTensor(0), model.createOutputTensor(0)]);
    first.lose('the GPU was unplugged');
    const uses = [() => model.dispatch(x, y), () => model.writeTensor(x, X), () => model.dispatch(X, y)];
    for (const use of uses) expect(thrown(use)).toBeInstanceOf(ContextLostError);
    await expect(model.readTensor(y)).rejects.toThrow(/The browser took the WebNN context away/);
    expect(await inferThroughTensors(model)).toEqual(Y);
    expect(model.context).toBe(second);
    for (const use of uses) expect(thrown(use)).toMatchObject({ name: 'TensorError', code: 'TENSOR_CONTEXT' });
    expect((await model.report()).webnn).toMatchObject({ contextLosses: 1 });
    model.dispose();
    expect(leftOn(second)).toEqual([]);
  });

  it('leaves no MLTensors where the model goes to the CPU', async () => {
    const context = new FakeContext();
    const { model } = await load(DIRECT, context, null);
    context.lose('the GPU is gone');
    await expect(model.createInputTensor(0)).rejects.toThrow(
      expect.objectContaining({ name: 'TensorError', code: 'TENSOR_IO_UNAVAILABLE' }),
    );
    expect(model.context).toBeNull();
  });
});
