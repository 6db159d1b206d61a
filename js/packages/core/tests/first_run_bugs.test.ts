/** Models whose first run ends the browser's GPU process, played by a context that is lost over some node. */

import { ContextLostError, type ExcludedNode } from 'tflite-webnn';
import type { WebnnGraph } from 'tflite-webnn/explain';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { TFLiteModel } from '../src/load/tflite_model.js';
import { RecoveringModel } from '../src/model/recovering_model.js';
import { reportOn } from '../src/report/report.js';
import { BugGuard } from '../src/webnn/context_losses.js';
import { BUG_DATABASE, excludeNodes, type GpuBug, KnownBugError } from '../src/webnn/excluded_nodes.js';
import { type BugStore, findBug, GpuBugs } from '../src/webnn/gpu_bugs.js';
import { type FakeRunner, FakeWasm } from './fakes/fake_wasm.js';
import { backendOn, FakeContext, type FakeOptions } from './fakes/fake_webnn.js';
import { DIRECT, expectRight, STEPPED, sinRunner, X } from './fakes/sin_model.js';

afterEach(() => {
  vi.doUnmock('../src/webnn/gpu_bugs.js');
});

const OPTIONS = { enableWebnnDelegate: true };
const MUL = '2:MUL';
const KIND = 'mul(float32:1, float32:1)';
const read = () => new Uint8Array(4);

/** WebNN gets all nodes, but the excluded ones: without the multiplication it has the sines alone. */
const RUNNER: FakeRunner = sinRunner(DIRECT, {
  describe: ({ enable_webnn_delegate, webnn_excluded_nodes }, heap) =>
    sinRunner(webnn_excluded_nodes === '2' ? STEPPED : DIRECT).describe(
      { enable_webnn_delegate: enable_webnn_delegate ?? '' },
      heap,
    ),
});

/** A model in a browser whose contexts are all like this one. */
async function load(options: FakeOptions, runner = RUNNER, guard: BugGuard | null = new BugGuard()) {
  const contexts: FakeContext[] = [];
  const wasm = new FakeWasm(runner);
  const reopenWebnn = async () => {
    contexts.push(new FakeContext(options));
    return backendOn(contexts.at(-1) as FakeContext, guard);
  };
  const parts = { wasm, model: new Uint8Array(8), options: {}, webnn: await reopenWebnn(), reopenWebnn };
  const recovering = await RecoveringModel.prepare(parts);
  const model = new TFLiteModel(recovering, () => reportOn(recovering, OPTIONS, wasm, 0));
  return { model, contexts, guard, losses: () => contexts.filter(({ isLost }) => isLost).length };
}

/** The nodes of the model that are kept from WebNN. */
function excludedIn(guard: BugGuard | null): readonly ExcludedNode[] {
  const operands = new Map(DIRECT.graphs.flatMap(({ inputs }) => inputs.map((port) => [port.id, port] as const)));
  const excluded: ExcludedNode[] = [];
  try {
    for (const graph of DIRECT.graphs) guard?.check(graph, operands);
  } catch (error) {
    excludeNodes(error, excluded);
  }
  return excluded;
}

const crashesOnMul: FakeOptions = { crashesOn: (labels) => labels.includes(MUL) };

describe('a node that ends the GPU process in the first run', () => {
  it('is found at the cost of one more loss, excluded, and the run repeated', async () => {
    const { model, contexts, losses } = await load(crashesOnMul);
    await expectRight(model);
    expect(model.executionMode).toBe('stepped');
    expect((await model.report()).webnn).toMatchObject({ used: true, reason: null, contextLosses: 2 });
    const [excluded] = (await model.report()).webnn.excludedNodes;
    expect(excluded).toMatchObject({
      node: 2,
      reason: expect.stringContaining(`alone, ${KIND} (the GPU process crashed)`),
    });
    await expectRight(model);
    expect([losses(), contexts.length]).toEqual([2, 3]);
    model.dispose();
    expect(contexts.every(({ destroyed }) => destroyed)).toBe(true);
  });

  it('is not run again by a later model', async () => {
    const { guard } = await load(crashesOnMul).then(async (first) => {
      await expectRight(first.model);
      return first;
    });
    const { model, losses } = await load(crashesOnMul, RUNNER, guard);
    expect((await model.report()).webnn.excludedNodes).toMatchObject([{ node: 2 }]);
    await expectRight(model);
    expect(losses()).toBe(0);
  });

  it('is found where it ends it while the graph is built', async () => {
    const contexts: FakeContext[] = [];
    const options: FakeOptions = {
      rejectBuild: (labels) => {
        if (labels.includes(MUL)) contexts.at(-1)?.lose('crashed in build');
        return null;
      },
    };
    const guard = new BugGuard();
    const wasm = new FakeWasm(RUNNER);
    const reopenWebnn = async () => {
      contexts.push(new FakeContext(options));
      return backendOn(contexts.at(-1) as FakeContext, guard);
    };
    const parts = { wasm, model: new Uint8Array(8), options: {}, webnn: await reopenWebnn(), reopenWebnn };
    const { prepared, losses } = await RecoveringModel.prepare(parts);
    expect([prepared.schedule.mode, losses.count, contexts.length]).toEqual(['stepped', 2, 3]);
    expect(prepared.excludedNodes).toMatchObject([{ node: 2 }]);
  });

  it('is not searched where the polyfill computes', async () => {
    const { model, losses } = await load(crashesOnMul, RUNNER, null);
    await expect(model.run(Float32Array.from(X))).rejects.toThrow(ContextLostError);
    await expectRight(model);
    expect((await model.report()).webnn).toMatchObject({ used: false, excludedNodes: [] });
    expect(losses()).toBe(3);
  });
});

