import { ContextLostError, type Model, StateLostError } from 'tflite-webnn';
import { describe, expect, it } from 'vitest';
import type { ModelDescription } from '../src/description.js';
import { ModelVariables } from '../src/model/state_tensor.js';
import { FakeHeap } from './fakes/fake_heap.js';
import type { FakeRunner } from './fakes/fake_wasm.js';
import { FakeContext } from './fakes/fake_webnn.js';
import { leftOn, loadOn } from './fakes/load_fake.js';
import { floatTensor } from './fakes/sin_model.js';
import { TOTAL_DIRECT, TOTAL_ON_CPU, TOTAL_STEPPED, TOTAL_STEPPED_BACK, totalRunner } from './fakes/total_model.js';

// The model of state.test.ts, whose total is a variable that is 10 at first: total' = total + x, y = total' * x.
const ADDRESS = 60_000;
const FIRST = 10;
const four = (value: number) => new Float32Array(4).fill(value);

function withVariable(description: ModelDescription): ModelDescription {
  const variable = { name: 'total', input: floatTensor(1, 'total'), output: floatTensor(3, 'total'), address: ADDRESS };
  const [x, y] = [description.inputs.slice(0, 1), description.outputs.slice(0, 1)];
  return { ...description, inputs: x, outputs: y, signatures: [], variables: [variable] };
}

function load(contexts: readonly FakeContext[], description = TOTAL_DIRECT, more: Partial<FakeRunner> = {}) {
  const describe: FakeRunner['describe'] = (options, heap) => {
    heap.set(new Uint8Array(four(FIRST).buffer), ADDRESS);
    return withVariable(options.enable_webnn_delegate === '1' ? description : TOTAL_ON_CPU);
  };
  return loadOn(contexts, totalRunner(description, { describe, ...more }));
}

async function next(model: Model, x: number): Promise<number> {
  const [y] = await model.run(four(x));
  return y?.data[0] as number;
}

const MODES: readonly (readonly [string, ModelDescription])[] = [
  ['direct', TOTAL_DIRECT],
  ['stepped', TOTAL_STEPPED],
  ['stepped', TOTAL_STEPPED_BACK],
];

describe('a variable', () => {
  it.each(MODES)('persists between runs in mode %s', async (mode, description) => {
    const model = await load([new FakeContext()], description);
    expect(model.executionMode).toBe(mode);
    expect(model.inputs.map(({ name }) => name)).toEqual(['x']);
    expect([await next(model, 2), await next(model, 3)]).toEqual([24, 45]);
    await model.resetState();
    expect(await next(model, 2)).toBe(24);
  });

  it.each([[undefined], [() => true]])('stays in wasm, whether or not TFLite moves tensors', async (movesTensor) => {
    const model = await load([], TOTAL_ON_CPU, movesTensor && { movesTensor });
    expect(model.executionMode).toBe('cpu');
    expect(await next(model, 2)).toBe(24);
    expect(model.runSync(four(3))[0]?.data[0]).toBe(45);
    expect(model.runSync(four(1))[0]?.data[0]).toBe(16);
    await model.resetState();
    expect(model.runSync(four(2))[0]?.data[0]).toBe(24);
  });

  it('alternates between two MLTensors, and is not copied', async () => {
    const context = new FakeContext();
    const model = await load([context]);
    await next(model, 2);
    context.takeCalls();
    for (const x of [3, 4]) await next(model, x);
    expect(context.takeCalls().split('\n')).toEqual([
      'write tensor0',
      'dispatch graph0 (t0=tensor0,t1=tensor5) -> (t2=tensor2,t3=tensor4)',
      'read tensor2 into',
      'write tensor0',
      'dispatch graph0 (t0=tensor0,t1=tensor4) -> (t2=tensor2,t3=tensor5)',
      'read tensor2 into',
    ]);
    model.dispose();
    expect(leftOn(context)).toEqual([]);
  });

  it('has no MLTensor of the caller', async () => {
    const model = await load([new FakeContext()]);
    await expect(model.createInputTensor(0)).rejects.toThrow('(it has variables: total)');
  });

  it('goes along with a stream', async () => {
    const model = await load([new FakeContext()]);
    const results: unknown[] = [];
    for await (const [y] of model.stream([2, 3].map(four))) results.push(y?.data[0]);
    expect(results).toEqual([24, 45]);
  });
});

