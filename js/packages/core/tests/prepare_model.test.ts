import { InterpreterError, MalformedModelError } from 'tflite-webnn';
import { describe, expect, it } from 'vitest';
import type { PreparedModel } from '../src/model/prepared_model.js';
import { RecoveringModel } from '../src/model/recovering_model.js';
import { FakeWasm } from './fakes/fake_wasm.js';
import { backendOn, FakeContext, type FakeOptions } from './fakes/fake_webnn.js';
import { DIRECT, expected, ON_CPU, STEPPED, sinRunner, X } from './fakes/sin_model.js';

const PARTS = {
  model: new Uint8Array(100),
  options: {},
  reopenWebnn: () => Promise.reject(new Error('nothing was lost')),
};

interface Provided {
  wasm: FakeWasm;
  webnn?: FakeOptions;
}

async function prepare({ wasm, webnn }: Provided) {
  const context = new FakeContext(webnn);
  const { prepared } = await RecoveringModel.prepare({ ...PARTS, wasm, webnn: backendOn(context) });
  return { prepared, context };
}

async function run(prepared: PreparedModel): Promise<number[]> {
  const [y] = await prepared.run([Float32Array.from(X)], []);
  return Array.from(y?.data as Float32Array);
}

/** float32 results of the same function, however it was split. */
function closeTo(values: readonly number[]) {
  return values.map((value) => expect.closeTo(value, 5));
}

describe('direct execution', () => {
  it('copies in, dispatches, copies out, and does not enter wasm', async () => {
    const wasm = new FakeWasm(sinRunner(DIRECT));
    const { prepared, context } = await prepare({ wasm });
    expect(prepared.schedule.mode).toBe('direct');
    expect(context.takeCalls()).toBe(
      [
        'build graph0:',
        '  %0 = input t0 float32[4]',
        '  %1 = constant float32[1] 4 bytes',
        "  %2 = sin(%0, {label: '0:SIN'})",
        "  %3 = add(%2, %0, {label: '1:ADD'})",
        "  %4 = mul(%0, %1, {label: '2:MUL'})",
        "  %5 = sin(%4, {label: '3:SIN'})",
        "  %6 = add(%3, %5, {label: '4:ADD'})",
        '  outputs t5=%6',
        'create tensor0 float32[4] writable',
        'create tensor1 float32[4] readable',
      ].join('\n'),
    );
    expect(await run(prepared)).toEqual(closeTo(expected(X)));
    expect(await run(prepared)).toEqual(closeTo(expected(X)));
    const calls = ['write tensor0', 'dispatch graph0 (t0=tensor0) -> (t5=tensor1)', 'read tensor1 into'];
    expect(context.takeCalls()).toBe([...calls, ...calls].join('\n'));
    expect(wasm.calls).toEqual(['init 100 bytes', 'allocate subgraph 0', 'delete', 'close']);
  });

  it("writes into the caller's array", async () => {
    const { prepared } = await prepare({ wasm: new FakeWasm(sinRunner(DIRECT)) });
    const output = new Float32Array(4);
    expect((await prepared.run([Float32Array.from(X)], [output]))[0]?.data).toBe(output);
    expect(Array.from(output)).toEqual(closeTo(expected(X)));
  });
});

describe('stepped execution', () => {
  it.each([{}, { rejectReadInto: true }])('interleaves WebNN and wasm (%o)', async (webnn: FakeOptions) => {
    const wasm = new FakeWasm(sinRunner(STEPPED, { grows: true }));
    const { prepared, context } = await prepare({ wasm, webnn });
    expect(prepared.schedule.mode).toBe('stepped');
    context.takeCalls();
    expect(await run(prepared)).toEqual(closeTo(expected(X)));
    const into = webnn.rejectReadInto ? '' : ' into';
    expect(context.takeCalls()).toBe(
      [
        'write tensor0',
        'dispatch graph0 (t0=tensor0) -> (t1=tensor1)',
        `read tensor1${into}`,
        'write tensor2',
        'dispatch graph1 (t3=tensor2) -> (t4=tensor3)',
        `read tensor3${into}`,
      ].join('\n'),
    );
    expect(wasm.calls).toEqual(['init 100 bytes', 'allocate subgraph 0', 'invoke steps 1+2', 'invoke steps 4+1']);
  });
});

