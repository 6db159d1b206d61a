/** Models in a browser that is forced to reject a build, or to lose the context. */

import {
  ContextLostError,
  loadTFLiteModel,
  type NodeInfo,
  StateLostError,
  type TFLiteModel,
  type TFLiteModelOptions,
} from 'tflite-webnn';
import { afterEach, describe, expect, it } from 'vitest';
import * as faults from '../../web_tests/pages/fault_injection.mjs';
import { addressOf, errorOf, expectClose, expectResults, floats, inputOf, WEBNN } from './fixtures.js';
import { expectNothingHeld } from './held.js';
import { reportOn } from './report.js';

const URL = addressOf('face_detection_short_range');
// Its pooling on the CPU makes it stepped.
const STEPPED = { ...WEBNN, webnnDelegateOptions: { excludedOps: ['MAX_POOL_2D'], ignorePartitionCost: true } };
// `expected` is WebNN's result; wasm rounds slightly differently.
const TOLERANCE = 1e-4;
const ALWAYS = 1000;

const image = new Float32Array(await inputOf('face_detection_short_range'));
const direct = await loadTFLiteModel(URL, WEBNN);
const expected = await direct.run(image);
const nodes = (await direct.report()).nodes;
direct.dispose();

expectNothingHeld();

const loaded: TFLiteModel[] = [];
afterEach(() => {
  for (const model of loaded.splice(0)) model.dispose();
});
async function load(options: TFLiteModelOptions = WEBNN, source = URL): Promise<TFLiteModel> {
  const model = await loadTFLiteModel(source, options);
  loaded.push(model);
  return model;
}

async function expectRun(model: TFLiteModel, tolerance = 0): Promise<void> {
  expectResults(await model.run(image), expected, tolerance);
}

/** Index and label of the first node of an op. */
function nodeOf(op: string): [index: number, label: string] {
  const { index } = nodes.find((node) => node.op === op) as NodeInfo;
  return [index, `${index}:${op}`];
}

const excludedIn = (report: Awaited<ReturnType<typeof reportOn>>) => report.webnn.excludedNodes.map(({ node }) => node);

describe.each([
  ['direct', WEBNN, 0],
  ['stepped', STEPPED, TOLERANCE],
])('a %s model', (mode, options, tolerance) => {
  it('gets another context for one that is lost while it is idle', async () => {
    const model = await load(options);
    for (let losses = 1; losses < 5; losses++) {
      await expectRun(model, tolerance); // a run between them separates the losses
      faults.lose();
      await expectRun(model, tolerance);
      const { executionMode, webnn } = await reportOn(model);
      expect(executionMode).toBe(mode);
      expect(webnn).toMatchObject({ used: true, contextLosses: losses, lastContextLoss: expect.stringMatching(/./) });
    }
  });
});

describe('variables', () => {
  it('in wasm outlive a lost context', async () => {
    // A wake-word network keeps frames in variables, which the CPU writes here. The frames vary its state.
    const frames = Array.from({ length: 36 }, (_, frame) =>
      Int8Array.from({ length: 120 }, (_, at) => {
        const [time, band] = [frame * 3 + Math.floor(at / 40), at % 40];
        return Math.trunc(100 * Math.sin(0.05 * time + 0.5 * band) - 20);
      }),
    );
    const webnnDelegateOptions = { ignorePartitionCost: true, excludedOps: ['ASSIGN_VARIABLE', 'READ_VARIABLE'] };
    const outputsOf = async (some: Int8Array[], lostAfter: number | null) => {
      const model = await load({ ...WEBNN, webnnDelegateOptions }, addressOf('mww_hey_jarvis_int8'));
      expect(model.executionMode).toBe('stepped');
      const found: number[] = [];
      for (const [at, frame] of some.entries()) {
        found.push(Number((await model.run(frame))[0].data[0]));
        if (at === lostAfter) faults.lose();
      }
      expect((await reportOn(model)).webnn.contextLosses).toBe(lostAfter === null ? 0 : 1);
      return found;
    };
    const all = await outputsOf(frames, null);
    expect(await outputsOf(frames.slice(26), null)).not.toEqual(all.slice(26)); // the state matters
    expect(await outputsOf(frames, 25)).toEqual(all);
  });

  it('on WebNN are lost with the context', async () => {
    const model = await load(WEBNN, addressOf('ring_buffer'));
    expect(model.executionMode).toBe('direct');
    const x = new Float32Array((model.inputs[0]?.sizeBytes ?? 0) / 4).fill(1);
    const [first, second] = [await model.run(x), await model.run(x)].map(([y]) => floats(y).slice());
    expect(first).not.toEqual(second);
    faults.lose();
    const error = await errorOf(model.run(x));
    expect(error).toBeInstanceOf(StateLostError);
    expect(error.message).toContain('resetState()');
    await model.resetState();
    for (const again of [first, second]) expectClose(floats((await model.run(x))[0]), again ?? [], 1e-6);
  });
});

