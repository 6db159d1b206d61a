import {
  InterpreterError,
  type Model,
  ModelDisposedError,
  StateError,
  StateLostError,
  WebnnRunError,
} from 'tflite-webnn';
import { describe, expect, it, vi } from 'vitest';
import type { ModelDescription } from '../src/description.js';
import type { FakeRunner } from './fakes/fake_wasm.js';
import { FakeContext } from './fakes/fake_webnn.js';
import { leftOn, loadOn } from './fakes/load_fake.js';
import { floatTensor } from './fakes/sin_model.js';
import { TOTAL_DIRECT, TOTAL_ON_CPU, TOTAL_STEPPED, TOTAL_STEPPED_BACK, totalRunner } from './fakes/total_model.js';

const four = (value: number) => new Float32Array(4).fill(value);

async function load(description = TOTAL_DIRECT, contexts = [new FakeContext()], more: Partial<FakeRunner> = {}) {
  const isOnCpu = description === TOTAL_ON_CPU;
  const model = await loadOn(isOnCpu ? [] : contexts, totalRunner(description, more));
  return { model, context: contexts[0] as FakeContext };
}

/** A model with a state; the `spare` context is the browser's next one. */
async function loadState() {
  const spare = new FakeContext();
  const { model, context } = await load(TOTAL_DIRECT, [new FakeContext(), spare]);
  return { model, context, spare, state: await model.createState() };
}

/** Runs 2, 3 and 4 through a model: totals 2, 5, 9. */
async function threeSteps(model: Model, more: Record<string, unknown> = {}): Promise<number[]> {
  const state = await model.createState();
  const results: number[] = [];
  for (const x of [2, 3, 4]) {
    const { y } = await model.runSignature('step', { x: four(x) }, { state, ...more });
    results.push(y?.data[0] as number);
  }
  expect(await state.read('total')).toEqual(four(9));
  await state.dispose();
  return results;
}

const MODES: readonly (readonly [string, ModelDescription])[] = [
  ['direct', TOTAL_DIRECT],
  ['stepped', TOTAL_STEPPED],
  ['stepped', TOTAL_STEPPED_BACK],
  ['cpu', TOTAL_ON_CPU],
];

