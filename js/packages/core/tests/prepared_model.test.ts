/** The walk over a schedule by itself: which calls an action becomes, in which order, and what a failure leaves. */

import { describe, expect, it, vi } from 'vitest';
import type { HostedGraph } from '../src/blocking/webnn_host.js';
import { PreparedModel, type PreparedParts } from '../src/model/prepared_model.js';
import type { Action, CopyAction, Schedule, TensorLocation } from '../src/model/schedule.js';
import type { ModelVariables } from '../src/model/state_tensor.js';
import type { WebnnSession } from '../src/model/webnn_session.js';
import type { TensorResult } from '../src/tensors/results.js';
import type { WasmRunner } from '../src/wasm/wasm_runner.js';
import { floatTensor } from './fakes/sin_model.js';

const OUTPUTS = [floatTensor(5, 'y'), floatTensor(6, 'z')];

/** A schedule of these actions; a run looks at nothing else. */
function scheduleOf(...actions: Action[]): Schedule {
  return { mode: 'stepped', actions, slots: [], usesHeap: true };
}

function copy(
  from: TensorLocation,
  to: TensorLocation,
  ids: Partial<Pick<CopyAction, 'port' | 'slot' | 'tensor'>> = {},
): CopyAction {
  return { kind: 'copy', tensor: 3, from, to, port: null, slot: null, ...ids };
}

const DISPATCH: Action = { kind: 'dispatch', graph: 1, inputs: {}, outputs: {} };
const INVOKE: Action = { kind: 'invoke' };
const STEPS: Action = { kind: 'invoke-steps', first: 2, count: 3 };

/** Wasm and WebNN that write down their calls. A test provides the outputs that are read. */
class Parts {
  readonly calls: string[] = [];
  readonly heap = new Map<number, Uint8Array>();
  readOutput: (slot: number, output: ArrayBufferView) => Promise<void> = (slot, output) => {
    new Float32Array(output.buffer, output.byteOffset, 4).fill(slot);
    return Promise.resolve();
  };

  readonly runner = {
    description: {
      inputs: [floatTensor(3, 'x'), floatTensor(4, 'w')],
      outputs: OUTPUTS,
      signatures: [],
      graphs: [],
      subgraphs: [],
      partitions: [],
    },
    options: {},
    delete: () => this.calls.push('delete'),
    close: () => this.calls.push('close'),
    invoke: () => this.calls.push('invoke'),
    invokeSteps: (first: number, count: number) => this.calls.push(`steps ${first}+${count}`),
    tensorBytes: (tensor: number) => {
      const bytes = this.heap.get(tensor) ?? new Uint8Array(new Float32Array(4).fill(tensor).buffer);
      this.heap.set(tensor, bytes);
      return bytes;
    },
    tensorShape: () => [4],
    write: (tensor: number, bytes: Uint8Array) => {
      this.calls.push(`heap ${tensor} = ${new Float32Array(bytes.buffer, bytes.byteOffset, 4)}`);
    },
    takeProfile: () => [{ op: 'ADD', name: 't', subgraph: 0, node: 1, ms: 2 }],
    startProfile: () => {},
  } as unknown as WasmRunner;

  readonly session = {
    graphs: [{ buildMs: 1, devices: null }],
    dispatch: (graph: number) => this.calls.push(`dispatch ${graph}`),
    write: (slot: number, { buffer, byteOffset }: ArrayBufferView) => {
      this.calls.push(`slot ${slot} = ${new Float32Array(buffer, byteOffset, 4)}`);
    },
    read: (slot: number, output: ArrayBufferView) => {
      this.calls.push(`read ${slot}`);
      return this.readOutput(slot, output);
    },
    verify: () => this.calls.push('verify'),
    destroy: () => this.calls.push('destroy'),
  } as unknown as WebnnSession;

  /** A model that does this. */
  model(...actions: Action[]): PreparedModel {
    return this.with({ session: this.session }, ...actions);
  }