describe('a variable whose context is lost', () => {
  it('is an error until the state is reset', async () => {
    const [first, second] = [new FakeContext(), new FakeContext()];
    const model = await load([first, second]);
    await next(model, 2);
    first.lose('the driver was reset');
    await expect(next(model, 3)).rejects.toThrow(StateLostError);
    await expect(next(model, 3)).rejects.toThrow('the values of total. Call resetState() on the model');
    await model.resetState();
    expect(await next(model, 2)).toBe(24);
    expect(leftOn(second).length).toBeGreaterThan(0);
  });

  it('is an error on the CPU, too', async () => {
    const first = new FakeContext();
    const model = await load([first]);
    await next(model, 2);
    first.lose('the driver was reset');
    await expect(next(model, 3)).rejects.toThrow(StateLostError);
    expect(model.executionMode).toBe('cpu');
    expect(() => model.runSync(four(3))).toThrow(StateLostError);
    await model.resetState();
    expect(model.runSync(four(2))[0]?.data[0]).toBe(24);
  });

  it('is not lost where wasm has it', async () => {
    const [first, second] = [new FakeContext(), new FakeContext()];
    const model = await load([first, second], TOTAL_STEPPED_BACK);
    await next(model, 2);
    first.lose('the driver was reset');
    await expect(next(model, 3)).rejects.toThrow(ContextLostError); // some of it had run
    expect(await next(model, 3)).toBe(45);
  });

  it('is not lost while it has its first value', async () => {
    const [first, second] = [new FakeContext(), new FakeContext()];
    const model = await load([first, second]);
    first.lose('the driver was reset');
    expect(await next(model, 2)).toBe(24);
  });
});

describe('the variables of a model', () => {
  const INPUTS = [floatTensor(0, 'x'), floatTensor(1, 'factor')];
  const OUTPUTS = [floatTensor(2, 'y')];

  /** Variables a and b of a model with more inputs than outputs; their first values are at these addresses. */
  function variablesAt(heap: FakeHeap, addresses: readonly number[]) {
    const variables = addresses.map((address, index) => {
      const name = 'ab'.charAt(index);
      return { name, input: floatTensor(3 + index, name), output: floatTensor(5 + index, name), address };
    });
    const description = { inputs: INPUTS, outputs: OUTPUTS, variables } as unknown as ModelDescription;
    const runner = Object.assign(heap.runner, { description });
    return { description, variables: ModelVariables.of(runner) as ModelVariables };
  }

  it('are none where the model has none', () => {
    expect(variablesAt(new FakeHeap(), []).variables).toBeNull();
  });

  it("come after the caller's inputs and outputs", () => {
    const { variables, description } = variablesAt(new FakeHeap(), [0, 0]);
    const names = (direction: 'input' | 'output') =>
      [0, 1, 2, 3, 4].map((port) => variables.at(direction, port, description)?.info.name ?? null);
    expect(names('input')).toEqual([null, null, 'a', 'b', null]);
    expect(names('output')).toEqual([null, 'a', 'b', null, null]);
  });

  it('have copies of their first values, or zeros', async () => {
    const heap = new FakeHeap();
    heap.bytes.fill(1, 512, 528);
    const { variables, description } = variablesAt(heap, [512, 0]);
    heap.bytes.fill(2, 512, 528); // wasm uses the memory for something else
    const read = () => Promise.all([2, 3].map((port) => variables.at('input', port, description)?.read()));
    const first = [new Uint8Array(16).fill(1), new Uint8Array(16)];
    expect(await read()).toEqual(first);
    variables.at('input', 2, description)?.write(new Uint8Array(16).fill(9));
    variables.reset();
    expect(await read()).toEqual(first);
  });

  it('free their memory', async () => {
    const heap = new FakeHeap();
    const { variables, description } = variablesAt(heap, [0, 0]);
    for (const port of [2, 3]) variables.at('input', port, description)?.inHeap(heap.runner);
    expect(heap.blocks.size).toBe(2);
    variables.release();
    expect(heap.blocks.size).toBe(0);
  });
});
