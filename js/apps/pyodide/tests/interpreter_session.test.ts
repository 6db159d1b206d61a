import type { ModelReport } from 'tflite-webnn';
import { BlockingError, ContextLostError, ModelDisposedError } from 'tflite-webnn/errors';
import {
  DIRECT,
  expected,
  FakeContext,
  FakeGraphBuilder,
  type FakeRunner,
  FakeWasm,
  ON_CPU,
  STEPPED,
  sinRunner,
} from 'tflite-webnn/fakes';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { EmbeddedWasm } from '../src/embedded_wasm.js';
import { InterpreterSession, type SessionOptions } from '../src/interpreter_session.js';
import { SharedHelper } from '../src/shared_helper.js';

const WEBNN: SessionOptions = { numThreads: null, enableXnnpackDelegate: true, preserveAllTensors: false, webnn: {} };
const X = [0, 1, 2, -3];
const [INPUT, OUTPUT] = [0, 5];

/** Adds the members of EmbeddedWasm to the fake module. */
class FakeEmbeddedWasm extends FakeWasm {
  forThreads(): this {
    return this;
  }
}

let contexts: FakeContext[];

beforeEach(() => {
  contexts = [];
  const createContext = async () => {
    const context = contexts.shift();
    if (context === undefined) throw new DOMException('the GPU is gone', 'NotSupportedError');
    return context;
  };
  vi.stubGlobal('isSecureContext', true);
  vi.stubGlobal('navigator', { ml: { createContext } });
  vi.stubGlobal('MLGraphBuilder', FakeGraphBuilder);
});

/** A session with a loaded model. */
function open(behaviour: FakeRunner, options = WEBNN): { session: InterpreterSession; wasm: FakeEmbeddedWasm } {
  const wasm = new FakeEmbeddedWasm(behaviour);
  const embedded = wasm as unknown as EmbeddedWasm;
  const session = new InterpreterSession(embedded, new SharedHelper(embedded, null), 8, options);
  session.load();
  session.allocate(0);
  floats(session, INPUT).set(X);
  return { session, wasm };
}

function floats(session: InterpreterSession, tensor: number): Float32Array {
  const { buffer, byteOffset } = session.tensorBytes(tensor, 0);
  return new Float32Array(buffer, byteOffset, X.length);
}

function expectRight(session: InterpreterSession): void {
  expect(Array.from(floats(session, OUTPUT))).toEqual(expected(X).map((value) => expect.closeTo(value, 5)));
}

function report(session: InterpreterSession): ModelReport {
  return JSON.parse(session.report()) as ModelReport;
}

/** A context that is lost during a read. */
function lostAtRead(): FakeContext {
  const context = new FakeContext();
  loseAtRead(context);
  return context;
}

function loseAtRead(context: FakeContext): void {
  const readTensor = context.readTensor.bind(context) as (...args: unknown[]) => unknown;
  Object.assign(context, {
    readTensor: (...args: unknown[]) => {
      context.lose('the driver was reset');
      return readTensor(...args);
    },
  });
}

describe('on WebNN', () => {
  it.each([
    ['direct', DIRECT],
    ['stepped', STEPPED],
  ])('an awaited run writes its outputs into the heap (%s)', async (mode, description) => {
    contexts = [new FakeContext()];
    const { session } = open(sinRunner(description));
    expect(session.needsPromise()).toBe(true);
    await session.invokeAsync();
    expectRight(session);
    expect(report(session).executionMode).toBe(mode);
  });

  it('prepareAsync() builds the graphs ahead, and once', async () => {
    const context = new FakeContext();
    contexts = [context];
    const { session } = open(sinRunner(DIRECT));
    await session.prepareAsync();
    expect(context.takeCalls()).toContain('build graph0');
    await session.prepareAsync();
    await session.invokeAsync();
    expect(context.takeCalls()).not.toContain('build');
    expectRight(session);
  });

  it('a run that cannot wait throws, with a reason, and leaves the session usable', async () => {
    contexts = [new FakeContext()];
    const { session } = open(sinRunner(DIRECT));
    expect(() => session.invoke(0)).toThrow(BlockingError);
    expect(() => session.invoke(0)).toThrow('the package has no script for a helper worker here');
    await session.invokeAsync();
    expectRight(session);
    expect(() => session.invoke(0)).toThrow('the model has been prepared to be run with promises');
  });

  it('disposing the session frees everything', async () => {
    const context = new FakeContext();
    contexts = [context];
    const { session } = open(sinRunner(DIRECT));
    await session.invokeAsync();
    session.dispose();
    expect(context.destroyed).toBe(true);
    expect(() => session.tensorBytes(INPUT, 0)).toThrow(ModelDisposedError);
  });
});