  with(more: Partial<PreparedParts>, ...actions: Action[]): PreparedModel {
    const schedule = scheduleOf(...actions);
    return new PreparedModel({ runner: this.runner, schedule, excludedNodes: [], initMs: 0, ...more });
  }
}

const values = (value: number) => new Float32Array(4).fill(value);
const INPUTS = [values(10), values(11)];
const arraysOf = (results: readonly TensorResult[]) => results.map(({ data }) => data);

describe('copies', () => {
  it('between all locations are calls of wasm or of WebNN', async () => {
    const parts = new Parts();
    const model = parts.model(
      copy('caller', 'webnn', { port: 1, slot: 7 }),
      copy('caller', 'heap', { port: 1, tensor: 4 }),
      copy('heap', 'webnn', { tensor: 9, slot: 8 }),
      copy('webnn', 'heap', { tensor: 2, slot: 6 }),
      copy('webnn', 'caller', { port: 1, slot: 5 }),
      copy('heap', 'caller', { port: 0, tensor: 3 }),
    );
    expect(arraysOf(await model.run(INPUTS, []))).toEqual([values(3), values(5)]);
    expect(parts.calls).toEqual([
      'slot 7 = 11,11,11,11',
      'heap 4 = 11,11,11,11',
      'slot 8 = 9,9,9,9',
      'read 6',
      'read 5',
      'verify',
    ]);
    expect(parts.heap.get(2)).toEqual(new Uint8Array(values(6).buffer));
  });

  it('fill the arrays that were provided, and make the others', async () => {
    const model = new Parts().model(
      copy('webnn', 'caller', { port: 0, slot: 5 }),
      copy('heap', 'caller', { port: 1, tensor: 3 }),
    );
    const complete = Object.freeze([values(0), values(0)]);
    const filled = arraysOf(await model.run(INPUTS, complete));
    expect([filled[0] === complete[0], filled[1] === complete[1]]).toEqual([true, true]);
    expect(complete).toEqual([values(5), values(3)]);

    const gap = [undefined, values(0)];
    const found = arraysOf(await model.run(INPUTS, gap));
    expect(found[1]).toBe(gap[1]);
    expect(found).toEqual([values(5), values(3)]);
    expect(gap[0]).toBeUndefined();

    const first = [values(0)];
    const both = arraysOf(await model.run(INPUTS, first));
    expect(both).toHaveLength(2);
    expect(both[0]).toBe(first[0]);
    expect(first).toHaveLength(1);
  });

  it('to an array of another size are rejected, by what the tensor holds now', async () => {
    const fromWebnn = new Parts().model(copy('webnn', 'caller', { port: 0, slot: 5 }));
    await expect(fromWebnn.run(INPUTS, [new Float32Array(3), values(0)])).rejects.toThrow(/4 elements/);
    const fromHeap = new Parts().model(copy('heap', 'caller', { port: 0, tensor: 3 }));
    await expect(fromHeap.run(INPUTS, [new Float32Array(3), values(0)])).rejects.toThrow(/4 elements/);
  });
});

describe('the order of a run', () => {
  /** Parts whose reads wait for `release`. */
  function waiting(): { parts: Parts; release: () => void } {
    const parts = new Parts();
    const releases: (() => void)[] = [];
    parts.readOutput = (slot) =>
      new Promise((resolve) => {
        releases.push(() => {
          parts.calls.push(`arrived ${slot}`);
          resolve();
        });
      });
    const release = () => {
      for (const each of releases.splice(0)) each();
    };
    return { parts, release };
  }

  const turn = () => new Promise((resolve) => setTimeout(resolve, 0));

  it('wasm waits for all reads, WebNN for none', async () => {
    const { parts, release } = waiting();
    const [a, b] = [copy('webnn', 'heap', { slot: 1 }), copy('webnn', 'heap', { slot: 2 })];
    const running = parts.model(a, b, DISPATCH, STEPS).run(INPUTS, []);
    await turn();
    expect(parts.calls).toEqual(['read 1', 'read 2', 'dispatch 1']);
    release();
    await running;
    expect(parts.calls.slice(3)).toEqual(['arrived 1', 'arrived 2', 'steps 2+3', 'verify']);
  });

  it('a run ends when its last read has arrived', async () => {
    const { parts, release } = waiting();
    const running = parts.model(copy('webnn', 'caller', { port: 0, slot: 1 })).run(INPUTS, []);
    await turn();
    expect(parts.calls).toEqual(['read 1']);
    release();
    await running;
    expect(parts.calls).toEqual(['read 1', 'arrived 1', 'verify']);
  });

  it('a run that fails waits for its reads, and proves nothing', async () => {
    const { parts, release } = waiting();
    vi.spyOn(parts.session, 'dispatch').mockImplementation(() => {
      throw new Error('lost');
    });
    const running = parts.model(copy('webnn', 'caller', { port: 0, slot: 1 }), DISPATCH).run(INPUTS, []);
    const seen = vi.fn();
    running.catch(seen);
    await turn();
    expect(seen).not.toHaveBeenCalled();
    release();
    await expect(running).rejects.toThrow('lost');
    expect(parts.calls).toEqual(['read 1', 'arrived 1']);
  });
});

