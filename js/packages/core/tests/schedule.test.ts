import type { GraphPort } from 'tflite-webnn/explain';
import { describe, expect, it } from 'vitest';
import type { ModelDescription } from '../src/description.js';
import { RecoveringModel } from '../src/model/recovering_model.js';
import { type Action, makeSchedule, type Schedule } from '../src/model/schedule.js';
import { WebnnSession } from '../src/model/webnn_session.js';
import { WidenedTensor } from '../src/tensors/model_tensors.js';
import { FakeWasm } from './fakes/fake_wasm.js';
import { backendOn, FakeContext, FakeGraphBuilder } from './fakes/fake_webnn.js';
import { DIRECT, floatTensor, ON_CPU, STEPPED, sinRunner } from './fakes/sin_model.js';
import { port, STATE_GRAPH, STATEFUL } from './fakes/state_model.js';

/** One line per action: "t3 caller -> webnn", "dispatch graph 0", "invoke steps 1..2". */
function scheduleText({ actions }: Schedule): string {
  return actions.map(actionText).join('\n');
}

function actionText(action: Action): string {
  if (action.kind === 'copy') return `t${action.tensor} ${action.from} -> ${action.to}`;
  if (action.kind === 'dispatch') return `dispatch graph ${action.graph}`;
  if (action.kind === 'invoke') return 'invoke';
  return `invoke steps ${action.first}..${action.first + action.count - 1}`;
}

/** The schedule as one text that starts with its mode. */
function textOf(description: ModelDescription): string[] {
  const schedule = makeSchedule(description);
  return [schedule.mode, ...scheduleText(schedule).split('\n')];
}

describe('makeSchedule', () => {
  it('runs a wholly delegated model without the heap', () => {
    expect(textOf(DIRECT)).toEqual(['direct', 't0 caller -> webnn', 'dispatch graph 0', 't5 webnn -> caller']);
    expect(makeSchedule(DIRECT).usesHeap).toBe(false);
  });

  it("runs a model on the CPU by TFLite's own Invoke()", () => {
    expect(textOf(ON_CPU)).toEqual(['cpu', 't0 caller -> heap', 'invoke', 't5 heap -> caller']);
  });

  it('copies a tensor only where it is needed and not yet there', () => {
    expect(textOf(STEPPED)).toEqual([
      'stepped',
      't0 caller -> webnn',
      'dispatch graph 0',
      't1 webnn -> heap',
      't0 caller -> heap',
      'invoke steps 1..2',
      't3 heap -> webnn',
      'dispatch graph 1',
      't4 webnn -> heap',
      'invoke steps 4..4',
      't5 heap -> caller',
    ]);
  });

  it('keeps a tensor of two neighbouring graphs on WebNN', () => {
    const [first, second] = STEPPED.graphs;
    const chained: ModelDescription = {
      ...STEPPED,
      outputs: [floatTensor(4, 'y')],
      plan: [
        { kind: 'webnn', graph: 0, inputs: [0], outputs: [3] },
        { kind: 'webnn', graph: 1, inputs: [3], outputs: [4] },
      ],
      graphs: [
        { ...first, outputs: second?.inputs } as ModelDescription['graphs'][number],
        second as ModelDescription['graphs'][number],
      ],
    };
    expect(textOf(chained)).toEqual([
      'stepped',
      't0 caller -> webnn',
      'dispatch graph 0',
      'dispatch graph 1',
      't4 webnn -> caller',
    ]);
    expect(makeSchedule(chained).usesHeap).toBe(false);
  });

  it('needs the heap for a step in wasm that shares no tensor with the others', () => {
    const alone = { kind: 'cpu', first: 1, count: 1, inputs: [], outputs: [9] } as const;
    const schedule = makeSchedule({ ...DIRECT, plan: [alone, ...DIRECT.plan] });
    expect(schedule).toMatchObject({ mode: 'stepped', usesHeap: true });
    expect(schedule.actions[0]).toEqual({ kind: 'invoke-steps', first: 1, count: 1 });
  });

  it('is one call of wasm where a host computes the graphs meanwhile', () => {
    const schedule = makeSchedule(STEPPED, true);
    expect(schedule).toMatchObject({ mode: 'blocking', usesHeap: true, slots: [] });
    expect(scheduleText(schedule).split('\n')).toEqual(['t0 caller -> heap', 'invoke', 't5 heap -> caller']);
    expect(makeSchedule(ON_CPU, true).mode).toBe('cpu');
  });

  it('copies each input from its position among those of the caller', () => {
    const [graph] = DIRECT.graphs as [ModelDescription['graphs'][number]];
    const inputs = [floatTensor(0, 'x'), floatTensor(6, 'z'), floatTensor(8, 'unused')];
    const { actions } = makeSchedule({
      ...DIRECT,
      inputs,
      graphs: [{ ...graph, inputs: [...graph.inputs, port(10, 6)] }],
    });
    expect(actions.slice(0, 2)).toMatchObject([
      { tensor: 0, from: 'caller', to: 'webnn', port: 0 },
      { tensor: 6, from: 'caller', to: 'webnn', port: 1 },
    ]);
    const { actions: onCpu } = makeSchedule({ ...ON_CPU, inputs });
    expect(onCpu.slice(0, 3)).toMatchObject([0, 1, 2].map((port) => ({ from: 'caller', to: 'heap', port })));
  });

  it('needs the heap for a constant that is an output', () => {
    const schedule = makeSchedule({ ...DIRECT, outputs: [floatTensor(5, 'y'), floatTensor(7, 'constant')] });
    expect(scheduleText(schedule).split('\n').slice(2)).toEqual(['t5 webnn -> caller', 't7 heap -> caller']);
    expect(schedule).toMatchObject({ mode: 'stepped', usesHeap: true });
  });

  it('returns outputs that no step makes: an input, a constant', () => {
    const outputs = [floatTensor(5, 'y'), floatTensor(0, 'x'), floatTensor(7, 'constant')];
    expect(textOf({ ...DIRECT, outputs })).toEqual([
      'stepped',
      't0 caller -> webnn',
      'dispatch graph 0',
      't5 webnn -> caller',
      't0 caller -> heap',
      't0 heap -> caller',
      't7 heap -> caller',
    ]);
  });
});

