/** Models whose first run ends the browser's GPU process, played by a context that is lost over some node. */

import { describe, expect, it } from 'vitest';
import type { WebnnGraph } from '../src/description.js';
import { ContextLostError } from '../src/errors.js';
import { RecoveringModel } from '../src/model/recovering_model.js';
import { TFLiteModel } from '../src/model/tflite_model.js';
import { reportOn } from '../src/report/report.js';
import type { DeniedNode } from '../src/webnn/denied_nodes.js';
import { nodesToDeny } from '../src/webnn/denied_nodes.js';
import { findFault } from '../src/webnn/find_fault.js';
import type { FaultStore } from '../src/webnn/gpu_fault_store.js';
import { type GpuFault, GpuFaults, KnownFaultError } from '../src/webnn/gpu_faults.js';
import { type FakeRunner, FakeWasm } from './fakes/fake_wasm.js';
import { backendOn, FakeContext, type FakeOptions } from './fakes/fake_webnn.js';
import { DIRECT, expected, STEPPED, sinRunner } from './fakes/sin_model.js';

const OPTIONS = { enableWebnnDelegate: true };
const X = [0, 1, 2, -3];
const MUL = '2:MUL';
const KIND = 'mul(float32:1, float32:1)';
const read = () => new Uint8Array(4);

/** WebNN gets all nodes, but the denied ones: without the multiplication it has the sines alone. */
const RUNNER: FakeRunner = sinRunner(DIRECT, {
  describe: ({ enable_webnn_delegate, webnn_denied_nodes }, heap) =>
    sinRunner(webnn_denied_nodes === '2' ? STEPPED : DIRECT).describe(
      { enable_webnn_delegate: enable_webnn_delegate ?? '' },
      heap,
    ),
});

/** A model in a browser whose contexts are all like this one. */
async function load(options: FakeOptions, runner = RUNNER, faults: GpuFaults | null = new GpuFaults()) {
  const contexts: FakeContext[] = [];
  const wasm = new FakeWasm(runner);
  const reopenWebnn = async () => {
    contexts.push(new FakeContext(options));
    return backendOn(contexts.at(-1) as FakeContext, faults);
  };
  const parts = { wasm, model: new Uint8Array(8), options: OPTIONS, webnn: await reopenWebnn(), reopenWebnn };
  const recovering = await RecoveringModel.prepare(parts);
  const model = new TFLiteModel(recovering, () => reportOn(recovering, OPTIONS, wasm, 0));
  return { model, contexts, faults, losses: () => contexts.filter(({ isLost }) => isLost).length };
}

async function expectRight(model: TFLiteModel): Promise<void> {
  const [y] = await model.run(Float32Array.from(X));
  expect(Array.from(y as Float32Array)).toEqual(expected(X).map((value) => expect.closeTo(value, 5)));
}

const diesOfMul: FakeOptions = { diesOf: (labels) => labels.includes(MUL) };

describe('a node that ends the GPU process in the first run', () => {
  it('is found at the cost of one more loss, denied, and the run repeated', async () => {
    const { model, contexts, losses } = await load(diesOfMul);
    await expectRight(model);
    expect(model.executionMode).toBe('stepped');
    expect(model.report.webnn).toMatchObject({ used: true, reason: null, contextLosses: 2 });
    const [denied] = model.report.webnn.deniedNodes;
    expect(denied).toMatchObject({ node: 2, reason: expect.stringContaining(`alone, ${KIND} (the GPU process died)`) });
    await expectRight(model);
    expect([losses(), contexts.length]).toEqual([2, 3]);
    model.dispose();
    expect(contexts.every(({ destroyed }) => destroyed)).toBe(true);
  });

  it('is not run again by a later model', async () => {
    const { faults } = await load(diesOfMul).then(async (first) => {
      await expectRight(first.model);
      return first;
    });
    const { model, losses } = await load(diesOfMul, RUNNER, faults);
    expect(model.report.webnn.deniedNodes).toMatchObject([{ node: 2 }]);
    await expectRight(model);
    expect(losses()).toBe(0);
  });

  it('is found where it ends it while the graph is built', async () => {
    const contexts: FakeContext[] = [];
    const options: FakeOptions = {
      rejectBuild: (labels) => {
        if (labels.includes(MUL)) contexts.at(-1)?.lose('died over build');
        return null;
      },
    };
    const faults = new GpuFaults();
    const wasm = new FakeWasm(RUNNER);
    const reopenWebnn = async () => {
      contexts.push(new FakeContext(options));
      return backendOn(contexts.at(-1) as FakeContext, faults);
    };
    const parts = { wasm, model: new Uint8Array(8), options: OPTIONS, webnn: await reopenWebnn(), reopenWebnn };
    const { prepared, losses } = await RecoveringModel.prepare(parts);
    expect([prepared.schedule.mode, losses.count, contexts.length]).toEqual(['stepped', 2, 3]);
    expect(prepared.deniedNodes).toMatchObject([{ node: 2 }]);
  });

  it('is not searched where the polyfill computes', async () => {
    const { model, losses } = await load(diesOfMul, RUNNER, null);
    await expect(model.run(Float32Array.from(X))).rejects.toThrow(ContextLostError);
    await expectRight(model);
    expect(model.report.webnn).toMatchObject({ used: false, deniedNodes: [] });
    expect(losses()).toBe(3);
  });
});