describe('a state', () => {
  it.each(MODES)('persists between runs in mode %s', async (mode, description) => {
    const { model } = await load(description);
    expect(model.executionMode).toBe(mode);
    expect(await threeSteps(model)).toEqual([4, 15, 36]);
    // A run without it has the model's own tensors.
    const { total } = await model.runSignature('step', { x: four(1), total: four(7) });
    expect(Array.from(total?.data as Float32Array)).toEqual([8, 8, 8, 8]);
  });

  it('alternates between two MLTensors, and is not copied', async () => {
    const { model, context, state } = await loadState();
    context.takeCalls();
    for (const x of [2, 3, 4]) await model.run({ x: four(x) }, { state });
    expect(context.takeCalls().split('\n')).toEqual([
      'create tensor4 float32[4] readable writable',
      'create tensor5 float32[4] readable writable',
      'write tensor4',
      'write tensor0',
      'dispatch graph0 (t0=tensor0,t1=tensor4) -> (t2=tensor2,t3=tensor5)',
      'read tensor2 into',
      'write tensor0',
      'dispatch graph0 (t0=tensor0,t1=tensor5) -> (t2=tensor2,t3=tensor4)',
      'read tensor2 into',
      'write tensor0',
      'dispatch graph0 (t0=tensor0,t1=tensor4) -> (t2=tensor2,t3=tensor5)',
      'read tensor2 into',
    ]);
    await state.dispose();
    expect(context.takeCalls().split('\n')).toEqual(['destroy tensor5', 'destroy tensor4']);
  });

  it('is copied in wasm where TFLite may move the tensors', async () => {
    const { model } = await load(TOTAL_ON_CPU, [], { movesTensor: () => true });
    expect(await threeSteps(model)).toEqual([4, 15, 36]);
  });

  it('is changed in place in wasm where TFLite allows it', async () => {
    const addresses: (readonly [number, number])[] = [];
    const { invoke } = totalRunner(TOTAL_ON_CPU);
    const { model } = await load(TOTAL_ON_CPU, [], {
      updatesInPlace: [[1, 3]],
      invoke(first, count, tensor) {
        addresses.push([tensor(1).byteOffset, tensor(3).byteOffset]);
        invoke?.(first, count, tensor);
      },
    });
    expect(await threeSteps(model)).toEqual([4, 15, 36]);
    expect(new Set(addresses.flat()).size).toBe(1);
    addresses.length = 0;
    await model.runSignature('step', { x: four(1), total: four(7) });
    expect(addresses.flat()[0]).not.toBe(addresses.flat()[1]);
  });

  it('has a second block where two inputs read it', async () => {
    const [signature] = TOTAL_ON_CPU.signatures;
    if (signature === undefined) throw new Error('no signature');
    const inputs = [{ name: 'total', tensor: 4 }, ...signature.inputs];
    const twice: ModelDescription = {
      ...TOTAL_ON_CPU,
      inputs: [floatTensor(4, 'again'), ...TOTAL_ON_CPU.inputs],
      signatures: [{ ...signature, inputs }],
    };
    const addresses: number[] = [];
    const { invoke } = totalRunner(TOTAL_ON_CPU);
    const model = await loadOn([], {
      describe: () => twice,
      updatesInPlace: [[1, 3]],
      invoke(first, count, tensor) {
        addresses.push(...[1, 4, 3].map((index) => tensor(index).byteOffset));
        invoke?.(first, count, tensor);
      },
    });
    const state = await model.createState();
    await model.runSignature('step', { x: four(2) }, { state });
    const [total, again, next] = addresses;
    expect(again).toBe(total);
    expect(next).not.toBe(total);
    expect(await state.read('total')).toEqual(four(2));
  });

  it('is lost where a run fails that changes it in place', async () => {
    let fails = false;
    const { invoke } = totalRunner(TOTAL_ON_CPU);
    const { model } = await load(TOTAL_ON_CPU, [], {
      updatesInPlace: [[1, 3]],
      invoke(first, count, tensor) {
        invoke?.(first, count, tensor);
        if (fails) throw new InterpreterError('INVOKE_FAILED', 'no');
      },
    });
    const state = await model.createState();
    fails = true;
    await expect(model.run({ x: four(3) }, { state })).rejects.toThrow(InterpreterError);
    fails = false; // zeros are still known
    expect((await model.run({ x: four(2) }, { state })).y?.data[0]).toBe(4);
    fails = true;
    await expect(model.run({ x: four(3) }, { state })).rejects.toThrow(InterpreterError);
    fails = false;
    await expect(model.run({ x: four(3) }, { state })).rejects.toThrow(
      'A run has failed that may have changed the values of total. Call reset() on the state, or write() its tensors',
    );
    await expect(state.read('total')).rejects.toThrow(StateLostError);
    await state.reset();
    expect((await model.run({ x: four(3) }, { state })).y?.data[0]).toBe(9);
  });

  it('accepts the only input that is left alone, and returns a list', async () => {
    const { model, state } = await loadState();
    const [y, ...others] = await model.run(four(3), { state });
    expect([y?.data[0], others]).toEqual([9, []]);
  });

  it('fills the arrays of the outputs that are left', async () => {
    const { model, state } = await loadState();
    const y = four(0);
    await model.runSignature('step', { x: four(3) }, { outputs: { y }, state });
    expect(y[0]).toBe(9);
    await model.run({ x: four(1) }, { outputs: [y], state });
    expect(y[0]).toBe(4);
    await expect(model.run({ x: four(1) }, { outputs: [y, y], state })).rejects.toThrow(
      expect.objectContaining({ name: 'OutputError', code: 'OUTPUT_BUFFER' }),
    );
  });

  it('goes along with a stream, one inference at a time', async () => {
    const { model, state } = await loadState();
    const results: unknown[] = [];
    for await (const [y] of model.stream([2, 3, 4].map(four), { state })) results.push(y?.data[0]);
    expect(results).toEqual([4, 15, 36]);
  });

  it("is independent of the model's other states", async () => {
    const { model } = await load();
    const [a, b] = [await model.createState(), await model.createState()];
    await model.run({ x: four(2) }, { state: a });
    await model.run({ x: four(5) }, { state: b });
    await model.run({ x: four(1) }, { state: a });
    expect([(await a.read('total'))[0], (await b.read('total'))[0]]).toEqual([3, 5]);
  });

  it('can be written and reset', async () => {
    const { model, state } = await loadState();
    const values = four(10);
    const writing = state.write('total', { data: values, shape: [4] });
    values.fill(0); // it was copied immediately
    await writing;
    expect((await model.run({ x: four(1) }, { state })).y?.data[0]).toBe(11);
    await state.reset();
    const read = four(1);
    expect(await state.read('total', read)).toBe(read);
    expect(read[0]).toBe(0);
  });

  it('keeps its values where a run fails', async () => {
    const { model, context, state } = await loadState();
    await model.run({ x: four(2) }, { state });
    const reading = vi.spyOn(context, 'readTensor').mockRejectedValueOnce(new Error('no'));
    await expect(model.run({ x: four(3) }, { state })).rejects.toThrow(WebnnRunError);
    expect(reading).toHaveBeenCalledOnce();
    expect((await model.run({ x: four(3) }, { state })).y?.data[0]).toBe(15);
  });

  it('is freed with the model', async () => {
    const { model, context, state } = await loadState();
    await model.run({ x: four(2) }, { state });
    model.dispose();
    expect(leftOn(context)).toEqual([]);
    await expect(state.read('total')).rejects.toThrow(ModelDisposedError);
    await state.dispose();
  });
});

