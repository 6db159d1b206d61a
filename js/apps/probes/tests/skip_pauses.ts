import { afterEach, beforeEach, vi } from 'vitest';

/** Lets the pauses of a file's tests pass immediately, in their order, whenever nothing else is left to do. */
export function skipPauses(): void {
  let running = false;
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    running = true;
    void (async () => {
      while (running) await vi.advanceTimersToNextTimerAsync();
    })();
  });
  afterEach(() => {
    running = false;
    vi.useRealTimers();
  });
}