describe('state', () => {
  it('goes back to the heap at the end of the run', () => {
    expect(textOf(STATEFUL)).toEqual([
      'stepped',
      't0 caller -> webnn',
      't7 heap -> webnn',
      'dispatch graph 0',
      't5 webnn -> caller',
      't7 webnn -> heap',
    ]);
  });

  it('is written to another MLTensor than it is read from', () => {
    const { actions, slots } = makeSchedule(STATEFUL);
    expect(actions[2]).toEqual({ kind: 'dispatch', graph: 0, inputs: { t0: 0, t7: 1 }, outputs: { t5: 2, t7: 3 } });
    expect(slots.map(({ readable, writable }) => [readable, writable])).toEqual([
      [false, true],
      [false, true],
      [true, false],
      [true, false],
    ]);
  });

  it('is handed on by graphs that read and write it one after the other', () => {
    const again = { ...STATE_GRAPH, inputs: [port(0, 5), port(1, 7)] };
    const plan = [...STATEFUL.plan, { kind: 'webnn', graph: 1, inputs: [5, 7], outputs: [5, 7] } as const];
    const { actions } = makeSchedule({ ...STATEFUL, graphs: [STATE_GRAPH, again], plan });
    expect(actions[3]).toMatchObject({ inputs: { t5: 2, t7: 3 }, outputs: { t5: 4, t7: 5 } });
    expect(actions.at(-1)).toMatchObject({ tensor: 7, from: 'webnn', to: 'heap', slot: 5 });
  });

  it('is what the next run finds', async () => {
    const wasm = new FakeWasm(sinRunner(STATEFUL));
    const reopenWebnn = () => Promise.reject(new Error('nothing was lost'));
    const webnn = backendOn(new FakeContext());
    const parts = { wasm, model: new Uint8Array(8), options: {}, webnn, reopenWebnn };
    const { prepared } = await RecoveringModel.prepare(parts);
    const sums: number[] = [];
    for (const x of [1, 2, 3]) {
      const [sum] = await prepared.run([new Float32Array(4).fill(x)], []);
      sums.push(sum?.data[0] as number);
    }
    expect(sums).toEqual([1, 3, 6]);
  });

  it('that only the CPU changes stays where it is', () => {
    const plan = [
      { kind: 'cpu', first: 0, count: 1, inputs: [0, 7], outputs: [1, 7] } as const,
      ...STEPPED.plan.slice(1),
    ];
    const text = textOf({ ...STEPPED, plan });
    expect(text.filter((line) => line.startsWith('t7'))).toEqual([]);
  });
});

describe('a type that WebNN has not got', () => {
  const int16: GraphPort = { id: 0, name: 't0', tensor: 0, dataType: 'int32', shape: [3], tensorType: 'int16' };
  const schedule: Schedule = {
    mode: 'direct',
    actions: [],
    slots: [{ port: int16, writable: true, readable: true }],
    usesHeap: false,
  };

  it.each([{}, { rejectReadInto: true }])('is widened and narrowed while it is copied (%o)', async (options) => {
    const context = new FakeContext(options);
    const description = { ...DIRECT, graphs: [] };
    const session = await WebnnSession.create({
      webnn: { context, Builder: FakeGraphBuilder, guard: null },
      description,
      schedule,
      heap: () => new Uint8Array(),
    });
    expect(context.takeCalls()).toBe('create tensor0 int32[3] readable writable');
    session.write(0, Int16Array.of(-32768, 0, 32767));
    const values = new Int16Array(3);
    await session.read(0, values);
    expect(Array.from(values)).toEqual([-32768, 0, 32767]);
    const heap = new Uint8Array(16); // the same as bytes somewhere in the heap
    await session.read(0, heap.subarray(4, 10));
    expect(Array.from(new Int16Array(heap.buffer))).toEqual([0, 0, -32768, 0, 32767, 0, 0, 0]);
    session.write(0, heap.subarray(6, 12));
    await session.read(0, values);
    expect(Array.from(values)).toEqual([0, 32767, 0]);
  });

  it('needs memory of twice its size', () => {
    const make = () => WidenedTensor.of({ ...int16, shape: [2 ** 50] });
    expect(make).toThrow('JavaScript has no 4503599627370496 bytes for t0. Dispose of');
  });
});