describe('the tensors of a state', () => {
  it.each([[undefined], [['total']], [['to*l']], [{ total: 'total' }]])('are found: %j', async (tensors) => {
    const { model } = await load();
    const state = await model.createState(tensors);
    expect(state.tensors).toEqual([{ name: 'total', output: 'total', dtype: 'float32', shape: [4], sizeBytes: 16 }]);
  });

  it('may have other names as outputs', async () => {
    const { model } = await load({ ...TOTAL_DIRECT, signatures: [] });
    await expect(model.createState()).rejects.toThrow("createState({ input: 'output' })");
    const state = await model.createState({ total_in: 'total_out' });
    for (const x of [2, 3]) await model.run([four(x)], { state });
    expect((await state.read('total_in'))[0]).toBe(5);
  });

  it.each([
    [['sum'], 'The model has no input sum. Its inputs: x, total; its outputs: y, total.'],
    [['x'], 'The model has no output x. Its inputs: x, total; its outputs: y, total.'],
    [['x*'], 'No tensor that is an input and an output, of one type and shape, has a name like x*.'],
    [{ x: 'y', total: 'y' }, 'Two inputs cannot receive the values of one output: y.'],
  ])('are rejected: %j', async (tensors, message) => {
    const { model } = await load();
    const creating = model.createState(tensors);
    await expect(creating).rejects.toThrow(StateError);
    await expect(creating).rejects.toThrow(message);
  });

  it('are rejected where type or shape differ', async () => {
    const [y, total] = TOTAL_DIRECT.outputs;
    const outputs = [y, { ...total, shape: [2, 2] }] as ModelDescription['outputs'];
    const { model } = await load({ ...TOTAL_DIRECT, outputs });
    await expect(model.createState(['total'])).rejects.toThrow(
      'Input total is float32[4], output total is float32[2, 2]: a persistent tensor has one type and shape.',
    );
  });
});

describe('a state, used wrongly', () => {
  it('belongs to one model', async () => {
    const [{ model }, other] = [await load(), await load()];
    const state = await other.model.createState();
    await expect(model.run({ x: four(1) }, { state })).rejects.toThrow('The state is not one of this model.');
  });

  it('is gone once it is disposed of', async () => {
    const { model, state } = await loadState();
    state.dispose();
    state.dispose();
    for (const use of [
      () => model.run({ x: four(1) }, { state }),
      () => state.read('total'),
      () => state.write('total', four(1)),
      () => state.reset(),
    ]) {
      await expect(use()).rejects.toThrow('The state has been disposed. Make another one with model.createState().');
    }
  });

  it('has only its tensors, of their type and shape', async () => {
    const { state } = await loadState();
    await expect(state.read('x')).rejects.toThrow('The state has no tensor "x". It has: total.');
    await expect(state.write('total', new Int32Array(4))).rejects.toThrow(
      expect.objectContaining({ name: 'InputError', code: 'INPUT_DTYPE' }),
    );
    await expect(state.write('total', new Float32Array(5))).rejects.toThrow(
      expect.objectContaining({ name: 'InputError', code: 'INPUT_SHAPE' }),
    );
    await expect(state.read('total', new Float32Array(5))).rejects.toThrow(
      expect.objectContaining({ name: 'OutputError', code: 'OUTPUT_BUFFER' }),
    );
  });

  it('leaves no space for the arrays of its tensors', async () => {
    const { model, state } = await loadState();
    const inputs = { x: four(1), total: four(1) };
    await expect(model.run(inputs, { state })).rejects.toThrow(
      expect.objectContaining({ name: 'InputError', code: 'INPUT_NAME' }),
    );
    await expect(model.runSignature('step', { x: four(1) }, { outputs: { total: four(1) }, state })).rejects.toThrow(
      'Signature step has no outputs total. It has: y.',
    );
  });

  it('does not run what has none of its tensors', async () => {
    const signatures = [
      ...TOTAL_DIRECT.signatures,
      { key: 'others', subgraph: 0, inputs: [{ name: 'x', tensor: 0 }], outputs: [{ name: 'y', tensor: 2 }] },
    ];
    const { model } = await load({ ...TOTAL_DIRECT, signatures });
    const state = await model.createState();
    await expect(model.runSignature('others', { x: four(1) }, { state })).rejects.toThrow(
      "What runs has none of the state's tensors (total). Run it without the state.",
    );
  });

  it('does not fit a model that was resized', async () => {
    const wide = (info: ModelDescription['inputs'][number]) => ({ ...info, shape: [8], sizeBytes: 32 });
    const describe: FakeRunner['describe'] = ({ input_shapes: shapes }) => {
      const { inputs, outputs } = TOTAL_DIRECT;
      return shapes === undefined
        ? TOTAL_DIRECT
        : { ...TOTAL_DIRECT, inputs: inputs.map(wide), outputs: outputs.map(wide) };
    };
    const { model } = await load(TOTAL_DIRECT, [new FakeContext()], { describe });
    const state = await model.createState();
    await model.resizeInputs({ x: [8], total: [8] });
    await expect(model.run({ x: new Float32Array(8) }, { state })).rejects.toThrow(
      'The state has total as float32[4], but the input total_in is float32[8]. Create another state after resizeInputs().',
    );
  });

  it('ends with its model', async () => {
    const { model, state } = await loadState();
    model.dispose();
    await expect(model.createState()).rejects.toThrow(ModelDisposedError);
    await expect(model.run({ x: four(1) }, { state })).rejects.toThrow(ModelDisposedError);
  });
});