describe('falling back', () => {
  it('takes back the node that build() rejects, and tries again in a fresh instance', async () => {
    const wasm = new FakeWasm({
      ...sinRunner(STEPPED),
      describe: ({ enable_webnn_delegate, webnn_excluded_nodes }, heap) => {
        if (enable_webnn_delegate !== '1') return ON_CPU;
        return sinRunner(webnn_excluded_nodes === '2' ? STEPPED : DIRECT).describe({ enable_webnn_delegate }, heap);
      },
    });
    const rejectBuild = (labels: readonly string[]) => (labels.includes('2:MUL') ? '[2:MUL] is too hard' : null);
    const { prepared } = await prepare({ wasm, webnn: { rejectBuild } });
    expect(prepared.schedule.mode).toBe('stepped');
    expect(prepared.excludedNodes).toEqual([{ node: 2, reason: expect.stringContaining('[2:MUL] is too hard') }]);
    expect(prepared.webnnReason).toBeNull();
    expect(wasm.instances).toHaveLength(2);
    expect(await run(prepared)).toEqual(closeTo(expected(X)));
  });

  it.each(['0:SIN', '1:ADD', '2:MUL', '3:SIN', '4:ADD'])(
    'finds the node %s where the browser names none',
    async (label) => {
      const node = Number.parseInt(label, 10);
      const wasm = new FakeWasm({
        ...sinRunner(DIRECT),
        describe: ({ enable_webnn_delegate, webnn_excluded_nodes }, heap) => {
          if (enable_webnn_delegate !== '1') return ON_CPU;
          // What matters here is which node is excluded, not how the others are partitioned.
          return webnn_excluded_nodes === undefined
            ? sinRunner(DIRECT).describe({ enable_webnn_delegate }, heap)
            : ON_CPU;
        },
      });
      const rejectBuild = (labels: readonly string[]) =>
        labels.includes(label) ? 'Some operator is not there.' : null;
      const { prepared, context } = await prepare({ wasm, webnn: { rejectBuild } });
      expect(prepared.excludedNodes).toEqual([
        { node, reason: expect.stringContaining('Some operator is not there.') },
      ]);
      expect(prepared.excludedNodes[0]?.reason).toContain(`parts of the graph build up to node ${label}`);
      const calls = context.takeCalls();
      const built = calls.match(/^build (\w+):/gm) ?? [];
      expect(built.every((line) => calls.includes(`destroy ${line.slice(6, -1)}`))).toBe(true);
      expect(await run(prepared)).toEqual(closeTo(expected(X)));
    },
  );

  it('goes to the CPU where nothing can be built, and destroys what was', async () => {
    const wasm = new FakeWasm(sinRunner(STEPPED));
    const rejectBuild = (labels: readonly string[]) => (labels.includes('3:SIN') ? 'out of luck' : null);
    const { prepared, context } = await prepare({ wasm, webnn: { rejectBuild } });
    expect(prepared.schedule.mode).toBe('cpu');
    expect(prepared.webnnReason).toContain('out of luck');
    expect(context.takeCalls()).toContain('destroy graph0');
    expect(await run(prepared)).toEqual(closeTo(expected(X)));
  });

  it('gives up on a browser that rejects the same node again, and after eight nodes', async () => {
    const again = await prepare({ wasm: new FakeWasm(sinRunner(DIRECT)), webnn: { rejectBuild: () => '2:MUL' } });
    expect(again.prepared.schedule.mode).toBe('cpu');
    expect(again.prepared.excludedNodes).toHaveLength(1);

    const graph = DIRECT.graphs[0];
    const operators = Array.from({ length: 20 }, (_, node) => ({
      op: 'sin',
      label: `${node}:SIN`,
      args: [{ operand: 0 }, {}],
      outputs: [5],
    }));
    const many = { ...DIRECT, graphs: [{ ...graph, operators }] } as typeof DIRECT;
    let node = 0;
    const rejectBuild = () => `${node++}:SIN`;
    const { prepared } = await prepare({ wasm: new FakeWasm(sinRunner(many)), webnn: { rejectBuild } });
    expect(prepared.schedule.mode).toBe('cpu');
    expect(prepared.excludedNodes).toHaveLength(8);
  });

  it.each([
    ['a tensor cannot be created', sinRunner(DIRECT), { rejectTensors: true }, 'could not make a tensor'],
    [
      'the delegate fails',
      sinRunner(DIRECT, {
        initError: ({ enable_webnn_delegate }) =>
          enable_webnn_delegate === '1' ? '{"code":"DELEGATE_FAILED","message":"no luck","details":{}}' : '',
      }),
      {},
      'no luck',
    ],
    ['WebNN can run nothing', sinRunner(ON_CPU), {}, 'WebNN gets no node'],
  ])('goes to the CPU where %s', async (_, behaviour, webnn, reason) => {
    const { prepared } = await prepare({ wasm: new FakeWasm(behaviour), webnn });
    expect(prepared.schedule.mode).toBe('cpu');
    expect(prepared.webnnReason).toContain(reason);
    expect(await run(prepared)).toEqual(closeTo(expected(X)));
  });

  it('says why there is no WebNN', async () => {
    const webnn = { context: null, reason: 'this browser has no WebNN' };
    const wasm = new FakeWasm(sinRunner(DIRECT));
    const { prepared } = await RecoveringModel.prepare({ ...PARTS, wasm, webnn });
    expect(prepared).toMatchObject({ schedule: { mode: 'cpu' }, webnnReason: webnn.reason });
  });

  it('does not try a bad file or a bad option a second time', async () => {
    const malformed = new FakeWasm(
      sinRunner(DIRECT, { initError: () => '{"code":"MALFORMED_MODEL","message":"cut"}' }),
    );
    await expect(prepare({ wasm: malformed })).rejects.toThrow(MalformedModelError);
    expect(malformed.instances).toHaveLength(1);
    const option = new FakeWasm(
      sinRunner(DIRECT, { optionError: () => '{"code":"INVALID_OPTION","message":"what?"}' }),
    );
    await expect(prepare({ wasm: option })).rejects.toThrow(InterpreterError);
    expect(option.instances).toHaveLength(1);
  });
});