describe('runNow', () => {
  it('runs what has no dispatch', () => {
    const parts = new Parts();
    const model = parts.with(
      {},
      copy('caller', 'heap', { port: 0 }),
      INVOKE,
      copy('heap', 'caller', { port: 0, tensor: 5 }),
      copy('heap', 'caller', { port: 1, tensor: 6 }),
    );
    expect(arraysOf(model.runNow(INPUTS, []))).toEqual([values(5), values(6)]);
    expect(parts.calls).toEqual(['heap 3 = 10,10,10,10', 'invoke']);
    expect(model.isRepeatable).toBe(false);
  });

  it.each([
    ['binds to wasm the memory of a variable until it has run', { fails: false, inPlace: false }],
    ['binds it until it has failed, and keeps the values', { fails: true, inPlace: false }],
    ['binds one block where values are updated in place', { fails: false, inPlace: true }],
    ['loses the values that a run was to update in place when it failed', { fails: true, inPlace: true }],
  ])('%s', (_, { fails, inPlace }) => {
    const parts = new Parts();
    const memory = { front: 1000, back: 2000 };
    const written = (__: unknown, isInPlace: boolean) => parts.calls.push(`written, in place: ${isInPlace}`);
    const spoiled = () => parts.calls.push('spoiled');
    const total = { inHeap: () => memory, bringNow: () => {}, written, spoiled };
    const variables = { at: (_: string, port: number) => (port === 0 ? total : null) } as unknown as ModelVariables;
    Object.assign(parts.runner, {
      updatesInPlace: () => new Map(inPlace ? [[5, 3]] : []),
      exchange: (tensor: number, address: number) => parts.calls.push(`tensor ${tensor} at ${address}`) && 77,
      invoke: () => {
        parts.calls.push('invoke');
        if (fails) throw new Error('lost');
      },
    });
    const model = parts.with(
      { variables },
      copy('caller', 'heap', { port: 0 }),
      INVOKE,
      copy('heap', 'caller', { port: 0, tensor: 5 }),
    );
    if (fails) expect(() => model.runNow(INPUTS, [])).toThrow('lost');
    else model.runNow(INPUTS, []);
    const bound = [
      'tensor 3 at 1000',
      `tensor 5 at ${inPlace ? 1000 : 2000}`,
      'invoke',
      ...(fails && inPlace ? ['spoiled'] : []),
      'tensor 3 at 77',
      'tensor 5 at 77',
    ];
    expect(parts.calls).toEqual(fails ? bound : [...bound, `written, in place: ${inPlace}`]);
  });

  it('rejects what has', () => {
    const rejected = () => new Parts().model(DISPATCH).runNow(INPUTS, []);
    expect(rejected).toThrow(TypeError);
    expect(rejected).toThrow('a schedule with dispatches cannot be run synchronously');
  });
});