describe('a state whose context is lost', () => {
  it('is lost, and can be filled again', async () => {
    const { model, context, spare, state } = await loadState();
    await model.run({ x: four(2) }, { state });
    context.lose('the driver was reset');
    const lost = model.run({ x: four(3) }, { state });
    await expect(lost).rejects.toThrow(StateLostError);
    await expect(lost).rejects.toThrow(
      'and with it the values of total. Call reset() on the state, or write() its tensors',
    );
    await expect(state.read('total')).rejects.toThrow(StateLostError);
    await state.write('total', four(2));
    expect((await model.run({ x: four(3) }, { state })).y?.data[0]).toBe(15);
    expect(leftOn(spare).length).toBeGreaterThan(0);
  });

  it('is lost if the browser says so only after a failed read', async () => {
    const { model, context, state } = await loadState();
    await model.run({ x: four(2) }, { state });
    const reading = vi.spyOn(context, 'readTensor').mockRejectedValueOnce(new Error('no'));
    await expect(state.read('total')).rejects.toThrow("WebNN failed while reading the state's tensor total: Error: no");
    reading.mockImplementationOnce(() => {
      setTimeout(() => context.lose('the driver was reset'));
      return Promise.reject(new Error('no'));
    });
    await expect(state.read('total')).rejects.toThrow(StateLostError);
  });

  it('is lost in the middle of a run, too', async () => {
    const { model, context, state } = await loadState();
    await model.run({ x: four(2) }, { state });
    const running = model.run({ x: four(3) }, { state });
    await new Promise((resolve) => setTimeout(resolve));
    context.lose('the driver was reset');
    await expect(running).rejects.toThrow(StateLostError);
  });

  it('is not lost while it has what was written, or zeros', async () => {
    const { model, context, state } = await loadState();
    await state.write('total', four(2));
    const running = model.run({ x: four(3) }, { state });
    await new Promise((resolve) => setTimeout(resolve));
    context.lose('the driver was reset');
    expect((await running).y?.data[0]).toBe(15);
  });

  it('moves to the CPU where there is no other context', async () => {
    const { model, context } = await load();
    const state = await model.createState();
    await model.run({ x: four(2) }, { state });
    context.lose('the driver was reset');
    await expect(model.run({ x: four(3) }, { state })).rejects.toThrow(StateLostError);
    await state.reset();
    expect((await model.run({ x: four(3) }, { state })).y?.data[0]).toBe(9);
    expect(model.executionMode).toBe('cpu');
  });
});

describe('a run without results', () => {
  it('ends when WebNN has computed it', async () => {
    const signatures = [{ ...TOTAL_DIRECT.signatures[0], outputs: [{ name: 'total', tensor: 3 }] }];
    const outputs = TOTAL_DIRECT.outputs.slice(1);
    const { model, context } = await load({ ...TOTAL_DIRECT, signatures, outputs } as ModelDescription);
    const state = await model.createState();
    context.takeCalls();
    expect(await model.runSignature('step', { x: four(2) }, { state })).toEqual({});
    expect(context.takeCalls()).toMatch(/dispatch .*\nread \w+ into$/);
  });
});
