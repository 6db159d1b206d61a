import { describe, expect, it } from 'vitest';
import { endThreads, failureOfThreads } from '../src/wasm/wasm_module.js';

class FakeThread {
  #listener: ((event: ErrorEvent) => void) | undefined;

  addEventListener(_: 'error', listener: (event: ErrorEvent) => void): void {
    this.#listener = listener;
  }

  fail(message: string): void {
    this.#listener?.({ message } as ErrorEvent);
  }
}

function pool(...unusedWorkers: FakeThread[]) {
  let ended = 0;
  const PThread = { unusedWorkers, terminateAllThreads: () => void ended++ };
  return { bindings: { PThread }, ended: () => ended };
}

describe('failureOfThreads', () => {
  it('reports the first worker that fails', async () => {
    const [fine, bad] = [new FakeThread(), new FakeThread()];
    const failure = failureOfThreads(pool(fine, bad).bindings);
    bad.fail('rejected by the policy');
    expect((await failure).message).toBe('a thread could not be started: rejected by the policy');
  });

  it('has a message for an event without one', async () => {
    const bad = new FakeThread();
    const failure = failureOfThreads(pool(bad).bindings);
    bad.fail('');
    expect((await failure).message).toContain('its script could not be loaded');
  });
});

describe('endThreads', () => {
  it('ends the pool where there is one', () => {
    const threads = pool();
    endThreads(threads.bindings);
    endThreads({});
    expect(threads.ended()).toBe(1);
  });
});