describe('a context that is lost', () => {
  it('between runs is replaced', async () => {
    const first = new FakeContext();
    contexts = [first, new FakeContext()];
    const { session } = open(sinRunner(DIRECT));
    await session.invokeAsync();
    first.lose('the GPU was unplugged');
    await session.invokeAsync();
    expectRight(session);
    expect(report(session).webnn).toMatchObject({ contextLosses: 1, lastContextLoss: 'the GPU was unplugged' });
  });

  it('in the middle of an awaited run is replaced, and the run repeated', async () => {
    contexts = [lostAtRead(), new FakeContext()];
    const { session } = open(sinRunner(DIRECT));
    await session.invokeAsync();
    expectRight(session);
    expect(report(session).webnn).toMatchObject({ contextLosses: 1, lastContextLoss: 'the driver was reset' });
  });

  it('in the first run of a model of which wasm has computed a part is replaced, and the run repeated', async () => {
    contexts = [lostAtRead(), new FakeContext()];
    const { session } = open(sinRunner(STEPPED));
    await session.invokeAsync();
    expectRight(session);
  });

  it('ends a later run of such a model; the next one is right', async () => {
    const first = new FakeContext();
    contexts = [first, new FakeContext()];
    const { session } = open(sinRunner(STEPPED));
    await session.invokeAsync();
    loseAtRead(first);
    await expect(session.invokeAsync()).rejects.toThrow(ContextLostError);
    await session.invokeAsync();
    expectRight(session);
  });

  it('for good leaves the model to the CPU', async () => {
    const only = new FakeContext();
    contexts = [only];
    const { session } = open(sinRunner(DIRECT));
    await session.invokeAsync();
    only.lose('the GPU was unplugged');
    await session.invokeAsync();
    expectRight(session);
    expect(report(session).webnn.used).toBe(false);
    expect(report(session).webnn.reason).toContain('the GPU is gone');
  });
});

describe('without WebNN', () => {
  it('the first awaited run finds out, and later ones are synchronous', async () => {
    const { session, wasm } = open(sinRunner(DIRECT));
    expect(session.needsPromise()).toBe(true);
    await session.invokeAsync();
    expectRight(session);
    expect(session.needsPromise()).toBe(false);
    session.invoke(0);
    expect(wasm.calls.filter((call) => call === 'invoke')).toHaveLength(2);
    expect(report(session).webnn.reason).toContain('the GPU is gone');
  });

  it('a model without a node for WebNN runs on the CPU', async () => {
    contexts = [new FakeContext()];
    const { session } = open(sinRunner(ON_CPU));
    await session.invokeAsync();
    expectRight(session);
    expect(session.needsPromise()).toBe(false);
  });

  it('that is unavailable, no run is awaited', () => {
    vi.stubGlobal('navigator', {});
    const { session } = open(sinRunner(DIRECT));
    expect(session.needsPromise()).toBe(false);
    session.invoke(0);
    expectRight(session);
    expect(report(session).webnn.reason).toContain('navigator.ml is missing');
  });

  it('intermediate tensors are readable', () => {
    const { session } = open(sinRunner(DIRECT), { ...WEBNN, preserveAllTensors: true });
    expect(session.needsPromise()).toBe(false);
    expect(report(session).webnn.reason).toContain('experimental_preserve_all_tensors');
  });

  it('that was not requested, the CPU computes', () => {
    const { session } = open(sinRunner(DIRECT), { ...WEBNN, webnn: null });
    expect(session.needsPromise()).toBe(false);
    session.invoke(0);
    expectRight(session);
    expect(report(session)).toMatchObject({ executionMode: 'cpu', webnn: { requested: false, used: false } });
  });
});