describe('a first run that is lost without a guilty node', () => {
  it('is repeated once where each node is harmless alone', async () => {
    let crashes = 0;
    const { model, losses } = await load({ crashesOn: (labels) => labels.length > 1 && ++crashes === 1 });
    await expectRight(model);
    expect(model.executionMode).toBe('direct');
    expect((await model.report()).webnn).toMatchObject({ contextLosses: 1, excludedNodes: [] });
    expect(losses()).toBe(1);
  });

  it('ends on the CPU, with the right result, when it is lost again', async () => {
    const { model, losses } = await load({ crashesOn: (labels) => labels.length > 1 });
    await expectRight(model);
    expect(model.executionMode).toBe('cpu');
    expect((await model.report()).webnn.reason).toContain(
      '2 times in a row (the GPU process crashed), though each node',
    );
    expect(losses()).toBe(2);
  });

  it('ends on the CPU, and blames nobody, where even an addition is lost', async () => {
    const { model, guard, losses } = await load({ crashesOn: () => true });
    await expectRight(model);
    expect(model.executionMode).toBe('cpu');
    expect((await model.report()).webnn.reason).toContain('also over a graph of one addition');
    expect([losses(), excludedIn(guard)]).toEqual([2, []]);
  });

  it('ends on the CPU, and says so, where the script that would search is missing', async () => {
    vi.doMock('../src/webnn/gpu_bugs.js', () => Promise.reject(new Error('404')));
    const { model, losses } = await load(crashesOnMul);
    await expectRight(model);
    expect(model.executionMode).toBe('cpu');
    expect((await model.report()).webnn.reason).toMatch(
      /took the WebNN context away \(the GPU process crashed\).*A script could not be loaded: .*other scripts\?/,
    );
    expect(losses()).toBe(1);
  });

  it('is the error of a missing script where another thread has found a bug', async () => {
    vi.doMock('../src/webnn/gpu_bugs.js', () => Promise.reject(new Error('404')));
    const learning = new BugGuard().learn([{ node: MUL } as unknown as GpuBug]);
    await expect(learning).rejects.toMatchObject({ code: 'PACKAGE_FILE_MISSING', cause: expect.any(Error) });
  });
});

describe('a later loss', () => {
  it('is no reason to search', async () => {
    let crashes = false;
    const { model, guard } = await load({ crashesOn: () => crashes });
    await expectRight(model);
    crashes = true;
    await expect(model.run(Float32Array.from(X))).rejects.toThrow(ContextLostError);
    crashes = false;
    await expectRight(model);
    expect((await model.report()).webnn).toMatchObject({ used: true, contextLosses: 2, excludedNodes: [] });
    expect(excludedIn(guard)).toEqual([]);
  });

  it('before anything has run is none either', async () => {
    const { model, contexts } = await load({});
    contexts[0]?.lose('idle');
    await expectRight(model);
    expect(contexts[1]?.calls.join('\n')).not.toContain('operand');
    expect((await model.report()).webnn).toMatchObject({ contextLosses: 1, excludedNodes: [] });
  });
});

/** Chained nodes on tensors of these ranks. */
function chain(...nodes: readonly (readonly [op: string, rank: number])[]): WebnnGraph {
  const inputs = nodes.map(([, rank], node) => {
    const shape = Array.from({ length: rank }, () => 1);
    return { id: node, name: `x${node}`, tensor: node, dataType: 'float32' as const, shape };
  });
  const operators = nodes.map(([op], node) => {
    return { op, label: `${node}:${op.toUpperCase()}`, args: [{ operand: node }, {}], outputs: [100 + node] };
  });
  return { inputs, constants: [], operators, outputs: [] };
}

