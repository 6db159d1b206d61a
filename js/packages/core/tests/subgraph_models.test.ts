import { renderReport } from 'tflite-webnn';
import { describe, expect, it } from 'vitest';
import type { ModelDescription } from '../src/description.js';
import { RecoveringModel } from '../src/model/recovering_model.js';
import { runnerOptions } from '../src/model/runner_options.js';
import { SubgraphModels } from '../src/model/shapes.js';
import { reportOn } from '../src/report/report.js';
import { type FakeRunner, FakeWasm } from './fakes/fake_wasm.js';
import { backendOn, FakeContext, type FakeOptions } from './fakes/fake_webnn.js';
import { leftOn } from './fakes/load_fake.js';
import { floatTensor, ON_CPU } from './fakes/sin_model.js';
import { TOTAL_DIRECT, TOTAL_ON_CPU, TOTAL_STEPPED_BACK } from './fakes/total_model.js';

const OTHER = { index: 2, inputs: [floatTensor(0, 'x')], outputs: [floatTensor(3, 'total_out')] };
const MAIN: ModelDescription = {
  ...TOTAL_STEPPED_BACK,
  subgraphs: [OTHER],
  signatures: [{ key: 'decode', subgraph: 2, inputs: [], outputs: [] }],
};

/** A main model that the delegate leaves to the CPU, because of its speed or for another reason. */
function leftToCpu(isFasterOnCpu: boolean): ModelDescription {
  const delegate = { enabled: true, error: 'about 0.2 ms on WebNN', isFasterOnCpu, workarounds: [] };
  const { nodes } = ON_CPU; // one without nodes runs nothing
  return { ...TOTAL_ON_CPU, nodes, subgraphs: MAIN.subgraphs, signatures: MAIN.signatures, delegate };
}

interface Provided {
  readonly main?: ModelDescription;
  /** Of the subgraph on WebNN. */
  readonly other?: ModelDescription;
  readonly context?: FakeContext | null;
  /** The context that is created when another one is needed. */
  readonly reopened?: FakeContext;
  readonly threads?: number;
}

/** A model whose subgraph 2 is described by `other`. */
async function load({
  main = MAIN,
  other = TOTAL_DIRECT,
  context = new FakeContext(),
  reopened,
  threads = 1,
}: Provided = {}) {
  const behaviour: FakeRunner = {
    describe: (options) => {
      if (options.enable_webnn_delegate !== '1') return { ...TOTAL_ON_CPU, subgraphs: main.subgraphs };
      if (options.main_subgraph !== '2') return main;
      const isExcluded = options.webnn_excluded_nodes !== undefined;
      return isExcluded ? TOTAL_STEPPED_BACK : other;
    },
  };
  const wasm = new FakeWasm(behaviour, threads);
  const webnn = context === null ? null : backendOn(context);
  const options = runnerOptions({});
  const reopenWebnn = async () => {
    if (reopened === undefined) throw new Error('nothing was lost');
    return backendOn(reopened);
  };
  const model = await RecoveringModel.prepare({ wasm, model: new Uint8Array(8), options, webnn, reopenWebnn });
  return { model, wasm, context: context as FakeContext, subgraphs: new SubgraphModels() };
}