describe('a first run that is lost without a guilty node', () => {
  it('is repeated once where each node is harmless alone', async () => {
    let deaths = 0;
    const { model, losses } = await load({ diesOf: (labels) => labels.length > 1 && ++deaths === 1 });
    await expectRight(model);
    expect(model.executionMode).toBe('direct');
    expect(model.report.webnn).toMatchObject({ contextLosses: 1, deniedNodes: [] });
    expect(losses()).toBe(1);
  });

  it('ends on the CPU, with the right result, when it is lost again', async () => {
    const { model, losses } = await load({ diesOf: (labels) => labels.length > 1 });
    await expectRight(model);
    expect(model.executionMode).toBe('cpu');
    expect(model.report.webnn.reason).toContain('2 times in a row (the GPU process died), though each node');
    expect(losses()).toBe(2);
  });

  it('ends on the CPU, and blames nobody, where even an addition is lost', async () => {
    const { model, faults, losses } = await load({ diesOf: () => true });
    await expectRight(model);
    expect(model.executionMode).toBe('cpu');
    expect(model.report.webnn.reason).toContain('also over a graph of one addition');
    expect([losses(), faults?.list]).toEqual([2, []]);
  });
});

describe('a later loss', () => {
  it('is no reason to search', async () => {
    let dies = false;
    const { model, faults } = await load({ diesOf: () => dies });
    await expectRight(model);
    dies = true;
    await expect(model.run(Float32Array.from(X))).rejects.toThrow(ContextLostError);
    dies = false;
    await expectRight(model);
    expect(model.report.webnn).toMatchObject({ used: true, contextLosses: 2, deniedNodes: [] });
    expect(faults?.list).toEqual([]);
  });

  it('before anything has run is none either', async () => {
    const { model, contexts } = await load({});
    contexts[0]?.lose('idle');
    await expectRight(model);
    expect(contexts[1]?.calls.join('\n')).not.toContain('operand');
    expect(model.report.webnn).toMatchObject({ contextLosses: 1, deniedNodes: [] });
  });
});

describe('findFault', () => {
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

  it('tries the likeliest culprits last, and keeps those behind the guilty one from WebNN', async () => {
    const tried: string[] = [];
    const diesOf = (labels: readonly string[]) => {
      tried.push(...labels);
      return labels.includes('1:SIN');
    };
    const graph = chain(['sin', 7], ['sin', 5], ['sin', 1], ['sin', 2], ['sin', 7]);
    const search = await findFault([graph], backendOn(new FakeContext({ diesOf })), read);
    expect(tried).toEqual(['control', '2:SIN', '3:SIN', '1:SIN']);
    expect(search).toMatchObject({ outcome: 'found', found: { kind: 'sin(float32:5)' } });
    expect(search.suspected).toMatchObject([{ kind: 'sin(float32:7)', reason: expect.stringContaining('not tried') }]);
  });

  it('passes over nodes that the browser refuses', async () => {
    const rejectBuild = (labels: readonly string[]) => (labels.includes('0:SIN') ? 'no' : null);
    const context = new FakeContext({ rejectBuild, diesOf: (labels) => labels.includes('1:SIN') });
    const search = await findFault([chain(['sin', 1], ['sin', 2])], backendOn(context), read);
    expect(search.found?.kind).toBe('sin(float32:2)');
  });

  it('leaves nothing behind', async () => {
    const context = new FakeContext();
    const search = await findFault(DIRECT.graphs, backendOn(context), read);
    expect(search).toEqual({ outcome: 'harmless', found: null, suspected: [] });
    const made = context.calls.flatMap((call) => /^(?:create|build) (\w+)/.exec(call)?.[1] ?? []);
    expect(made.length).toBeGreaterThan(DIRECT.nodes.length);
    for (const name of made) expect(context.calls).toContain(`destroy ${name}`);
  });
});

describe('GpuFaults', () => {
  const FAULT: GpuFault = { kind: KIND, reason: 'seen' };

  it('remembers what was seen, and not what is suspected', async () => {
    const written: GpuFault[] = [];
    const store: FaultStore = { read: async () => [FAULT], write: async (faults) => void written.push(...faults) };
    const faults = new GpuFaults(store);
    expect(faults.isEmpty).toBe(true);
    await Promise.all([faults.load(), faults.load()]);
    expect(faults.reasonFor(KIND)).toBe('seen');
    faults.suspect({ kind: 'sin(float32:7)', reason: 'like it' });
    faults.add({ kind: 'sin(float32:5)', reason: 'died' });
    expect(written).toEqual([{ kind: 'sin(float32:5)', reason: 'died' }]);
    expect(faults.list).toHaveLength(3);
  });

  it('knows what this page has seen where storage is denied', async () => {
    const denied = async () => Promise.reject(new DOMException('denied', 'SecurityError'));
    const faults = new GpuFaults({ read: denied, write: denied });
    await faults.load();
    faults.add(FAULT);
    expect(faults.list).toEqual([FAULT]);
  });

  it('has all nodes of known kinds denied at once, however many they are', () => {
    const faults = GpuFaults.of([FAULT]);
    const kinds = new Map(Array.from({ length: 20 }, (_, node) => [`${node}:MUL`, KIND]));
    let error: unknown;
    try {
      faults.check(kinds);
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toBeInstanceOf(KnownFaultError);
    const denied: readonly DeniedNode[] = nodesToDeny(error, []);
    expect(denied).toHaveLength(20);
    expect(nodesToDeny(new KnownFaultError([{ node: 30, reason: 'other' }]), denied)).toHaveLength(1);
  });
});