describe('isRepeatable', () => {
  it.each([
    ['an invocation', false, INVOKE],
    ['steps', false, STEPS],
    ['a dispatch', true, DISPATCH],
    ['a copy into the heap from WebNN', false, copy('webnn', 'heap', { slot: 1 })],
    ['a copy into the heap from the caller', true, copy('caller', 'heap', { port: 0 })],
    ['a copy to the caller', true, copy('webnn', 'caller', { port: 0, slot: 1 })],
  ] as const)('after %s: %s', async (_, expected, action) => {
    const model = new Parts().model(action);
    expect(model.isRepeatable).toBe(true);
    await model.run(INPUTS, []);
    expect(model.isRepeatable).toBe(expected);
  });

  it('stays false after more actions, and is of the last run only', async () => {
    const parts = new Parts();
    const model = parts.model(DISPATCH, INVOKE, DISPATCH);
    await model.run(INPUTS, []);
    expect(model.isRepeatable).toBe(false);
    vi.spyOn(parts.session, 'dispatch').mockImplementation(() => {
      throw new Error('lost');
    });
    await expect(model.run(INPUTS, [])).rejects.toThrow('lost');
    expect(model.isRepeatable).toBe(true);
  });
});

describe('times', () => {
  it('go from a dispatch to the end of the reads behind it', async () => {
    let now = 100;
    vi.spyOn(performance, 'now').mockImplementation(() => now);
    const parts = new Parts();
    parts.readOutput = async () => {
      now += 20;
    };
    const model = parts.model(DISPATCH, copy('webnn', 'caller', { port: 0, slot: 1 }));
    expect(model.dispatchTimes(1)).toBeNull();
    await model.run(INPUTS, []);
    expect(model.dispatchTimes(1)).toEqual({ count: 1, last: 20, mean: 20 });
  });

  it('leave out a dispatch that nothing was read of, and one of a run that failed', async () => {
    let now = 100;
    vi.spyOn(performance, 'now').mockImplementation(() => now);
    const unread = new Parts().model(DISPATCH, INVOKE);
    await unread.run(INPUTS, []);
    await unread.run(INPUTS, []);
    expect(unread.dispatchTimes(1)).toBeNull();

    const parts = new Parts();
    parts.readOutput = () => Promise.reject(new Error('lost'));
    const model = parts.model(DISPATCH, copy('webnn', 'caller', { port: 0, slot: 1 }));
    await expect(model.run(INPUTS, [])).rejects.toThrow('lost');
    now = 500;
    parts.readOutput = async () => {
      now += 10;
    };
    await model.run(INPUTS, []);
    expect(model.dispatchTimes(1)).toEqual({ count: 1, last: 10, mean: 10 });
  });

  it('of a hosted graph are its own', () => {
    const times = { count: 3, last: 1, mean: 2 };
    const released: string[] = [];
    const hosted: HostedGraph = { buildMs: 4, devices: ['gpu'], times: () => times, release: () => released.push('0') };
    const model = new Parts().with({ hosted: [hosted] }, INVOKE);
    expect(model.dispatchTimes(0)).toBe(times);
    expect(model.dispatchTimes(1)).toBeNull();
    expect(model.graphs).toEqual([hosted]);
    model.stop();
    expect(released).toEqual(['0']);
  });
});

describe('profile', () => {
  function profiled(parts: Parts, ...actions: Action[]): PreparedModel {
    const description = { ...parts.runner.description, partitions: [{ graph: 1, ops: ['SIN'] }] };
    const runner = { ...parts.runner, description, options: { enable_profiling: true } } as unknown as WasmRunner;
    return parts.with({ runner, session: parts.session }, ...actions);
  }

  it('has nodes and dispatches', async () => {
    const parts = new Parts();
    const read = copy('webnn', 'caller', { port: 0, slot: 1 });
    const model = profiled(parts, DISPATCH, read, STEPS);
    await model.run(INPUTS, []);
    const items = model.profile();
    expect(items.map(({ nodeType, nodeName }) => `${nodeType} ${nodeName}`)).toEqual(['WEBNN SIN', 'ADD t']);
    expect(items[0]?.nodeExecMs).toBe(model.dispatchTimes(1)?.last);
  });

  it('has no time of a dispatch that was not measured', async () => {
    const parts = new Parts();
    const model = profiled(parts, DISPATCH);
    await model.run(INPUTS, []);
    expect(model.profile()).toMatchObject([{ nodeType: 'WEBNN', nodeExecMs: 0 }]);
  });

  it('is empty unless requested', async () => {
    const model = new Parts().model(DISPATCH, INVOKE);
    await model.run(INPUTS, []);
    expect(model.profile()).toEqual([]);
  });
});