describe("the model of a signature's subgraph", () => {
  it('is prepared once, when it is first requested, on the context of the main one and next to it in wasm', async () => {
    const { model, wasm, context, subgraphs } = await load();
    expect(subgraphs.current(2)).toBeUndefined();
    const instances = wasm.instances.length;
    const separate = await subgraphs.modelOf(model, 2);
    expect(separate?.current.prepared.schedule.mode).toBe('direct');
    expect(separate?.current.prepared.webnn?.context).toBe(context);
    expect(wasm.instances.length).toBe(instances);
    expect(wasm.calls.filter((call) => call === 'delete')).toHaveLength(1);
    expect(await subgraphs.modelOf(model, 2)).toBe(separate);
    expect(subgraphs.current(2)).toBe(separate?.current);
  });

  it.each<[string, Provided]>([
    ['shares variables with the main one', { main: { ...MAIN, sharesState: true } }],
    ['runs without WebNN', { context: null }],
    ['has nothing for WebNN', { other: { ...ON_CPU, delegate: { ...ON_CPU.delegate, enabled: true } } }],
    ['would not get WebNN, as the main one did not', { main: leftToCpu(false) }],
  ])('is the main one where it %s', async (_, provided) => {
    const { model, wasm, subgraphs } = await load(provided);
    expect(await subgraphs.modelOf(model, 2)).toBeNull();
    expect(subgraphs.current(2)).toBeNull();
    const created = wasm.instances.length;
    await subgraphs.modelOf(model, 2);
    expect(wasm.instances.length).toBe(created);
  });

  it('is its own without WebNN where it must run alone, but for shared variables', async () => {
    const main = { ...MAIN, subgraphs: [{ ...OTHER, runsAlone: true as const }] };
    const { model, subgraphs } = await load({ main, context: null });
    const separate = await subgraphs.modelOf(model, 2);
    expect(separate?.current.prepared.schedule.mode).toBe('cpu');
    expect(await subgraphs.modelOf(model, 2)).toBe(separate);
    const shared = await load({ main: { ...main, sharesState: true } });
    expect(await shared.subgraphs.modelOf(shared.model, 2)).toBeNull();
  });

  it('is on WebNN where the main one is faster on the CPU', async () => {
    const { model, context, subgraphs } = await load({ main: leftToCpu(true), reopened: new FakeContext() });
    expect(model.prepared.schedule.mode).toBe('cpu');
    expect(context.destroyed).toBe(true);
    const separate = await subgraphs.modelOf(model, 2);
    expect(separate?.current.prepared.schedule.mode).toBe('direct');
  });

  const TRIAL = { main: leftToCpu(true), reopened: new FakeContext(), threads: 2 };

  it.each<[string, readonly string[], Provided]>([
    ['with its threads', ['delete'], { threads: 2 }],
    ['for one that computes there', [], { other: TOTAL_STEPPED_BACK }],
    ['for one that computes there with threads', [], { other: TOTAL_STEPPED_BACK, threads: 2 }],
    ['for a trial', ['delete'], { ...TRIAL, other: TOTAL_ON_CPU }],
    ['for a trial on WebNN alone', ['delete'], { ...TRIAL, reopened: new FakeContext() }],
    ['for a trial in steps', [], { ...TRIAL, reopened: new FakeContext(), other: TOTAL_STEPPED_BACK }],
  ])('shares the wasm instance, %s', async (_, ends, provided) => {
    const { model, wasm, subgraphs } = await load(provided);
    const [created, calls] = [wasm.instances.length, wasm.calls.length];
    const separate = await subgraphs.modelOf(model, 2);
    expect(wasm.instances.length).toBe(created);
    const ended = wasm.calls.slice(calls).filter((call) => call === 'delete' || call === 'close');
    expect(ended).toEqual(ends);
    expect(separate === null).toBe(provided.other === TOTAL_ON_CPU);
  });

  it('is a second model in wasm where the main one has released wasm', async () => {
    const main = { ...TOTAL_DIRECT, subgraphs: [OTHER], signatures: MAIN.signatures };
    const { model, subgraphs } = await load({ main, other: TOTAL_ON_CPU });
    expect((await subgraphs.modelOf(model, 2))?.current.prepared.schedule.mode).toBe('cpu');
  });

  it.each([
    ['the main one has an instance', MAIN, '1'],
    ['the main one has released wasm', { ...TOTAL_DIRECT, subgraphs: [OTHER], signatures: MAIN.signatures }, undefined],
  ])('packs no weights for the CPU next to WebNN alone where %s', async (_, main, expected) => {
    const { model, wasm, subgraphs } = await load({ main });
    await subgraphs.modelOf(model, 2);
    const options = wasm.instances
      .map((instance) => instance.options)
      .filter(({ main_subgraph }) => main_subgraph === '2');
    expect(options.map(({ xnnpack_only_with_webnn }) => xnnpack_only_with_webnn)).toEqual([expected]);
  });

  it('has the shapes that its subgraph has now', async () => {
    const { model, subgraphs } = await load();
    expect(subgraphs.shaped(OTHER)).toBe(OTHER);
    await subgraphs.modelOf(model, 2);
    const { inputs, outputs } = TOTAL_DIRECT;
    expect(subgraphs.shaped(OTHER)).toEqual({ index: 2, inputs, outputs });
  });

  it('forgets what it remembers', async () => {
    const { model, wasm, subgraphs } = await load({ other: TOTAL_STEPPED_BACK });
    await subgraphs.modelOf(model, 2);
    await subgraphs.resetState();
    expect(wasm.calls.filter((call) => call === 'reset state')).toHaveLength(1);
  });

  it('is freed, and prepared again when it is requested', async () => {
    const { model, context, subgraphs } = await load();
    const before = leftOn(context);
    const first = await subgraphs.modelOf(model, 2);
    expect(leftOn(context).length).toBeGreaterThan(before.length);
    subgraphs.release();
    expect(leftOn(context)).toEqual(before);
    expect(context.destroyed).toBe(false);
    expect(await subgraphs.modelOf(model, 2)).not.toBe(first);
  });
});

describe('the report', () => {
  const rejectBuild: FakeOptions['rejectBuild'] = (labels) =>
    labels.length === 2 ? "Failed to execute 'build': unsupported [0:ADD]" : null;

  it('names the nodes of the subgraph that the browser has rejected', async () => {
    const { model, wasm, subgraphs } = await load({ context: new FakeContext({ rejectBuild }) });
    await subgraphs.modelOf(model, 2);
    const report = reportOn(model, { enableWebnnDelegate: true }, wasm, 0, subgraphs);
    const [decode] = report.subgraphs;
    expect(decode?.executionMode).toBe('stepped');
    expect(decode?.excludedNodes).toEqual([{ node: 0, reason: expect.stringContaining('unsupported [0:ADD]') }]);
    expect(report.webnn.excludedNodes).toEqual([]);
    expect(renderReport(report)).toContain('rejected        node 0 of decode: ');
  });
});