describe('findBug', () => {
  it('tries the likeliest failing nodes last, and keeps those behind the failing one from WebNN', async () => {
    const tried: string[] = [];
    const crashesOn = (labels: readonly string[]) => {
      tried.push(...labels);
      return labels.includes('1:SIN');
    };
    const graph = chain(['sin', 7], ['sin', 5], ['sin', 1], ['sin', 2], ['sin', 7]);
    const search = await findBug([graph], backendOn(new FakeContext({ crashesOn })), read);
    expect(tried).toEqual(['control', '2:SIN', '3:SIN', '1:SIN']);
    expect(search).toMatchObject({
      outcome: 'found',
      bugs: [{ kind: 'sin(float32:5)' }, { kind: 'sin(float32:7)', reason: expect.stringContaining('not tried') }],
    });
  });

  it('passes over nodes that the browser rejects', async () => {
    const rejectBuild = (labels: readonly string[]) => (labels.includes('0:SIN') ? 'no' : null);
    const context = new FakeContext({ rejectBuild, crashesOn: (labels) => labels.includes('1:SIN') });
    const search = await findBug([chain(['sin', 1], ['sin', 2])], backendOn(context), read);
    expect(search.bugs[0]?.kind).toBe('sin(float32:2)');
  });

  it('leaves nothing behind', async () => {
    const context = new FakeContext();
    const search = await findBug(DIRECT.graphs, backendOn(context), read);
    expect(search).toMatchObject({ outcome: 'harmless', bugs: [] });
    const created = context.calls.flatMap((call) => /^(?:create|build) (\w+)/.exec(call)?.[1] ?? []);
    expect(created.length).toBeGreaterThan(DIRECT.nodes.length);
    for (const name of created) expect(context.calls).toContain(`destroy ${name}`);
  });
});

describe('what is remembered', () => {
  const BUG: GpuBug = { kind: 'sin(float32:1)', reason: 'seen' };
  const GRAPH = chain(['sin', 1], ['sin', 2], ['sin', 5], ['sin', 7]);
  const operands = new Map(GRAPH.inputs.map((port) => [port.id, port]));
  const crashes: FakeOptions = { crashesOn: (labels) => labels.includes('2:SIN') };
  const excluded = (bugs: GpuBugs) => bugs.excludedIn(GRAPH, operands).map(({ node }) => node);
  const search = (bugs: GpuBugs) => bugs.search([GRAPH], backendOn(new FakeContext(crashes)), read);

  it('is what was seen, for later pages, and what is suspected, for this one', async () => {
    const written: GpuBug[] = [];
    const store: BugStore = { read: async () => [BUG], write: async (bugs) => void written.push(...bugs) };
    const bugs = await GpuBugs.load(store);
    expect(excluded(bugs)).toEqual([0]);
    await search(bugs);
    expect(written).toMatchObject([{ kind: 'sin(float32:5)' }]);
    expect(excluded(bugs)).toEqual([0, 2, 3]);
  });

  it('is what this page has seen where storage is denied', async () => {
    const reject = async () => Promise.reject(new DOMException('denied', 'SecurityError'));
    const bugs = await GpuBugs.load({ read: reject, write: reject });
    const { bugs: found } = await search(bugs);
    expect(excluded(bugs)).toEqual([2, 3]);
    const ofHelper = new BugGuard(() => GpuBugs.load(null));
    await ofHelper.learn(found);
    expect(() => ofHelper.check(GRAPH, operands)).toThrow('node 2');
  });

  it('is read at the first context only where an earlier page has left something', async () => {
    const guardIn = async (databases: () => Promise<{ name: string }[]>) => {
      vi.stubGlobal('indexedDB', { databases });
      let loads = 0;
      const guard = new BugGuard(async () => {
        loads++;
        return GpuBugs.load({ read: async () => [BUG], write: async () => undefined });
      });
      await Promise.all([guard.load(), guard.load()]);
      return { guard, loads };
    };
    const none = await guardIn(async () => [{ name: 'of-the-page' }]);
    expect(none.loads).toBe(0);
    none.guard.check(GRAPH, operands);
    const rejected = await guardIn(async () => Promise.reject(new DOMException('denied', 'SecurityError')));
    expect(rejected.loads).toBe(0);
    const { guard, loads } = await guardIn(async () => [{ name: BUG_DATABASE }]);
    expect(loads).toBe(1);
    expect(() => guard.check(GRAPH, operands)).toThrow(KnownBugError);
  });

  it('has all nodes of known kinds excluded immediately, however many they are', () => {
    const nodes = Array.from({ length: 20 }, (_, node) => ({ node, reason: 'seen' }));
    const excluded: ExcludedNode[] = [];
    expect(excludeNodes(new KnownBugError(nodes), excluded)).toBe(true);
    expect(excluded).toHaveLength(20);
    expect(excludeNodes(new KnownBugError([{ node: 30, reason: 'other' }]), excluded)).toBe(true);
    expect(excluded).toHaveLength(21);
  });
});