describe('what a model holds', () => {
  it("is the session's until it is destroyed", () => {
    const parts = new Parts();
    const model = parts.model(DISPATCH);
    expect(model.session).toBe(parts.session);
    expect(model.graphs).toBe(parts.session.graphs);
    model.stop();
    expect(parts.calls).toEqual(['destroy']);
    expect(model.session).toBeNull();
    expect(model.graphs).toEqual([]);
    model.stop();
    expect(parts.calls).toEqual(['destroy']);
  });

  it('is the runner until it is stopped, and is closed with the model', () => {
    const [stopped, released] = [new Parts(), new Parts()];
    const [one, other] = [stopped.model(INVOKE), released.model(INVOKE)];
    expect(one.runner).toBe(stopped.runner);
    one.stop();
    other.release();
    expect([one.runner, other.runner]).toEqual([null, null]);
    expect([stopped.calls, released.calls]).toEqual([['destroy'], ['destroy', 'close']]);
  });

  it('is no runner where no run needs it', () => {
    const parts = new Parts();
    const schedule = { ...scheduleOf(DISPATCH), usesHeap: false };
    const model = parts.with({ schedule, session: parts.session });
    expect(model.runner).toBeNull();
    expect(parts.calls).toEqual(['delete', 'close']);
  });

  describe('of subgraphs that signatures run in wasm', () => {
    /** A model whose runs need no wasm. */
    function withSubgraphs(sharesState: boolean, count: number): { parts: Parts; model: PreparedModel } {
      const parts = new Parts();
      const description = { ...parts.runner.description, sharesState, subgraphs: new Array(count).fill({}) };
      const runner = Object.assign(parts.runner, { description });
      return { parts, model: parts.with({ runner, schedule: { ...scheduleOf(DISPATCH), usesHeap: false } }) };
    }

    it('is their runner', () => {
      const { parts, model } = withSubgraphs(true, 1);
      expect(model.hasSubgraphsInWasm).toBe(true);
      expect([model.runner, model.subgraphRunner]).toEqual([parts.runner, parts.runner]);
      expect(parts.calls).toEqual([]);
    });

    it.each([
      [false, 1],
      [true, 0],
      [false, 0],
    ])('is no runner where none of them shares state: %s, %i', (sharesState, count) => {
      const { parts, model } = withSubgraphs(sharesState, count);
      expect(model.hasSubgraphsInWasm).toBe(false);
      expect(model.runner).toBeNull();
      expect(parts.calls).toEqual(['delete', 'close']);
      expect(() => model.subgraphRunner).toThrow(
        new TypeError('a model whose signatures have their own subgraphs keeps its runner'),
      );
    });
  });

  it('is the file for another preparation, where one can come', () => {
    const [parts, file] = [new Parts(), new Uint8Array(1)];
    Object.assign(parts.runner, { file });
    const webnn = {} as NonNullable<PreparedParts['webnn']>;
    const direct = { schedule: { ...scheduleOf(DISPATCH), usesHeap: false } };
    const loaded = new Uint8Array(2);
    expect(parts.with({}, INVOKE).fileToKeep(loaded)).toBeNull();
    expect(parts.with({ webnn }, INVOKE).fileToKeep(loaded)).toBe(file);
    expect(parts.with({ webnn, ...direct }).fileToKeep(loaded)).toBe(loaded);
  });

  it('is nothing on WebNN without a session', () => {
    const model = new Parts().with({}, INVOKE);
    expect([model.session, model.graphs]).toEqual([null, []]);
    model.stop();
  });
});