describe('a context that is lost during a run', () => {
  it.each(['dispatch', 'writeTensor', 'readTensor'])('in %s() is replaced, and the run repeated', async (method) => {
    const model = await load();
    faults.loseDuring('MLContext', method, 1);
    await expectRun(model);
    expect((await reportOn(model)).webnn.contextLosses).toBe(1);
  });

  it('is an error where wasm has computed a part of the run', async () => {
    const model = await load(STEPPED);
    await expectRun(model, TOLERANCE);
    faults.loseDuring('MLContext', 'readTensor', 1);
    const error = await errorOf(model.run(image));
    expect(error).toBeInstanceOf(ContextLostError);
    expect(error.message).toContain('Run it again');
    await expectRun(model, TOLERANCE);
    expect((await reportOn(model)).executionMode).toBe('stepped');
  });

  it('is no error in the first run, which has changed no state yet', async () => {
    const model = await load(STEPPED);
    faults.loseDuring('MLContext', 'readTensor', 1);
    await expectRun(model, TOLERANCE);
    const { executionMode, webnn } = await reportOn(model);
    expect(executionMode).toBe('stepped');
    expect(webnn).toMatchObject({ contextLosses: 1, excludedNodes: [] });
  });

  it('over any graph is not caused by the model', async () => {
    const model = await load();
    faults.loseDuring('MLContext', 'dispatch', ALWAYS);
    await expectRun(model, TOLERANCE);
    const { executionMode, webnn } = await reportOn(model);
    expect(executionMode).toBe('cpu');
    expect(webnn).toMatchObject({ contextLosses: 2, excludedNodes: [] });
    expect(webnn.reason).toContain('also over a graph of one addition');
  });

  it('again and again moves the model to the CPU', async () => {
    const model = await load();
    await expectRun(model);
    faults.loseDuring('MLContext', 'dispatch', ALWAYS);
    expect(await errorOf(model.run(image))).toBeInstanceOf(ContextLostError);
    await expectRun(model, TOLERANCE);
    const { executionMode, webnn } = await reportOn(model);
    expect(executionMode).toBe('cpu');
    expect(webnn.contextLosses).toBe(3);
    expect(webnn.reason).toContain('3 times in a row');
  });
});

describe('a context that is lost while the graph is built', () => {
  it.each([
    ['MLGraphBuilder', 'build'],
    ['MLContext', 'createTensor'],
  ])('in %s.%s() is replaced', async (kind, method) => {
    faults.loseDuring(kind, method, 1);
    const model = await load();
    await expectRun(model);
    const { executionMode, webnn } = await reportOn(model);
    expect(executionMode).toBe('direct');
    expect(webnn).toMatchObject({ contextLosses: 1, excludedNodes: [] });
  });

  it('again and again moves the model to the CPU', async () => {
    faults.loseDuring('MLGraphBuilder', 'build', ALWAYS);
    const model = await load();
    expect(model.executionMode).toBe('cpu');
    await expectRun(model, TOLERANCE);
  });
});

describe('dispose() during a run frees everything', () => {
  it.each<[string, () => void]>([
    ['', () => {}],
    ['after a loss of the context', () => faults.lose()],
    ['that loses the context', () => faults.loseDuring('MLContext', 'readTensor', 1)],
  ])('%s', async (_, inject) => {
    const model = await load();
    inject();
    const run = model.run(image);
    model.dispose();
    await run;
    expect(faults.heldCount()).toBe(0);
  });
});

describe('a node that the browser does not build goes to the CPU', () => {
  it('where the limits have promised its operator', async () => {
    const [[pool, poolLabel], [add, addLabel]] = [nodeOf('MAX_POOL_2D'), nodeOf('ADD')];
    faults.throwAt([poolLabel, addLabel]);
    const model = await load();
    const report = await reportOn(model);
    expect(report.executionMode).toBe('stepped');
    expect(new Set(excludedIn(report))).toEqual(new Set([pool, add]));
    for (const { reason } of report.webnn.excludedNodes) expect(reason).toContain('promise only');
    const onCpu = report.nodes.filter(({ placement }) => placement === 'cpu').map(({ index }) => index);
    expect(new Set(onCpu)).toEqual(new Set([pool, add]));
    await expectRun(model, TOLERANCE);
  });

  it('where the rejected build names it', async () => {
    const [node, label] = nodeOf('MAX_POOL_2D');
    faults.rejectBuilds([`[${label}] Failed to create a kernel.`]);
    const model = await load();
    expect(excludedIn(await reportOn(model))).toEqual([node]);
    await expectRun(model, TOLERANCE);
  });

  it.each(['PAD', 'MAX_POOL_2D', 'RESHAPE'])('where the rejected build does not name it: %s', async (op) => {
    const [node, label] = nodeOf(op);
    faults.rejectGraphsWith(label, 'Something is not supported.');
    const model = await load();
    expect(excludedIn(await reportOn(model))).toEqual([node]);
    await expectRun(model, TOLERANCE);
  });

  it("where Chromium's builder accepts what its backend rejects, without a label: edge padding", async ({ skip }) => {
    const [node, label] = nodeOf('PAD');
    faults.changeOptions(label, { mode: 'edge' });
    const model = await load();
    const excluded = excludedIn(await reportOn(model));
    skip(excluded.length === 0, 'this browser has edge padding');
    expect(excluded).toEqual([node]);
    await expectRun(model, TOLERANCE);
  });
});

it('a browser that rejects every build has the model on the CPU', async () => {
  faults.rejectBuilds(Array(200).fill('The graph is too hard.'));
  const model = await load();
  const report = await reportOn(model);
  expect(report.executionMode).toBe('cpu');
  expect(report.webnn.used).toBe(false);
  expect(report.webnn.excludedNodes.length).toBe(8);
  expect(report.webnn.reason).toContain('The graph is too hard.');
  await expectRun(model, TOLERANCE);
});
